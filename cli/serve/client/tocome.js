// The tiles to come: in their order, or unseen with how many are left, and where none of them fits.

import { post } from "./api.js";
import { button, el, fill, picture } from "./dom.js";
import { t } from "./texts.js";
import { refused } from "./told.js";

export class ToCome {
  /**
   * @param {Session} session
   * @param {Board} board
   * @param {function(string): void} [take] puts a tile that may be drawn into the hand
   */
  constructor(session, board, take = null) {
    this.session = session;
    this.board = board;
    this.take = take;
    this.list = el("section", {});
    this.fitting = el("ul", { class: "faint" });
    this.said = el("p", { class: "faint", "aria-live": "polite" });
    this.root = el("div", { class: "tocome" },
      el("div", { class: "bar" }, button(t("showHoles"), () => this.holes())), this.said, this.fitting, this.list);
  }

  draw() {
    const { position, tiles, view } = this.session;
    fill(this.said);
    fill(this.fitting);
    if (view.problems.length) {
      fill(this.list);
      return;
    }
    const { order = [], bag = {}, discarded = [] } = position;
    const tile = (id, props = {}, ...more) =>
      el("li", { class: "kind", title: tiles.byId.get(id).title, ...props }, picture(tiles.byId.get(id).svg), el("span", {}, id, ...more));
    const part = (key, items) => (items.length ? [el("h3", {}, t(key)), el("ul", { class: "kinds plain" }, items)] : []);
    const unseen = Object.entries(bag).map(([id, count]) => (this.take ? el("li", {}, el("button", {
      type: "button",
      class: "kind",
      "aria-label": t("takeUnseen", { tile: id, count }),
      on: { click: () => this.take(id) },
    }, picture(tiles.byId.get(id).svg), el("span", {}, `${id} ×${count}`))) : tile(id, {}, ` ×${count}`)));
    fill(
      this.list,
      order.length || unseen.length ? null : el("p", {}, t("nothingToCome")),
      part("inOrder", order.map((id) => tile(id))),
      part("unseen", unseen),
      part("discarded", discarded.map((id) => tile(id))),
    );
  }

  /** Show on the board how many of the tiles to come fit on each open cell; mark those of none. */
  async holes() {
    const { position } = this.session;
    try {
      const { cells, dead, text } = await post("/api/fits", { position });
      if (position !== this.session.position) return;
      this.board.mark({ hole: dead });
      this.board.values(cells.map(({ cell, left }) => ({ cell, value: left, text: String(left) })));
      const found = ["noHole", "oneHole"][dead.length] ?? "manyHoles";
      this.said.textContent = `${t("holes")} ${t(found, { count: dead.length })}`;
      fill(this.fitting, text.slice(1).map((line) => el("li", {}, line)));
    } catch (error) {
      fill(this.said, refused(error));
    }
  }
}
