// Reviewing a game: its turns on the board, the lead as a graph, mistakes and what was better.

import { get, post, Solve } from "./api.js";
import { button, el, field, fill, steady } from "./dom.js";
import { graph, turnAt } from "./graph.js";
import { readMove } from "./lines.js";
import { passLink, toSite } from "./links.js";
import { address } from "./router.js";
import { keep, kept } from "./store.js";
import { Walk } from "./walk.js";
import { Preview } from "./steps.js";
import { capital, t } from "./texts.js";
import { ending, events, refused, told, working } from "./told.js";

const PLAYOUTS = 500; // games for each turn that is not proved
const SURE = 1; // points of lead whose proved loss makes a mistake, marked or not

export class Review {
  /**
   * @param {Session} session holds the position after the turn that is shown
   * @param {Session} table where a position is asked about
   */
  constructor(session, table, { board, say, strip, show, go, puzzles }) {
    this.session = session;
    this.table = table;
    this.board = board;
    this.say = say;
    this.strip = strip;
    this.show = show;
    this.go = go;
    this.puzzles = puzzles;
    this.preview = new Preview(board, strip);
    this.waiting = null; // a record that is opened when the view is entered
    this.game = null; // title, players and turns with their positions
    this.text = "";
    this.reviewed = [];
    this.at = 0; // turns that were played
    this.walk = new Walk(session, board, this.preview, { say, ended: () => this.step(this.at) });
    this.chart = el("div", { class: "chart" });
    this.list = el("section", {});
    this.harvesting = el("div", { "aria-live": "polite" });
    this.turn = el("section", { "aria-live": "polite" });
    this.opener = el("section", { class: "part" });
    this.parts = [
      ["turn", this.turn],
      ["moves", this.list],
      ["open", this.opener],
    ];
    this.head = el("div", {});
    this.foot = el("div", { class: "action" });
    this.handler = {
      key: (event) => (this.walk.mistake ? this.walk.mover.handler.key(event) : this.key(event)),
      activate: (...cell) => this.walk.mistake && this.walk.mover.handler.activate(...cell),
      point: (cell) => this.walk.mistake && this.walk.mover.handler.point(cell),
      turn: (steps) => this.walk.mistake && this.walk.mover.handler.turn(steps),
    };
    this.drawOpener();
  }

  get rest() {
    return this.game ? String(this.at) : "";
  }

  async enter(rest) {
    if (!this.game) {
      const work = this.waiting ?? kept("review");
      this.waiting = null;
      if (work) {
        await this.open(work.text, work.reviewed, Number(rest) || 0);
        if (work.asked && this.game) this.ask();
      } else {
        this.board.empty();
        this.show("open");
      }
    } else if (rest && Number(rest) !== this.at) await this.step(Number(rest));
  }

  aside() {
    this.stop();
    this.walk.stop();
    this.preview.stop();
  }

  /** Let a record be opened, and reviewed if that is asked, as soon as the view is entered. */
  await(text, asked) {
    this.game = null;
    this.waiting = { text, reviewed: [], asked };
    keep("review", { text, reviewed: [] });
  }

  /** Open a record, with the turns of its review as far as they are known. */
  begin(text, reviewed = []) {
    keep("review", { text, reviewed });
    return this.open(text, reviewed);
  }

  /** Open a record and go to a turn of it. */
  async open(text, reviewed = [], at = 0) {
    this.stop();
    try {
      this.game = await post("/api/record", { text });
      this.text = text;
      // Turns that an older page kept have no gain; they are reviewed anew.
      this.reviewed = reviewed.every((one) => "gain" in one) ? reviewed : [];
      fill(this.said);
      await this.step(at);
      this.show("turn");
    } catch (error) {
      fill(this.said, refused(error));
      this.show("open");
    }
  }

  /** Put the position after so many turns on the board. */
  async step(at) {
    this.walk.leave();
    this.at = Math.min(this.game.turns.length, Math.max(0, at));
    await this.session.set(this.after(this.at), { beginning: true });
  }

  /** Return the position after so many turns. */
  after(at) {
    const { turns } = this.game;
    return at ? turns[at - 1].position : turns[0].before;
  }

  /** Show the position after so many turns while the slider moves; what is passed over is left out. */
  async slide(at) {
    const busy = this.sliding !== undefined;
    this.sliding = at;
    if (busy) return;
    for (let shown; shown !== this.sliding;) {
      shown = this.sliding;
      await this.preview.show(this.after(shown));
    }
    this.sliding = undefined;
  }

  /** Take the position over to a view where it can be asked about, played on or changed. */
  async take(view) {
    const title = t("afterTurn", { title: this.game.title || t("aGame"), number: this.at });
    await this.table.set({ ...this.session.position, title });
    location.hash = address(view);
  }

  taking() {
    return el("div", { class: "bar" },
      button(t("askPosition"), () => this.take("play")), button(t("editPosition"), () => this.take("edit")),
      toSite() ? button(t("shareGame"), () => this.share()) : null);
  }

