// Training: a puzzle on the board, an answer judged at once, the refutation or best play shown.

import { get, Solve } from "./api.js";
import { button, colourOf, copied, el, field, fill } from "./dom.js";
import { readMove } from "./lines.js";
import { Mover } from "./mover.js";
import { pawn, turnedSpot } from "./pawns.js";
import { Progress } from "./progress.js";
import { Shelf, SHIPPED } from "./shelf.js";
import { card, passOn, savePicture } from "./snapshots.js";
import { drop, keep, kept } from "./store.js";
import { Preview, Steps } from "./steps.js";
import { capital, t } from "./texts.js";
import { ToCome } from "./tocome.js";
import { findings, prose, refused, ruleSign, told, working } from "./told.js";
import { daily, daysInARow, keyOf, learn, nextOf, today, training } from "./training.js";

const DAILY = "daily";
const TELLING = ["legal", "scores", "final", "complete"]; // questions whose wrong answers tell the right one
const TRYING = "trying"; // the name under which a puzzle of several moves is kept while it is tried

export class Trainer {
  /**
   * @param {Session} session
   * @param {object} common what every view gets, and, if not as usual, `home`, the set that it
   *   begins with, and `recorded`, whether no server judges what nobody thought of before
   */
  constructor(session, { board, say, strip, show, home = SHIPPED, recorded = false }) {
    this.session = session;
    this.home = home;
    this.board = board;
    this.say = say;
    this.strip = strip;
    this.show = show;
    this.puzzle = null;
    this.wanted = null; // the puzzle that is on its way
    this.day = null; // of the daily puzzle at hand
    this.played = []; // moves of best play since the beginning of the puzzle
    this.hints = [];
    this.solution = null;
    this.preview = new Preview(board, strip);
    this.mover = new Mover(session, board, {
      verb: t("thisMove"),
      done: (turn) => this.attempt(turn.notation),
      say,
      silent: true,
      recorded,
      chosen: () => this.back(),
      strip,
    });
    this.come = new ToCome(session, board);
    this.shelf = new Shelf((set, id) => this.choose(set, id), home, { alone: recorded });
    this.progress = new Progress(() => this.drawLists());
    this.task = el("section", { class: "task" });
    this.feedback = el("section", { class: "feedback", "aria-live": "polite" });
    this.form = el("section", {});
    this.help = el("section", {});
    this.typed = el("section", {}); // the answer in writing where it is a move on the board
    this.parts = [
      ["puzzle", el("div", {}, this.feedback, this.mover.place, this.form, this.help, this.typed)],
      ["tiles", this.come.root],
      ["puzzles", this.shelf.root],
      ["progress", this.progress.root],
    ];
    this.head = el("div", {});
    this.action = el("div", { class: "action" });
    this.foot = el("div", {}, this.mover.action, this.action);
  }

  get handler() {
    return this.mover.handler;
  }

  get rest() {
    if (this.day) return DAILY;
    return this.puzzle ? `${this.shelf.set.id}/${this.puzzle.id}` : "";
  }

  async enter(rest) {
    if (!rest && this.puzzle) return;
    const [set, id = ""] = rest === DAILY ? [this.home, ""] : rest.split("/");
    if (rest === DAILY && this.day) return;
    await this.choose(set || this.home, id, rest === DAILY ? today() : null);
  }

  aside() {
    this.solve?.cancel();
    this.preview.stop();
  }

  shown(part) {
    if (part !== "puzzle") this.drawLists();
  }

  drawLists() {
    if (this.shelf.set) this.shelf.draw(this.puzzle?.id);
    this.progress.draw();
  }

  /** Show the position of the puzzle as it is. */
  async refresh() {
    this.preview.stop();
    const { puzzle } = this;
    if (!puzzle) return;
    this.drawTask();
    this.come.draw();
    fill(this.head, this.task, this.strip.root, puzzle.by_move ? this.mover.hand : null);
    fill(this.mover.place);
    fill(this.mover.action);
    fill(this.form, puzzle.form && !puzzle.by_move ? this.answerForm() : null);
    fill(this.typed, puzzle.form && puzzle.by_move
      ? el("details", {}, el("summary", {}, t("orAnswer")), this.answerForm()) : null);
    if (puzzle.by_move) await this.mover.refresh();
    else {
      const asked = readMove(puzzle.move ?? "");
      if (asked) this.board.attend([asked.cell]);
      if (puzzle.move) await this.preview.show(puzzle.position, puzzle.move);
      else this.board.mark({});
    }
  }

