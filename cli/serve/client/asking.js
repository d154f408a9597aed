// Putting questions to the solver, and showing the answers on the board.

import { Solve } from "./api.js";
import { button, choice, el, field, fill, steady } from "./dom.js";
import { readMove } from "./lines.js";
import { Steps } from "./steps.js";
import { t } from "./texts.js";
import { events, refused, told } from "./told.js";

const QUESTIONS = ["best", "force", "evaluate", "max", "expect", "win", "ahead"];
const LIMITS = [5, 15, 60, 300];
const PLAYOUTS = [1000, 4000, 16000];
const MOST_WEIGHED = 12; // tiles to come of which every order can be weighed at all
const ARROWS = 8; // moves of a line that are shown at once
const ALL = 400; // moves of a turn that are told when all are wanted

export class Asking {
  /**
   * @param {Session} session
   * @param {Board} board
   * @param {Preview} preview
   * @param {object} wants `say(text)`, `play(notation)`, `tile()`: the tile that may be drawn, or
   *   null, and `back()`: to the position at hand
   */
  constructor(session, board, preview, wants) {
    this.session = session;
    this.board = board;
    this.preview = preview;
    this.wants = wants;
    this.question = "best";
    this.options = {
      objective: "points", mode: "helped", order: "given", tiles: 1, every: false, certify: false, seconds: 15, playouts: 4000,
    };
    this.form = el("section", { class: "asking" });
    this.answer = el("section", { class: "answer", "aria-live": "polite" });
    this.root = el("div", {}, this.form, this.answer);
    this.progress = el("div", { class: "progress", "aria-live": "polite" });
    this.button = button(t("ask"), () => this.ask(), { class: "main ask" });
    this.action = el("div", { class: "action" }, this.progress, this.button);
    this.draw();
  }

  /** Return why a question cannot be answered in the position at hand; null if it can. */
  refusal(question) {
    const { view, position } = this.session;
    if (!view) return null;
    if (view.over) return t("askOver");
    if (view.problems.length) return t("askImpossible");
    const loose = Object.values(position.bag ?? {}).reduce((sum, one) => sum + one, 0);
    if (question === "force" && loose) return t("askOrder");
    const late = loose && loose + (position.order ?? []).length > MOST_WEIGHED;
    return late && ["expect", "win"].includes(question) ? t("askLater", { most: MOST_WEIGHED }) : null;
  }

  draw() {
    const { options } = this;
    const refusal = this.refusal(this.question);
    this.button.disabled = Boolean(refusal);
    const pick = (key, values) =>
      field(t(key), choice(values.map((value) => [value, t(`${key}_${value}`)]), options[key], (value) => {
        options[key] = value;
      }));
    const numbers = (key, values, text) =>
      field(t(key), choice(values.map((one) => [String(one), t(text, { count: one })]), String(options[key]), (value) => {
        options[key] = Number(value);
      }));
    const tick = (key) =>
      el("label", { class: "tick" }, el("input", { type: "checkbox", checked: options[key], on: { change: (event) => { options[key] = event.target.checked; } } }), ` ${t(key)}`);
    const number = (key, min, max) =>
      field(t(key), el("input", { type: "number", min, max, value: options[key], on: { change: (event) => { options[key] = Number(event.target.value); } } }));
    const extra = {
      best: [pick("objective", ["points", "lead"]), tick("every")],
      ahead: [number("tiles", 0, 20), tick("every"), tick("certify")],
      max: [pick("objective", ["points", "lead"]), pick("mode", ["helped", "solitaire"]), pick("order", ["given", "choose", "any"]), tick("certify")],
      force: [tick("every"), tick("certify")],
      expect: [tick("every"), tick("certify")],
      win: [tick("certify")],
      evaluate: [numbers("playouts", PLAYOUTS, "games")],
    }[this.question];
    fill(
      this.form,
      el(
        "div",
        { class: "fields" },
        field(t("question"), choice(QUESTIONS.map((one) => [one, t(`ask_${one}`), Boolean(this.refusal(one))]), this.question, (value) => {
          this.question = value;
          this.draw();
        }), { class: "field wide" }),
        numbers("seconds", LIMITS, "secondsOf"),
        ...extra,
      ),
      el("p", { class: "faint" }, t(`about_${this.question}`)),
      refusal ? el("p", { class: "bound" }, refusal) : this.greyed(),
    );
  }

  /** Return why other questions are greyed at this moment. */
  greyed() {
    const found = QUESTIONS.map((one) => [one, this.refusal(one)]).filter(([, why]) => why);
    if (!found.length) return null;
    return el("ul", { class: "faint" }, found.map(([one, why]) => el("li", {}, t("greyed", { question: t(`ask_${one}`), why }))));
  }

  get asked() {
    const { objective, mode, order, tiles, every, certify, seconds, playouts } = this.options;
    const more = {
      best: { objective, top: every ? ALL : 1 },
      ahead: { tiles, every, certify },
      max: { objective, mode, order, certify },
      force: { every, certify },
      expect: { every, certify },
      win: { certify },
      evaluate: { playouts },
    }[this.question];
    const tile = this.question === "force" ? null : this.wants.tile();
    return { question: this.question, position: this.session.position, seconds, ...more, ...(tile ? { tile } : {}) };
  }

  /** End the solve that runs, if any. */
  stop() {
    this.solve?.cancel();
    this.solve = null;
    fill(this.progress);
  }

  /** Forget the answer: the position is another. */
  forget() {
    this.stop();
    fill(this.answer);
    this.board.values();
    steady(this.form, () => this.draw());
  }

