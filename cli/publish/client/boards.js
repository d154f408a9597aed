// Positions and games that a published copy shows: those it brings along, and those of links.

import { get } from "./api.js";
import { el, fill } from "./dom.js";
import { address } from "./router.js";
import { Preview, Steps } from "./steps.js";
import { t } from "./texts.js";
import { ending, players, refused } from "./told.js";

const KEYS = { n: 1, p: -1, ArrowRight: 1, ArrowLeft: -1 };

export class Boards {
  constructor(session, { board, strip, say }) {
    this.session = session;
    this.board = board;
    this.say = say;
    this.strip = strip;
    this.preview = new Preview(board, strip);
    this.id = null;
    this.turns = el("section", { on: { keydown: (event) => this.key(event) } });
    this.list = el("nav", { "aria-label": t("viewBoards") });
    this.parts = [["boards", el("div", {}, this.list, this.turns)]];
    this.head = strip.root;
    this.foot = null;
    this.handler = { key: (event) => !event.key.startsWith("Arrow") && this.key(event) }; // arrows go over the board
  }

  get rest() {
    return this.id ?? "";
  }

  /** Whether there is nothing to be chosen: the copy brings no board along. */
  get idle() {
    return !("boards" in document.documentElement.dataset);
  }

  key(event) {
    const by = KEYS[event.key];
    if (!by || !this.steps || event.ctrlKey || event.metaKey || event.altKey) return false;
    event.preventDefault();
    this.steps.turn(by);
    return true;
  }

  async enter(rest) {
    const { boards } = await get("/api/boards");
    const id = rest || this.id || boards[0]?.id;
    if (id && id === this.id) return;
    fill(this.list, boards.length < 2 ? null : el("ul", { class: "plain" }, boards.map((one) => el("li", {},
      el("a", { class: "entry", href: address("boards", one.id), "aria-current": one.id === id ? "true" : null }, one.title)))));
    try {
      if (!id) throw new Error(t("noBoards"));
      const { position, steps } = await get(`/api/boards/${encodeURIComponent(id)}`);
      this.id = id;
      this.steps = steps.length ? new Steps(position.title || t("aGame"), steps, this.preview) : null;
      if (this.steps) this.steps.heard = (step) => this.say(step?.says ?? "");
      this.board.camera.whole();
      await this.session.set(position, { beginning: true });
    } catch (error) {
      this.id = null;
      this.board.empty();
      this.strip.draw({});
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
