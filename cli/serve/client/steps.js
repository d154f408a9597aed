// A line of play to step through, and positions shown without leaving the one at hand.

import { post } from "./api.js";
import { button, el, fill } from "./dom.js";
import { readMove } from "./lines.js";
import { t } from "./texts.js";
import { ending, events, told } from "./told.js";

const LONG = 12; // turns of a list whose end is out of sight
const PACE = 1400; // milliseconds of a turn that is played by itself

/** Shows positions on a board; one that comes too late is not shown. */
export class Preview {
  /**
   * @param {Board} board
   * @param {Strip} strip the players, who show what they have in the position
   */
  constructor(board, strip) {
    this.board = board;
    this.strip = strip;
    this.serial = 0;
    this.shown = false;
  }

  /** Forget what is on its way. */
  stop() {
    this.serial += 1;
    this.shown = false;
    document.body.classList.remove("previewing");
  }

  /**
   * Draw a position, with moves on it if there are any; several are numbered and joined by arrows.
   * Return what is told of the position, if in time.
   */
  async show(position, ...moves) {
    const serial = ++this.serial;
    const view = await post("/api/view", moves.length ? { position, line: moves } : { position });
    if (serial !== this.serial) return null;
    this.shown = true;
    document.body.classList.add("previewing");
    this.board.show(view.svg, view.title);
    this.board.mark({});
    this.board.ghost(null);
    this.strip.draw(view);
    return view;
  }
}

/** Return what an event or some of them bring on each cell: the points beside the tile. */
function fallen(found, cell) {
  const brought = found.filter((one) => one.points);
  return brought.map((one) => ({ cell: one.cells[0] ?? cell, value: one.points, text: `+${one.points}` }));
}

export class Steps {
  /**
   * @param {string} title
   * @param {object[]} steps turns with the position before and after each
   * @param {Preview} preview
   * @param {function(object): void} [take] what to do with a position that is taken on
   */
  constructor(title, steps, preview, take = null) {
    this.title = title;
    this.steps = steps;
    this.preview = preview;
    this.take = take;
    this.at = 0;
    this.final = null;
    this.heard = null; // gets each turn that is shown, null for the beginning
    this.root = el("div", { class: "steps" });
    this.draw();
  }

  /** Go some turns on, or back, unless none is there. */
  turn(by) {
    this.stop();
    const at = this.at + by;
    return at >= 0 && at <= this.steps.length ? this.go(at) : undefined;
  }

  draw() {
    const step = this.at ? this.steps[this.at - 1] : null;
    const long = this.steps.length > LONG;
    const brought = step ? events(step.events) : null;
    fill(
      this.root,
      el("h4", {}, this.title),
      this.steps.length === 1 && !this.take ? null : el(
        "div",
        { class: "bar" },
        button("◀", () => this.turn(-1), { disabled: this.at === 0, "aria-label": t("stepBack"), class: "icon" }),
        el("span", {}, `${this.at} / ${this.steps.length}`),
        button("▶", () => this.turn(1), { disabled: this.at === this.steps.length, "aria-label": t("stepOn"), class: "icon" }),
        step && this.take ? button(t("takePosition"), () => this.take(step.position), { class: "quiet" }) : null,
      ),
      long && step ? el("p", {}, told(step)) : null,
      long ? brought : null,
      el("ol", { class: "line" }, this.steps.map((one, index) =>
        el("li", {}, el("button", {
          type: "button",
          class: "link",
          "aria-current": index + 1 === this.at ? "step" : null,
          on: { click: () => this.turn(index + 1 - this.at) },
        }, told(one))),
      )),
      long ? null : brought,
      step && this.final ? this.final : null,
    );
  }

  /** Play no further turn by itself. */
  stop() {
    clearTimeout(this.playing);
  }

  /** Play the turns from here to the end, each in its time. */
  async play() {
    await this.go(this.at + 1);
    if (this.at < this.steps.length) {
      this.playing = setTimeout(() => this.root.isConnected && this.play(), PACE);
    }
  }

  async go(at) {
    this.at = at;
    this.final = null;
    this.draw();
    const step = at ? this.steps[at - 1] : null;
    this.heard?.(step);
    const view = await this.preview.show(step ? step.position : this.steps[0].before);
    if (!view || this.at !== at) return;
    const { board } = this.preview;
    const cell = step && (readMove(step.notation)?.cell ?? null);
    board.mark({ last: cell ? [cell] : [] });
    board.values(step ? fallen(step.events, cell) : []);
    this.final = step && ending(view);
    if (this.final) this.draw();
  }
}
