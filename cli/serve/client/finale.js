// The end of a game: what is scored, step by step on the board, and the result.

import { button, dot, el, fill } from "./dom.js";
import { capital, t } from "./texts.js";
import { events } from "./told.js";

const PACE = 1500; // milliseconds of a step

export class Finale {
  /**
   * @param {Board} board
   * @param {Strip} strip whose scores count up
   * @param {function(): Array<HTMLElement|null>} more what can be done once the result is there
   */
  constructor(board, strip, more) {
    this.board = board;
    this.strip = strip;
    this.more = more;
    this.root = el("section", { class: "finale", "aria-live": "polite" });
    this.view = null;
  }

  /** Begin with a view of a position whose game is over; null ends it. */
  show(view) {
    this.stop();
    this.view = view?.final ? view : null;
    if (!view?.over) fill(this.root);
    else if (!this.view) fill(this.root, el("h2", {}, t("gameEnded")), el("p", {}, view.undecided));
    else if (this.done === JSON.stringify(view.final)) this.go(this.steps.length);
    else this.play(0);
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** The steps of final scoring that bring points. */
  get steps() {
    return this.view.final.events.filter((one) => one.points && one.player);
  }

  /** Show steps from one on, each in its time. */
  play(at) {
    this.go(at);
    if (at < this.steps.length) this.timer = setTimeout(() => this.root.isConnected && this.play(at + 1), PACE);
  }

  go(at) {
    this.stop();
    const { view, steps } = this;
    const scores = Object.fromEntries(Object.entries(view.players).map(([name, { score }]) => [name, score]));
    for (const one of steps.slice(0, at)) scores[one.player] += one.points;
    const whole = at === steps.length;
    const shown = whole ? view.final.scores : scores;
    this.strip.draw({
      ...view,
      players: Object.fromEntries(Object.entries(view.players).map(([name, player]) => [name, { ...player, score: shown[name] }])),
    });
    const step = at && !whole ? steps[at - 1] : null;
    this.board.mark({ last: step?.cells ?? [] });
    this.board.values(step?.cells.length ? [{ cell: step.cells[0], value: step.points, text: `+${step.points}` }] : []);
    if (whole) {
      this.done = JSON.stringify(view.final);
      fill(this.root, this.result());
      return;
    }
    fill(
      this.root,
      el("h2", {}, t("endIsScored")),
      step
        ? el("p", {}, dot(step.player), ` ${step.text}`)
        : el("p", {}, t("lastTileLaid")),
      el("p", { class: "faint" }, t("stepOf", { number: at, all: steps.length })),
      el("div", { class: "bar" },
        button(t("nextStep"), () => this.go(at + 1), { class: "main" }),
        button(t("toResult"), () => this.go(steps.length))),
    );
  }

  result() {
    const { view } = this;
    const { final, players } = view;
    const ranked = Object.entries(final.scores).sort(([, one], [, other]) => other - one);
    const names = final.leaders.map(capital).join(t("and"));
    const title = final.winner ? "wins" : final.leaders.length > 1 && ranked.length > 2 ? "shareWin" : "draw";
    return [
      el("h2", { class: "won" }, t(title, { player: names, scores: ranked.slice(0, ranked.length > 2 ? 1 : 2).map(([, score]) => score).join(" : ") })),
      el("table", { class: "survey result" },
        el("thead", {}, el("tr", {}, ["player", "inPlay", "atEnd", "total"].map((key) => el("th", { scope: "col" }, t(`result_${key}`))))),
        el("tbody", {}, ranked.map(([name, score]) => el("tr", { class: final.leaders.includes(name) ? "first" : "" },
          el("th", { scope: "row" }, dot(name), ` ${capital(name)}`),
          el("td", {}, String(players[name].score)),
          el("td", {}, `+${score - players[name].score}`),
          el("td", {}, el("b", {}, String(score))))))),
      el("div", { class: "bar" }, this.more()),
      el("details", {}, el("summary", {}, t("howScored")), events(final.events)),
      el("div", { class: "bar" }, button(t("endAgain"), () => this.play(0), { class: "quiet" })),
    ];
  }
}