  async ask() {
    await this.wants.back();
    this.forget();
    const words = el("span", {}, t("waiting"));
    const enough = button(t("enough"), () => {
      enough.disabled = true;
      this.solve?.enough();
    }, { title: t("aboutEnough") });
    fill(this.progress, el("span", { class: "spin", "aria-hidden": "true" }), words, enough, button(t("cancel"), () => this.solve?.cancel()));
    const { asked } = this;
    let named = null; // the move that was told last
    const solve = new Solve("/api/jobs", asked, (job) => {
      if (this.solve !== solve) return;
      const parts = [t(job.state === "waiting" ? "waiting" : "thinking", { seconds: Math.floor(job.seconds), limit: asked.seconds })];
      if (job.sketch) parts.push(t("gamesPlayed", { count: job.sketch.playouts }));
      if (job.stage) parts.push(job.stage);
      if (job.found !== null) parts.push(t("soFar", { value: job.found }));
      words.textContent = parts.join(" · ");
      if (job.sketch && JSON.stringify(job.sketch) !== named) {
        named = JSON.stringify(job.sketch);
        this.growing(job.sketch);
      }
    });
    this.solve = solve;
    try {
      const job = await solve.run();
      if (this.solve !== solve) return;
      fill(this.progress);
      await this.show(job, asked);
    } catch (error) {
      if (this.solve !== solve) return;
      fill(this.progress);
      fill(this.answer, refused(error));
    }
    this.answer.scrollIntoView?.({ block: "nearest" });
  }

  /** Show the best move so far of an estimate, on the board and in words; its value grows more precise. */
  async growing({ move, value, error, playouts }) {
    const { position } = this.session;
    const lead = value === null ? t("noLeadYet") : t("leadSoFar", { lead: signed(value), error: error.toFixed(1) });
    const head = el("p", { class: "bound" }, lead, " ", el("small", { class: "faint" }, t("gamesPlayed", { count: playouts })));
    if (!move) {
      fill(this.answer, head);
      return;
    }
    const view = await this.preview.show(position, move);
    if (!view || !this.solve) return;
    fill(this.answer, head, el("p", {}, told({ says: view.says[0], notation: move })));
    const cell = readMove(move)?.cell;
    if (cell && value !== null) this.board.values([{ cell, value, text: signed(value) }]);
  }

  /** Show how a question ended; one that broke down can be asked again as it was. */
  async show(job, asked) {
    if (job.state === "done") return this.showAnswer(job.answer, asked);
    const why = job.message || t(`state_${job.state}`);
    const best = job.found === null ? null : el("p", {}, t("soFarOnly", { value: job.found }));
    const again = job.state === "failed" ? button(t("askAgain"), () => this.ask()) : null;
    if (job.sketch) await this.growing(job.sketch);
    else fill(this.answer);
    this.answer.prepend(...[el("p", { class: "bad", role: "alert" }, why), best, again].filter(Boolean));
    return undefined;
  }

  async showAnswer(answer, asked) {
    const [head] = answer.text;
    const { position } = this.session;
    const best = [...answer.moves].sort((one, other) => other.value - one.value);
    const moves = best.length ? best : answer.guess;
    const sure = ["optimal", "proved"].includes(answer.status);
    const steps = answer.steps.length ? new Steps(t("line"), answer.steps, this.preview, (one) => this.session.set(one)) : null;
    fill(
      this.answer,
      el("h3", { class: sure ? "good" : "bound" }, head),
      el("p", {}, el("span", { class: sure ? "seal good" : "seal bound" }, t(`status_${answer.status}`)),
        ` ${t(`status_${answer.status}_words`, { seconds: asked.seconds })}`),
      answer.limits.map((one) => el("p", {}, one)),
      this.firstMoves(moves),
      steps?.root,
      el("details", { class: "faint" }, el("summary", {}, t("howFound")),
        el("p", {}, t("answeredBy", { engine: answer.engine, seconds: answer.seconds.toFixed(2) })),
        el("ul", {}, answer.confirmed.map((one) => el("li", {}, one)))),
    );
    this.wants.say(head);
    // The answer at once on the board: the line with its order, and what first moves are worth.
    if (moves.length && position === this.session.position) {
      const line = answer.steps.slice(0, ARROWS).map((one) => one.notation);
      await this.preview.show(position, ...(line.length ? line : [moves[0].notation]));
      this.heat(moves);
    }
  }

  /** Write the largest value of the moves of each cell on it, if moves differ. */
  heat(moves) {
    const best = new Map();
    for (const { notation, value } of moves) {
      const cell = readMove(notation)?.cell;
      if (!cell || value === undefined) continue;
      const key = String(cell);
      if (!best.has(key) || best.get(key).value < value) best.set(key, { cell, value, text: short(value) });
    }
    if (best.size > 1) this.board.values([...best.values()]);
  }

  /** Return moves to be shown and played, each with its value if that is known. */
  firstMoves(moves) {
    const show = async (move) => {
      await this.preview.show(this.session.position, move.notation);
      this.heat(moves);
    };
    return el(
      "ol",
      { class: "moves" },
      moves.map((move) =>
        el(
          "li",
          {},
          el("button", { type: "button", class: "turn", on: { click: () => show(move) } },
            el("span", {}, told(move)),
            move.value === undefined ? null : el("span", { class: "gain" }, worth(move))),
          button(t("playTurn"), () => this.wants.play(move.notation), { class: "quiet" }),
          move.scores ? events(move.scores) : null,
        ),
      ),
    );
  }
}

/** Return a lead with its sign. */
function signed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
}

/** Return a value in few signs. */
function short(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** Return the value of a move: exact, or with the interval of an estimate. */
function worth({ value, exact, interval }) {
  if (interval && interval[0] !== interval[1]) return `${value.toFixed(1)} (${interval.map((end) => end.toFixed(1)).join(" … ")})`;
  return exact && exact !== String(value) ? `${value} (${exact})` : String(value);
}