  /** Leave what was shown, for the position at hand. */
  async back() {
    if (!this.preview.shown) return;
    this.preview.stop();
    this.steps?.stop();
    this.board.show(this.session.view.svg, this.session.view.title);
    this.strip.draw(this.session.view);
    this.board.values();
    this.mover.mark();
  }

  /** Put a puzzle on the board; one that is on its way is not asked for twice. */
  async choose(set, id = "", day = null) {
    const wanted = `${set}/${id}/${day}`;
    if (this.wanted === wanted) return;
    this.wanted = wanted;
    this.solve?.cancel();
    try {
      await this.shelf.take(set);
      const { puzzles } = this.shelf.set;
      const head = day ? daily(puzzles, day) : id ? this.shelf.head(id) : nextOf(this.shelf.home, puzzles, id);
      const puzzle = head && await get(`/api/sets/${encodeURIComponent(this.shelf.set.id)}/${encodeURIComponent(head.id)}`)
        .catch((error) => { if (error.status === 404) return null; throw error; });
      if (this.wanted !== wanted) return;
      if (!puzzle) {
        if (!this.puzzle) this.board.empty();
        this.show("puzzles");
        this.say(t("noSuchPuzzleHere", { id }));
        return;
      }
      const begin = (position, played) => this.session.set(position, {
        beginning: true,
        arrived: () => {
          this.puzzle = puzzle;
          this.day = day;
          this.strip.forget();
          this.fresh();
          this.played = played;
        },
      });
      this.board.camera.whole();
      const work = this.puzzle ? null : kept(TRYING); // of before a reload
      const mine = work?.key === keyOf(this.shelf.set.id, puzzle.id);
      if (!mine) drop(TRYING);
      const resumed = mine && await begin(work.position, work.played).then(() => true, () => false);
      if (!resumed) await begin(puzzle.position, []);
      this.drawHelp();
      this.show("puzzle");
    } finally {
      if (this.wanted === wanted) this.wanted = null;
    }
  }

  /** Forget what was tried of the puzzle. */
  fresh() {
    this.played = [];
    this.hints = [];
    this.solution = null;
    this.steps = null;
    this.mover.last = null;
    fill(this.feedback);
    this.drawAction();
  }

  next() {
    return this.choose(this.shelf.set.id, nextOf(this.shelf.home, this.shelf.fitting.length ? this.shelf.fitting : this.shelf.set.puzzles, this.puzzle?.id).id);
  }