  /** Pass on a link to a published copy, which shows the game turn by turn. */
  async share() {
    try {
      const { url } = await post("/api/links/record", { text: this.text });
      await passLink(url, this.game.title || t("aGame"), this.say, "gameCopied");
    } catch (error) {
      this.turn.append(refused(error));
    }
  }

  key(event) {
    const step = { n: 1, p: -1 }[event.key];
    if (step && this.game) this.step(this.at + step);
    return Boolean(step);
  }

  async refresh() {
    if (!this.game) return;
    this.preview.stop();
    if (this.walk.mistake) {
      this.draw();
      await this.walk.refresh();
      return;
    }
    const laid = this.at && readMove(this.game.turns[this.at - 1].notation);
    this.board.ghost(null);
    this.board.mark({ last: laid ? [laid.cell] : [] });
    this.draw();
  }

  draw() {
    const { turns, players } = this.game;
    fill(this.chart, graph(players, turns.length, this.reviewed, this.at));
    this.chart.onclick = (event) => this.step(turnAt(event, this.chart, turns.length));
    fill(this.head, this.strip.root, this.walk.mistake ? this.walk.mover.hand : this.reviewed.length ? this.chart : null);
    steady(this.foot, () => this.drawFoot());
    this.drawTurn();
    const said = new Map(this.reviewed.map((one) => [one.number, one]));
    fill(
      this.list,
      this.harvesting,
      this.reviewed.length ? this.summary() : null,
      this.mistakes.length ? el("div", { class: "bar" },
        button(t("walkMistakes"), () => this.walkOn(), { class: "main" }),
        button(t("makePuzzles"), () => this.harvest())) : null,
      el("ol", { class: "moves" }, turns.map((turn, index) => el("li", {}, el("button", {
        type: "button",
        class: "turn",
        "aria-current": index + 1 === this.at ? "true" : null,
        on: { click: () => this.step(index + 1) },
      },
      el("span", {}, `${index + 1}. `, told(turn)),
      el("span", { class: "gain" }, said.get(index + 1)?.mark ?? ""))))),
    );
  }

  drawFoot() {
    if (this.walk.mistake) {
      fill(this.foot, this.walk.foot);
      return;
    }
    const { turns } = this.game;
    const go = (at, sign, key) =>
      button(sign, () => this.step(at), { class: "icon", "aria-label": t(key), disabled: at < 0 || at > turns.length });
    const done = this.reviewed.length === turns.length;
    fill(
      this.foot,
      go(this.at - 1, "◀", "stepBack"),
      el("input", {
        type: "range", min: 0, max: turns.length, value: this.at, class: "slider",
        "aria-label": t("turnOf", { all: turns.length }), "aria-valuetext": `${this.at} / ${turns.length}`,
        on: {
          input: (event) => this.slide(Number(event.target.value)),
          change: (event) => this.step(Number(event.target.value)),
        },
      }),
      el("span", {}, `${this.at} / ${turns.length}`),
      go(this.at + 1, "▶", "stepOn"),
      el("div", { class: "progress", "aria-live": "polite" }, this.solve
        ? [el("span", { class: "spin", "aria-hidden": "true" }), t("reviewing", { done: this.reviewed.length, all: turns.length }), button(t("cancel"), () => this.stop())]
        : null),
      done || this.solve ? null : button(t(this.reviewed.length ? "reviewOn" : "reviewGame"), () => this.ask(), { class: "main" }),
    );
  }

  /** Tell of the turn just played what it brought and what it was worth. */
  drawTurn() {
    if (this.walk.mistake) {
      fill(this.turn, this.walk.root);
      return;
    }
    const { turns, title } = this.game;
    if (!this.at) {
      fill(this.turn, el("h2", {}, title || t("aGame")), el("p", {}, t("beforeFirst", { count: turns.length })), this.taking());
      return;
    }
    const turn = turns[this.at - 1];
    this.better = el("p", {});
    const said = this.reviewed.find((one) => one.number === this.at);
    const better = said && said.mark.startsWith("?");
    fill(
      this.turn,
      el("h3", {}, `${this.at}. `, told(turn), ` ${said?.mark ?? ""}`),
      events(turn.events),
      ending(this.session.view),
      said ? el("p", {}, t(said.proved ? "leadProved" : "leadGuessed", {
        player: capital(turn.player), before: lead(said.before), luck: lead(said.luck), gain: lead(said.gain), after: lead(said.after),
      })) : null,
      better ? el("p", { class: "bad" }, t(said.proved ? "itLost" : "itLostAbout", {
        loss: said.loss.toFixed(1), low: said.loss_low.toFixed(1), high: said.loss_high.toFixed(1),
      })) : null,
      better && said.missed.length ? el("p", {}, t("missedIdeas", { ideas: said.missed.join(", ").replaceAll("-", " ") })) : null,
      better ? button(t("tellBetter"), () => this.tellBetter(turn, said)) : null,
      better ? this.better : null,
      this.taking(),
    );
  }

