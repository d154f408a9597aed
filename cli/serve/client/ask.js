// Asking: lay tiles, judge moves, and put questions to the solver.

import { post, Solve } from "./api.js";
import { button, choice, el, field, fill } from "./dom.js";
import { Mover } from "./mover.js";
import { Preview, Steps } from "./steps.js";
import { t } from "./texts.js";
import { ending, events, findings, players, refused } from "./told.js";

const QUESTIONS = ["best", "force", "max", "expect", "win", "ahead"];
const LIMITS = [5, 15, 60, 300];

export class Ask {
  constructor(session, board, say) {
    this.session = session;
    this.board = board;
    this.say = say;
    this.question = "best";
    this.preview = new Preview(board);
    this.options = { objective: "points", mode: "helped", order: "given", tiles: 1, every: false, certify: false, seconds: 15 };
    this.mover = new Mover(session, board, { verb: t("playTurn"), done: (turn) => this.play(turn.notation), say });
    this.state = el("section", {});
    this.typed = el("section", {});
    this.asking = el("section", { class: "asking" });
    this.answer = el("section", { class: "answer", "aria-live": "polite" });
    this.root = el("div", {}, this.state, this.mover.root, this.typed, this.asking, this.answer);
    this.drawTyped();
    this.drawAsking();
  }

  get handler() {
    return this.mover.handler;
  }

  /** Show the position as it is now. */
  async refresh() {
    const { view } = this.session;
    this.stop();
    this.preview.stop();
    fill(this.answer);
    fill(
      this.state,
      el("h2", {}, view.title || view.game || t("position")),
      view.players ? players(view) : null,
      ending(view),
      view.features ? this.features(view) : null,
      this.history(),
    );
    await this.mover.refresh();
  }

  history() {
    const { past, future } = this.session;
    return el(
      "div",
      { class: "bar" },
      button(t("undo"), () => this.session.undo(), { disabled: !past.length }),
      button(t("redo"), () => this.session.redo(), { disabled: !future.length }),
    );
  }

  features(view) {
    const light = (one) => this.board.mark({ chosen: one.cells });
    return el(
      "details",
      {},
      el("summary", {}, t("features", { count: view.features.length })),
      el("ul", { class: "features" }, view.features.map((one) =>
        el("li", {}, button(one.text, () => light(one), { class: "link" })),
      )),
    );
  }

  async play(notation) {
    const { position } = this.session;
    try {
      const played = await post("/api/play", { position, moves: [notation] });
      if (!played.legal) {
        fill(this.verdict, findings(played.violations));
        return;
      }
      await this.session.set(played.position);
      fill(this.answer, el("h3", {}, notation), events(played.moves[0].events));
    } catch (error) {
      fill(this.verdict, refused(error));
    }
  }

  /** A move written by hand: judged with every rule, or played. */
  drawTyped() {
    this.verdict = el("div", { "aria-live": "polite" });
    const text = el("input", { type: "text", spellcheck: false, autocomplete: "off", placeholder: t("moveExample") });
    const judge = async (event) => {
      event?.preventDefault();
      if (!text.value.trim()) return;
      try {
        const verdict = await post("/api/judge", { position: this.session.position, move: text.value });
        fill(
          this.verdict,
          el("p", { class: verdict.legal ? "good" : "bad" }, t(verdict.legal ? "isLegal" : "isIllegal", { move: verdict.move })),
          findings(verdict.violations),
          verdict.notes.length ? findings(verdict.notes, { kind: "allowed" }) : null,
        );
      } catch (error) {
        fill(this.verdict, refused(error));
      }
    };
    fill(
      this.typed,
      el(
        "form",
        { class: "row-form", on: { submit: judge } },
        field(t("moveInNotation"), text),
        el("button", { type: "submit" }, t("judge")),
        button(t("playTurn"), () => text.value.trim() && this.play(text.value)),
      ),
      this.verdict,
    );
  }

