// Training with the shipped puzzles: choose one, answer on the board, be told what was lost.

import { get, Solve } from "./api.js";
import { button, choice, el, field, fill } from "./dom.js";
import { Mover } from "./mover.js";
import { forget, progress, remember } from "./progress.js";
import { Preview, Steps } from "./steps.js";
import { t } from "./texts.js";
import { findings, refused } from "./told.js";

const ANY = "";

export class Trainer {
  constructor(session, { board, say, strip, show }) {
    this.session = session;
    this.board = board;
    this.say = say;
    this.strip = strip;
    this.show = show;
    this.filters = { theme: ANY, difficulty: ANY, game: ANY, question: ANY };
    this.puzzle = null;
    this.wanted = null; // id of a puzzle that is on its way
    this.hints = [];
    this.preview = new Preview(board, strip);
    this.mover = new Mover(session, board, {
      verb: t("thisMove"),
      done: (turn) => this.attempt(turn.notation),
      say,
      silent: true,
    });
    this.list = el("section", { class: "puzzles" });
    this.task = el("section", {});
    this.feedback = el("section", { class: "feedback", "aria-live": "polite" });
    this.help = el("section", {});
    this.form = el("section", {});
    this.parts = [
      ["puzzle", el("div", {}, this.feedback, this.mover.place, this.form, this.help)],
      ["puzzles", this.list],
    ];
    this.head = el("div", {});
    this.foot = el("div", {}, this.mover.action);
  }

  get handler() {
    return this.mover.handler;
  }

  get rest() {
    return this.puzzle?.id ?? "";
  }

  async enter(id) {
    this.puzzles ??= (await get("/api/puzzles")).puzzles;
    this.drawList();
    if (id) await this.choose(id);
    else if (!this.puzzle) await this.next();
  }

  aside() {
    this.solve?.cancel();
    this.preview.stop();
  }

  /** Show the position of the puzzle as it is. */
  async refresh() {
    this.preview.stop();
    this.drawTask();
    fill(this.head, this.task, this.strip.root, this.puzzle?.by_move ? this.mover.hand : null);
    fill(this.mover.place);
    fill(this.form, this.puzzle ? this.answerForm() : null);
    if (this.puzzle?.by_move) await this.mover.refresh();
    else if (this.puzzle?.move) await this.preview.show(this.puzzle.position, this.puzzle.move);
    else this.board.mark({});
  }

  get fitting() {
    const { theme, difficulty, game, question } = this.filters;
    return this.puzzles.filter((one) =>
      (!theme || one.themes.includes(theme)) &&
      (!difficulty || String(one.difficulty) === difficulty) &&
      (!game || one.game === game) &&
      (!question || one.question === question),
    );
  }

  drawList() {
    const known = progress();
    const all = (read) => [...new Set(this.puzzles.flatMap(read))].filter((one) => one !== null).sort();
    const values = {
      theme: all((one) => one.themes),
      difficulty: all((one) => [one.difficulty]).map(String),
      game: all((one) => [one.game]),
      question: all((one) => [one.question]),
    };
    const filter = (key) =>
      values[key].length
        ? field(t(`filter_${key}`), choice([[ANY, t("any")], ...values[key].map((one) => [one, one.replaceAll("-", " ")])], this.filters[key], (value) => {
            this.filters[key] = value;
            this.drawList();
          }))
        : null;
    const { fitting } = this;
    const solved = this.puzzles.filter((one) => known[one.id] === "solved").length;
    const mark = { solved: ["✓", t("solved")], seen: ["·", t("seen")] };
    fill(
      this.list,
      el("h2", {}, t("puzzles")),
      el("div", { class: "fields narrow" }, ["theme", "difficulty", "game", "question"].map(filter)),
      el("p", { class: "faint" }, t("solvedOf", { solved, all: this.puzzles.length })),
      fitting.length ? null : el("p", {}, t("noPuzzle")),
      el("ul", { class: "choices" }, fitting.map((one) => {
        const [sign, words] = mark[known[one.id]] ?? ["", ""];
        const level = one.difficulty === null ? "" : "★".repeat(one.difficulty);
        return el("li", {}, el("button", {
          type: "button",
          class: "turn",
          "aria-current": one.id === this.puzzle?.id ? "true" : null,
          on: { click: () => this.choose(one.id) },
        },
        el("span", {}, one.title, el("small", {}, ` ${one.game}`)),
        el("span", { class: "gain" },
          level ? el("span", { "aria-label": t("difficultyOf", { level: one.difficulty }), role: "img" }, level) : null,
          sign ? el("span", { class: "good", "aria-label": words, role: "img" }, ` ${sign}`) : null)));
      })),
      el("div", { class: "bar" },
        button(t("nextPuzzle"), () => this.next()),
        solved ? button(t("forgetProgress"), () => { forget(); this.drawList(); }, { class: "quiet" }) : null),
    );
  }

  /** Go to the first puzzle after this one that is not solved. */
  async next() {
    const known = progress();
    const { fitting } = this;
    const at = fitting.findIndex((one) => one.id === this.puzzle?.id);
    const round = [...fitting.slice(at + 1), ...fitting.slice(0, at + 1)];
    const chosen = round.find((one) => known[one.id] !== "solved") ?? round[0];
    if (chosen) await this.choose(chosen.id);
  }