  /** Show the better move on the board, and say it. */
  async tellBetter(turn, { best }) {
    const view = await this.preview.show(turn.before, best);
    if (view) fill(this.better, told({ says: view.says[0], notation: best }));
  }

  /** The turns that are marked as mistakes, or that surely lost a point. */
  get mistakes() {
    return this.reviewed.filter((one) => one.mark.startsWith("?") || (one.proved && one.loss >= SURE));
  }

  /** Ask for a better move in each marked turn. */
  async walkOn() {
    this.stop();
    const { turns } = this.game;
    this.show("turn");
    await this.walk.begin(this.mistakes.map((one) => ({ ...one, turn: turns[one.number - 1] })));
  }

  summary() {
    const { players } = this.game;
    return el("ul", {}, players.map((name, player) => {
      const mine = this.reviewed.filter((one) => one.player === player);
      const sum = (read) => mine.reduce((total, one) => total + read(one), 0);
      const marks = ["??", "?", "?!", "!"]
        .map((mark) => [mark, mine.filter((one) => one.mark === mark).length])
        .filter(([, count]) => count).map(([mark, count]) => t(`${count === 1 ? "one" : "several"}_${mark}`, { count }));
      const luck = sum((one) => one.luck);
      return el("li", {}, t("summaryOf", {
        player: capital(name),
        lost: sum((one) => one.loss).toFixed(1),
        luck: t(luck < 0 ? "luckCost" : "luckBrought", { points: Math.abs(luck).toFixed(1) }),
        marks: marks.length ? t("marked", { marks: marks.join(", ") }) : "",
      }));
    }));
  }

  stop() {
    this.solve?.cancel();
    this.solve = null;
    fill(this.harvesting);
    if (this.game) this.drawFoot();
  }

  /** Review the turns that are not yet; each is kept as soon as it is there. */
  async ask() {
    const known = [...this.reviewed];
    const solve = new Solve("/api/reviews", { text: this.text, playouts: PLAYOUTS, skip: known.length }, (job) => {
      if (this.solve !== solve || known.length + job.parts.length === this.reviewed.length) return;
      this.learn([...known, ...job.parts]);
    });
    this.solve = solve;
    this.drawFoot();
    let failed = null;
    try {
      const job = await solve.run();
      if (this.solve !== solve) return;
      this.learn([...known, ...job.parts]);
      if (job.state === "done" && this.board.handler === this.handler) this.show("moves");
      if (job.state !== "done") failed = el("p", { class: "bad", role: "alert" }, job.message || t(`state_${job.state}`));
    } catch (error) {
      failed = refused(error);
    }
    this.solve = null;
    this.draw();
    if (failed) this.turn.append(failed);
  }

  /** Make puzzles of the mistakes, for the trainer. */
  async harvest() {
    this.solve?.cancel();
    const doing = working(t("makingPuzzles"), button(t("cancel"), () => this.stop()));
    const solve = new Solve("/api/harvests", { text: this.text, turns: this.mistakes }, ({ stage }) => doing.tell(stage));
    this.solve = solve;
    fill(this.harvesting, doing.root);
    this.harvesting.scrollIntoView({ block: "nearest" });
    try {
      const job = await solve.run();
      if (this.solve !== solve) return;
      if (job.state !== "done") throw new Error(job.message || t(`state_${job.state}`));
      if (job.answer.puzzles) await this.puzzles(t("puzzlesOf", { title: this.game.title || t("aGame") }), job.answer.text);
      else fill(this.harvesting, el("p", {}, t("noPuzzleMade")));
    } catch (error) {
      fill(this.harvesting, refused(error));
    }
    this.solve = null;
    this.drawFoot();
  }

  learn(reviewed) {
    this.reviewed = reviewed;
    keep("review", { text: this.text, reviewed });
    this.draw();
  }

  /** Open the game that is there for the curious. */
  async sample() {
    const { text, reviewed } = await get("/api/sample");
    await this.begin(text, reviewed);
    if (this.game) this.show("moves");
  }

  drawOpener() {
    const text = el("textarea", { rows: 4, spellcheck: false });
    this.said = el("div", { "aria-live": "polite" });
    const file = el("input", {
      type: "file",
      accept: ".toml,.json,.jcz",
      on: {
        change: async (event) => {
          const [chosen] = event.target.files;
          if (chosen) await this.begin(await chosen.text());
          event.target.value = "";
        },
      },
    });
    fill(
      this.opener,
      el("h3", {}, t("openGame")),
      el("p", { class: "faint" }, t("aboutReview")),
      el("div", { class: "bar" }, button(t("sampleGame"), () => this.sample(), { class: "main" })),
      field(t("openRecord"), file),
      field(t("pasteRecord"), text),
      el("div", { class: "bar" }, button(t("readText"), () => this.begin(text.value))),
      this.said,
    );
  }
}

/** Return a lead with its sign. */
function lead(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
}