  drawAsking() {
    const { options } = this;
    const pick = (key, values) =>
      field(t(key), choice(values.map((value) => [value, t(`${key}_${value}`)]), options[key], (value) => {
        options[key] = value;
      }));
    const tick = (key) =>
      el("label", { class: "tick" }, el("input", { type: "checkbox", checked: options[key], on: { change: (event) => { options[key] = event.target.checked; } } }), ` ${t(key)}`);
    const number = (key, min, max) =>
      field(t(key), el("input", { type: "number", min, max, value: options[key], on: { change: (event) => { options[key] = Number(event.target.value); } } }));
    const extra = {
      best: [pick("objective", ["points", "lead"])],
      ahead: [number("tiles", 0, 20)],
      max: [pick("objective", ["points", "lead"]), pick("mode", ["helped", "solitaire"]), pick("order", ["given", "choose", "any"])],
      force: [tick("every")],
      expect: [tick("every")],
      win: [],
    }[this.question];
    const limit = choice(LIMITS.map((one) => [String(one), t("seconds", { count: one })]), String(options.seconds), (value) => {
      options.seconds = Number(value);
    });
    this.progress = el("div", { class: "progress", "aria-live": "polite" });
    fill(
      this.asking,
      el("h3", {}, t("askSolver")),
      el(
        "div",
        { class: "fields" },
        field(t("question"), choice(QUESTIONS.map((one) => [one, t(`ask_${one}`)]), this.question, (value) => {
          this.question = value;
          this.drawAsking();
        })),
        ...extra,
        field(t("timeLimit"), limit),
        this.question === "best" ? null : tick("certify"),
      ),
      el("p", { class: "faint" }, t(`about_${this.question}`)),
      el("div", { class: "bar" }, button(t("ask"), () => this.ask(), { class: "main" })),
      this.progress,
    );
  }

  get asked() {
    const { objective, mode, order, tiles, every, certify, seconds } = this.options;
    const more = {
      best: { objective },
      ahead: { tiles, certify },
      max: { objective, mode, order, certify },
      force: { every, certify },
      expect: { every, certify },
      win: { certify },
    }[this.question];
    const { tiles: hands } = this.mover.places ?? {};
    const drawn = hands?.length > 1 && this.question !== "force" ? { tile: this.mover.tile } : {};
    return { question: this.question, position: this.session.position, seconds, ...more, ...drawn };
  }

  stop() {
    this.solve?.cancel();
    this.solve = null;
    fill(this.progress);
  }

  async ask() {
    this.stop();
    fill(this.answer);
    const told = el("span", {}, t("waiting"));
    fill(this.progress, el("span", { class: "spin", "aria-hidden": "true" }), told, button(t("cancel"), () => this.solve?.cancel()));
    const solve = new Solve("/api/jobs", this.asked, (job) => {
      const parts = [t(job.state === "waiting" ? "waiting" : "thinking", { seconds: Math.floor(job.seconds) })];
      if (job.stage) parts.push(job.stage);
      if (job.found !== null) parts.push(t("soFar", { value: job.found }));
      told.textContent = parts.join(" · ");
    });
    this.solve = solve;
    try {
      const job = await solve.run();
      if (this.solve !== solve) return;
      fill(this.progress);
      this.show(job);
    } catch (error) {
      fill(this.progress);
      fill(this.answer, refused(error));
    }
  }

  /** Show how a question ended. */
  show(job) {
    if (job.state === "done") return this.showAnswer(job.answer);
    const why = job.message || t(`state_${job.state}`);
    const best = job.found === null ? null : el("p", {}, t("soFarOnly", { value: job.found }));
    fill(this.answer, el("p", { class: "bad", role: "alert" }, why), best);
    return undefined;
  }

  showAnswer(answer) {
    const [head] = answer.text;
    fill(
      this.answer,
      el("h3", { class: answer.status === "optimal" ? "good" : "bound" }, head),
      answer.limits.map((one) => el("p", {}, one)),
      this.firstMoves(answer.moves.length ? answer.moves : answer.guess.map((notation) => ({ notation }))),
      answer.steps.length ? new Steps(t("line"), answer.steps, this.preview, (one) => this.session.set(one)).root : null,
      el("p", { class: "faint" }, t("answeredBy", { engine: answer.engine, seconds: answer.seconds.toFixed(2) })),
      el("ul", { class: "faint" }, answer.confirmed.map((one) => el("li", {}, one))),
    );
    this.say(head);
  }

  /** Return moves to be shown and played, each with its value if that is known. */
  firstMoves(moves) {
    const show = (move) => this.preview.show(this.session.position, move.notation);
    return el(
      "ol",
      { class: "moves" },
      moves.map((move) =>
        el(
          "li",
          {},
          el("button", { type: "button", class: "turn", on: { click: () => show(move) } },
            el("span", {}, move.notation),
            move.value === undefined ? null : el("span", { class: "gain" }, move.exact && move.exact !== String(move.value) ? `${move.value} (${move.exact})` : String(move.value))),
          button(t("playTurn"), () => this.play(move.notation), { class: "quiet" }),
          move.scores ? events(move.scores) : null,
        ),
      ),
    );
  }
}