  drawTask() {
    const { puzzle } = this;
    const level = puzzle.difficulty;
    fill(
      this.task,
      el("h2", {}, puzzle.title, " ",
        level === null ? null : el("small", { class: "faint", role: "img", "aria-label": t("difficultyOf", { level }) }, "★".repeat(level)),
        this.day ? el("small", { class: "faint" }, ` ${t("puzzleOf", { day: this.day })}`) : null),
      el("p", { class: "asked" }, this.played.length ? t("goOn", { player: capital(this.session.view.to_move) }) : prose(puzzle.words)),
      el("p", { class: "faint" }, puzzle.rules),
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
    const { puzzle } = this;
    const asked = { set: this.shelf.set.id, puzzle: puzzle.id, answer, played: this.played };
    const doing = working(t("judging"));
    fill(this.feedback, doing.root);
    const stays = () => this.solve === solve && puzzle === this.puzzle;
    let rated; // of a verdict that is known before the search for what the move loses has ended
    const solve = new Solve("/api/attempts", asked, ({ parts: [known], stage }) => {
      if (!stays()) return;
      if (known && rated === undefined) {
        rated = this.learned(known);
        this.judge(known, rated);
        this.feedback.append(doing.root);
      }
      doing.tell(stage, t(known ? "searchingLoss" : "judging"));
    });
    this.solve = solve;
    try {
      const job = await solve.run();
      if (!stays()) return;
      if (job.state === "done") await this.told(job.answer, rated);
      else {
        doing.root.replaceWith(el("p", { class: "bad", role: "alert" }, job.message || t(`state_${job.state}`)),
          button(t("askAgain"), () => this.attempt(answer)));
      }
    } catch (error) {
      if (stays()) doing.root.replaceWith(refused(error));
    }
  }

  /** Say what there is to say to an attempt. */
  async told(said, rated = this.learned(said)) {
    this.judge(said, rated);
    const { steps } = said;
    if (said.right && said.more) return this.goOn(said);
    if (steps.length) {
      const title = t(said.right ? "playedOut" : steps.length > 1 ? "refutation" : "yourMove");
      const shown = new Steps(title, steps, this.preview);
      this.steps?.stop();
      this.steps?.root.remove();
      this.steps = shown;
      this.feedback.append(shown.root);
      shown.play();
    } else if (said.reply) {
      const { player, move, says } = said.reply;
      this.feedback.append(el("p", {}, t("replies"), " ", told({ says, notation: move })));
      this.showReply(player, move);
    }
    if (said.right || this.tells) await this.showSolution();
    if (!said.right && this.tells) this.explain();
    return undefined;
  }

  /** Show what another player answers beside the tile on trial. */
  showReply(player, notation) {
    const { tile, cell, rotation, title, at } = readMove(notation) ?? {};
    const kind = tile && this.session.tiles.byId.get(tile);
    if (!kind) return;
    const segment = kind.segments.findIndex((one) => one.role === title && one.names[rotation] === at);
    this.board.ghost(cell, kind.svg, rotation, true);
    if (segment >= 0) {
      const spot = turnedSpot(kind.segments[segment].spot, rotation);
      this.board.stands([{ cell, spot, look: `follower ${colourOf(player)} picked`, art: pawn("follower", title) }], true);
    }
    this.board.mark({ chosen: [this.mover.cell], last: [cell] });
    this.board.attend([this.mover.cell, cell]);
  }

  /** Whether a wrong answer tells the right one: of two, or of a number, the rest is no puzzle. */
  get tells() {
    return TELLING.includes(this.puzzle.question);
  }

  /** Show on the board why the answer is another one: broken rules, or what the turn scores. */
  explain() {
    const { violations, legal } = this.solution;
    if (legal === false) this.board.mark({ wrong: violations.flatMap((one) => one.cells) });
    else this.solving?.play();
  }

  /** Learn of a verdict; return how the ratings changed, null if they did not. */
  learned(said) {
    if (said.more) return null;
    return learn(keyOf(this.shelf.home, this.puzzle.id), this.puzzle, said.right ? "solved" : "missed", this.day);
  }

  /** Show a verdict, and how the ratings changed. */
  judge(said, rated) {
    const ended = !said.more;
    const lost = said.lost && !["0", "-0"].includes(said.lost) ? t("lost", { value: said.lost }) : null;
    fill(
      this.feedback,
      el("p", { class: said.right ? "good verdict" : "bad verdict" }, said.right ? "✓ " : "✗ ", prose(said.told)),
      lost ? el("p", {}, lost) : null,
      rated && el("p", { class: "faint" }, t(rated.provisional ? "ratingProvisional" : "ratingChange", {
        change: `${rated.change < 0 ? "−" : "+"}${Math.round(Math.abs(rated.change))}`,
        rating: Math.round(rated.rating),
        puzzle: Math.round(rated.puzzle),
      })),
      said.violations.length ? findings(said.violations) : null,
    );
    if (said.violations.length) this.board.mark({ wrong: said.violations.flatMap((one) => one.cells) });
    fill(this.mover.action);
    fill(this.mover.place);
    if (ended) {
      if (said.right) drop(TRYING);
      fill(this.head, this.task, this.strip.root);
      fill(this.form);
      fill(this.typed);
    }
    if (ended) this.drawAction(said.right);
    this.feedback.closest("#body")?.scrollTo(0, 0);
    this.say(""); // the panel says it
  }

  /** Offer what can be done now; the next puzzle always. */
  drawAction(right = null) {
    const again = right === false && !this.tells;
    fill(
      this.action,
      el("span", { class: "what" }, right !== null && this.day ? button(t("shareResult"), () => this.share(right)) : null),
      button(t("nextPuzzle"), () => this.next(), { class: right === null || again ? "quiet" : "main" }),
      again ? button(t("tryAgain"), () => this.again(), { class: "main" }) : null,
    );
  }

  /** Pass on how the daily puzzle went, in words and a picture that tell nothing of its answer. */
  async share(right) {
    const { puzzle, day } = this;
    const { tries } = training().puzzles[keyOf(this.shelf.home, puzzle.id)];
    const stars = puzzle.difficulty === null ? "" : ` ${"★".repeat(puzzle.difficulty)}`;
    const how = right ? t(tries === 1 ? "solvedAtOnce" : "solvedAfter", { tries }) : t("notSolved");
    const text = t("resultOf", { day, title: puzzle.title, stars, how, run: daysInARow(training()) });
    const svg = await card(puzzle.position, `${puzzle.title}${stars}`, `Burgrave ${day}: ${how}`);
    const name = `burgrave-${day}`;
    if (await passOn(name, svg, text)) return;
    this.say(t(await copied(text) ? "resultCopied" : "copyResult", { text }));
    this.sharing ??= el("div", { class: "sharing" });
    fill(this.sharing, el("p", {}, text),
      el("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: text }),
      el("div", { class: "bar" }, button(t("resultPicture"), () => savePicture(name, svg, "png"))));
    this.feedback.append(this.sharing);
  }

  /** After a right move the opponent answers, and the solver is to move again. */
  async goOn({ steps }) {
    const replies = steps.slice(1);
    this.played = [...this.played, ...steps.map((one) => one.notation)];
    const { position } = steps.at(-1);
    keep(TRYING, { key: keyOf(this.shelf.set.id, this.puzzle.id), played: this.played, position });
    await this.session.set(position, { beginning: true });
    this.feedback.append(...replies.map((one) => el("p", {}, t("replies"), " ", told(one))));
    this.mover.last = replies.map((one) => readMove(one.notation)?.cell).filter(Boolean).at(-1) ?? null;
    await this.mover.ready;
    this.mover.mark();
  }

  again() {
    this.solve?.cancel();
    this.solve = null;
    fill(this.feedback);
    this.drawAction();
    this.steps?.stop();
    this.board.values();
    this.session.dispatchEvent(new Event("change"));
  }

  drawHelp() {
    const { puzzle, hints, solution } = this;
    fill(
      this.help,
      el("div", { class: "bar" },
        solution || hints.length >= puzzle.hints ? null : button(t("hint", { given: hints.length, all: puzzle.hints }), () => this.hint()),
        solution ? null : button(t("showSolution"), () => this.giveUp()),
        this.day ? null : button(t("dailyPuzzle"), () => this.choose(this.home, "", today()), { class: "quiet" })),
      hints.length ? el("ol", { class: "hints", "aria-live": "polite" }, hints.map((one) => el("li", {}, prose(one)))) : null,
      solution ? this.solved(solution) : null,
    );
  }

  get address() {
    return `/api/sets/${encodeURIComponent(this.shelf.set.id)}/${encodeURIComponent(this.puzzle.id)}`;
  }

  async hint() {
    const { hint } = await get(`${this.address}/hints/${this.hints.length}`);
    this.hints.push(hint);
    this.drawHelp();
  }

  async giveUp() {
    learn(keyOf(this.shelf.home, this.puzzle.id), this.puzzle, "seen");
    await this.showSolution();
  }

  async showSolution() {
    this.solution = await get(`${this.address}/solution`);
    this.drawHelp();
  }

  /** Explain the answer: in words, step by step on the board, and what is wrong with other moves. */
  solved(solution) {
    const { position } = this.puzzle;
    const turns = el("ol", { class: "line" }); // of the refutation on the board, numbered as there
    const refute = (event, { line }) => {
      this.steps?.stop();
      steps?.stop();
      fill(turns, line.map((one) => el("li", {}, told(one))));
      event.target.closest("li").append(turns);
      this.preview.show(position, ...line.map((one) => one.notation));
    };
    const facts = [
      solution.value === null ? null : t("solutionValue", { value: solution.value }),
      solution.legal === null ? null : t(solution.legal ? "isLegalShort" : "isIllegalShort"),
      solution.points.length ? solution.points.join(", ") : null,
      solution.cell || null,
    ].filter(Boolean);
    const steps = solution.steps.length ? new Steps(t("stepByStep"), solution.steps, this.preview) : null;
    this.solving = steps;
    const [notice, ...lesson] = solution.explanation.split("\n");
    return el(
      "div",
      { class: "solution" },
      el("h3", {}, t("solution"), facts.length ? `: ${facts.join("; ")}` : ""),
      el("p", {}, prose(notice)),
      steps?.root,
      lesson.map((one) => el("p", {}, prose(one))),
      solution.violations.length ? findings(solution.violations, { kind: solution.legal ? "allowed" : "wrong" }) : null,
      solution.refutations.length
        ? el("ul", {}, solution.refutations.map((one) => el("li", {},
            el("button", { type: "button", class: "link", on: { click: (event) => refute(event, one) } }, t("notThis", one), " ", told({ says: one.line[0].says, notation: one.move })), one.why ? prose(` ${one.why}`) : null)))
        : null,
      solution.rules.length
        ? el("details", {}, el("summary", {}, t("rulesOfIt", { count: solution.rules.length })), el("ul", { class: "faint" }, solution.rules.map((one) => el("li", {}, ruleSign(one.id), ` ${one.text}`))))
        : null,
      solution.provenance ? el("p", { class: "faint" }, solution.provenance) : null,
    );
  }
}
