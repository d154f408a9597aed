// Positions and games that a published copy shows, each at an address of its own.

import { get } from "./api.js";
import { el, fill } from "./dom.js";
import { address } from "./router.js";
import { Preview, Steps } from "./steps.js";
import { t } from "./texts.js";
import { ending, players, refused } from "./told.js";

export class Boards {
  constructor(session, { board, strip, say }) {
    this.session = session;
    this.board = board;
    this.say = say;
    this.strip = strip;
    this.preview = new Preview(board, strip);
    this.id = null;
    this.turns = el("section", {});
    this.list = el("nav", { "aria-label": t("viewBoards") });
    this.parts = [["boards", el("div", {}, this.list, this.turns)]];
    this.head = strip.root;
    this.foot = null;
    this.handler = {};
  }

  get rest() {
    return this.id ?? "";
  }

  async enter(rest) {
    const { boards } = await get("/api/boards");
    const id = rest || this.id || boards[0].id;
    if (id === this.id) return;
    fill(this.list, boards.length < 2 ? null : el("ul", { class: "plain" }, boards.map((one) => el("li", {},
      el("a", { class: "entry", href: address("boards", one.id), "aria-current": one.id === id ? "true" : null }, one.title)))));
    try {
      const { position, steps } = await get(`/api/boards/${encodeURIComponent(id)}`);
      this.id = id;
      this.steps = steps.length ? new Steps(position.title || t("aGame"), steps, this.preview) : null;
      this.board.camera.whole();
      await this.session.set(position, { beginning: true });
    } catch (error) {
      fill(this.turns, refused(error));
    }
  }

  aside() {
    this.preview.stop();
  }

  refresh() {
    const { view } = this.session;
    this.board.mark({});
    fill(this.turns, this.steps ? this.steps.root : [el("h2", {}, view.title || view.game), players(view), ending(view)],
      (view.about ?? []).map((one) => el("p", { class: "faint" }, one)));
  }
}