  /** Put a puzzle on the board; one that is on its way is not asked for twice. */
  async choose(id) {
    if (this.wanted === id || this.puzzle?.id === id) return;
    this.wanted = id;
    this.show("puzzle");
    this.solve?.cancel();
    try {
      const puzzle = await get(`/api/puzzles/${encodeURIComponent(id)}`);
      if (this.wanted !== id) return;
      const arrived = () => {
        this.puzzle = puzzle;
        this.hints = [];
        this.solution = null;
        fill(this.feedback);
      };
      await this.session.set(puzzle.position, { beginning: true, arrived });
    } finally {
      if (this.wanted === id) this.wanted = null;
    }
    this.drawList();
    this.drawHelp();
  }

  drawTask() {
    const { puzzle } = this;
    if (!puzzle) return;
    fill(
      this.task,
      el("h2", {}, puzzle.title),
      el("p", { class: "asked" }, puzzle.words),
    );
  }

  /** Buttons for yes or no; otherwise a line to write the answer in. */
  answerForm() {
    const { puzzle } = this;
    if (puzzle.question === "legal") {
      return el("div", { class: "bar" },
        button(t("isLegalShort"), () => this.attempt("yes"), { class: "main" }),
        button(t("isIllegalShort"), () => this.attempt("no"), { class: "main" }));
    }
    const text = el("input", { type: "text", spellcheck: false, autocomplete: "off" });
    const submit = (event) => {
      event.preventDefault();
      if (text.value.trim()) this.attempt(text.value);
    };
    return el("form", { class: "row-form", on: { submit } },
      field(t("answerWith", { form: puzzle.form }), text),
      el("button", { type: "submit" }, t("answer")));
  }

  async attempt(answer) {
    this.solve?.cancel();
    this.preview.stop();
    const { puzzle } = this;
    fill(this.feedback, el("div", { class: "progress" }, el("span", { class: "spin", "aria-hidden": "true" }), t("judging")));
    const solve = new Solve("/api/attempts", { puzzle: puzzle.id, answer }, () => {});
    this.solve = solve;
    try {
      const job = await solve.run();
      if (this.solve !== solve || puzzle !== this.puzzle) return;
      if (job.state === "done") this.told(job.answer);
      else fill(this.feedback, el("p", { class: "bad", role: "alert" }, job.message || t(`state_${job.state}`)));
    } catch (error) {
      fill(this.feedback, refused(error));
    }
  }

  /** Say what there is to say to an attempt. */
  told(said) {
    const { steps } = said;
    fill(
      this.feedback,
      el("p", { class: said.right ? "good verdict" : "bad verdict" }, `${said.right ? "✓" : "✗"} ${said.told}`),
      said.lost && said.lost !== "0" ? el("p", {}, t("lost", { value: said.lost })) : null,
      said.violations.length ? findings(said.violations) : null,
      steps.length ? new Steps(t(steps.length > 1 ? "refutation" : "yourMove"), steps, this.preview).root : null,
      el("div", { class: "bar" },
        said.right ? button(t("nextPuzzle"), () => this.next(), { class: "main" }) : button(t("tryAgain"), () => this.again())),
    );
    if (said.right) {
      remember(this.puzzle.id, "solved");
      this.drawList();
      this.showSolution();
    }
    this.say(said.told);
  }

  again() {
    fill(this.feedback);
    this.session.dispatchEvent(new Event("change"));
  }

  drawHelp() {
    const { puzzle, hints, solution } = this;
    fill(
      this.help,
      el("div", { class: "bar" },
        button(t("hint", { given: hints.length, all: puzzle.hints }), () => this.hint(), { disabled: hints.length >= puzzle.hints }),
        button(t("showSolution"), () => this.giveUp(), { disabled: Boolean(solution) })),
      hints.length ? el("ol", { class: "hints", "aria-live": "polite" }, hints.map((one) => el("li", {}, one))) : null,
      solution ? this.solved(solution) : null,
    );
  }

  async hint() {
    const { hint } = await get(`/api/puzzles/${encodeURIComponent(this.puzzle.id)}/hints/${this.hints.length}`);
    this.hints.push(hint);
    this.drawHelp();
  }

  async giveUp() {
    remember(this.puzzle.id, "seen");
    this.drawList();
    await this.showSolution();
  }

  async showSolution() {
    this.solution = await get(`/api/puzzles/${encodeURIComponent(this.puzzle.id)}/solution`);
    this.drawHelp();
  }

  solved(solution) {
    const show = (move) => this.preview.show(this.puzzle.position, move);
    const facts = [
      solution.value === null ? null : t("solutionValue", { value: solution.value }),
      solution.legal === null ? null : t(solution.legal ? "isLegalShort" : "isIllegalShort"),
      solution.points.length ? solution.points.join(", ") : null,
      solution.breaks.length ? solution.breaks.join(", ") : null,
    ].filter(Boolean);
    return el(
      "div",
      { class: "solution" },
      el("h3", {}, t("solution")),
      facts.length ? el("p", {}, facts.join("; ")) : null,
      el("ul", {}, solution.moves.map((move) => el("li", {}, button(move, () => show(move), { class: "link" })))),
      solution.line.length ? el("p", { class: "faint" }, `${t("line")}: ${solution.line.join("; ")}`) : null,
      el("p", {}, solution.explanation),
      solution.refutations.length
        ? el("ul", {}, solution.refutations.map((one) => el("li", {}, t("notThis", one), one.why ? ` ${one.why}` : "")))
        : null,
      solution.rules.length
        ? el("ul", { class: "faint" }, solution.rules.map((one) => el("li", {}, el("code", {}, one.id), ` ${one.text}`)))
        : null,
      solution.provenance ? el("p", { class: "faint" }, solution.provenance) : null,
    );
  }
}
