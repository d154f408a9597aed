// A line of play to step through, and positions shown without leaving the one at hand.

import { post } from "./api.js";
import { button, el, fill } from "./dom.js";
import { capital, t } from "./texts.js";
import { events } from "./told.js";

/** Shows positions on a board; one that comes too late is not shown. */
export class Preview {
  constructor(board) {
    this.board = board;
    this.serial = 0;
  }

  /** Forget what is on its way. */
  stop() {
    this.serial += 1;
  }

  /** Draw a position, with a move on it if one is given. */
  async show(position, move = null) {
    const serial = ++this.serial;
    const view = await post("/api/view", move ? { position, move } : { position });
    if (serial !== this.serial) return;
    this.board.show(view.svg, view.title);
    this.board.mark({});
  }
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
    this.root = el("div", { class: "steps" });
    this.draw();
  }

  draw() {
    const step = this.at ? this.steps[this.at - 1] : null;
    fill(
      this.root,
      el("h4", {}, this.title),
      el(
        "div",
        { class: "bar" },
        button("◀", () => this.go(this.at - 1), { disabled: this.at === 0, "aria-label": t("stepBack") }),
        el("span", {}, `${this.at} / ${this.steps.length}`),
        button("▶", () => this.go(this.at + 1), { disabled: this.at === this.steps.length, "aria-label": t("stepOn") }),
        step && this.take ? button(t("takePosition"), () => this.take(step.position), { class: "quiet" }) : null,
      ),
      el("ol", { class: "line" }, this.steps.map((one, index) =>
        el("li", {}, button(`${capital(one.player)}: ${one.notation}`, () => this.go(index + 1), {
          class: "link",
          "aria-current": index + 1 === this.at ? "step" : null,
        })),
      )),
      step ? events(step.events) : null,
    );
  }

  async go(at) {
    this.at = at;
    this.draw();
    await this.preview.show(at ? this.steps[at - 1].position : this.steps[0].before);
  }
}
