// Walking through the mistakes of a reviewed game: which move is better, then the better move.

import { Solve } from "./api.js";
import { button, el, fill } from "./dom.js";
import { Mover } from "./mover.js";
import { t } from "./texts.js";
import { notation, prose, refused, told, working } from "./told.js";

export class Walk {
  /**
   * @param {Session} session
   * @param {Board} board
   * @param {Preview} preview
   * @param {object} wants `say(text)` for the reader, and `ended()`, called after the last mistake
   */
  constructor(session, board, preview, wants) {
    this.session = session;
    this.preview = preview;
    this.wants = wants;
    this.mistakes = []; // reviewed turns, each with the turn of the game
    this.at = 0;
    this.mover = new Mover(session, board, {
      verb: t("tryIt"),
      done: (turn) => this.attempt(turn.notation),
      say: wants.say,
      silent: true,
      chosen: () => fill(this.verdict),
      strip: preview.strip,
    });
    this.verdict = el("section", { "aria-live": "polite" });
    this.root = el("div", {});
    this.foot = el("div", {});
  }

  /** The mistake that is asked about; undefined if there is none. */
  get mistake() {
    return this.mistakes[this.at];
  }

  begin(mistakes) {
    this.mistakes = mistakes;
    return this.ask(0);
  }

  stop() {
    this.solve?.cancel();
    this.solve = null;
  }

  leave() {
    this.stop();
    this.mistakes = [];
  }

  /** Ask about a mistake; after the last one the walk is over. */
  async ask(at) {
    this.stop();
    this.at = at;
    fill(this.verdict);
    if (this.mistake) await this.session.set(this.mistake.turn.before, { beginning: true });
    else this.wants.ended();
  }

  async refresh() {
    this.draw();
    await this.mover.refresh();
  }

  draw() {
    const { mistake } = this;
    const sort = t(mistake.proved ? "proved" : "estimate");
    fill(
      this.root,
      el("h3", {}, t("mistakeOf", { number: this.at + 1, all: this.mistakes.length, turn: mistake.number })),
      el("p", { class: "asked" }, t("whichIsBetter", {
        move: mistake.turn.says, loss: mistake.loss.toFixed(1), sort,
      })),
      this.mover.place,
      this.verdict,
    );
    fill(
      this.foot,
      this.mover.action,
      el(
        "div",
        { class: "bar" },
        button(t("tellBetter"), () => this.tell()),
        button(t(this.at + 1 < this.mistakes.length ? "nextMistake" : "endWalk"), () => this.ask(this.at + 1)),
      ),
    );
  }

  /** Let a move be judged; a right one brings the better move with its ideas. */
  async attempt(answer) {
    const { mistake } = this;
    this.stop();
    const doing = working(t("judging"));
    fill(this.verdict, doing.root);
    const { played, best } = mistake;
    const solve = new Solve("/api/retries", { position: mistake.turn.before, answer, played, best }, ({ stage }) => doing.tell(stage));
    this.solve = solve;
    try {
      const job = await solve.run();
      if (this.solve !== solve) return;
      if (job.state !== "done") {
        fill(this.verdict, el("p", { class: "bad", role: "alert" }, job.message || t(`state_${job.state}`)));
        return;
      }
      const { right, told: words } = job.answer;
      fill(this.verdict, el("p", { class: right ? "verdict good" : "verdict bad" }, prose(words)), right ? this.better() : null);
    } catch (error) {
      if (this.solve === solve) fill(this.verdict, refused(error));
    }
  }

  /** Return the better move in words. */
  better() {
    const { best, missed } = this.mistake;
    this.said = el("p", {}, t("better"), " ", notation(best));
    this.show();
    return [
      this.said,
      missed.length ? el("p", {}, t("missedIdeas", { ideas: missed.join(", ").replaceAll("-", " ") })) : null,
    ];
  }

  /** Show the better move on the board, and say it. */
  async show() {
    const { said } = this;
    const { turn, best } = this.mistake;
    const view = await this.preview.show(turn.before, best);
    if (view) fill(said, t("better"), " ", told({ says: view.says[0], notation: best }));
  }

  /** Tell the better move, and show it on the board. */
  tell() {
    this.stop();
    fill(this.verdict, el("p", {}, t("itLost", { loss: this.mistake.loss.toFixed(1) })), this.better());
  }
}
