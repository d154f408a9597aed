// Playing: lay tiles, look what is to come, judge moves, ask the solver.

import { post } from "./api.js";
import { Asking } from "./asking.js";
import { button, dot, download, el, fileName, fill } from "./dom.js";
import { Finale } from "./finale.js";
import { lastLaid } from "./lines.js";
import { Match } from "./match.js";
import { Mover } from "./mover.js";
import { Seats } from "./seats.js";
import { card, passOn, savePicture } from "./snapshots.js";
import { Preview } from "./steps.js";
import { capital, t } from "./texts.js";
import { ToCome } from "./tocome.js";
import { ending, events, findings, players, prose, refused, told } from "./told.js";
import { Typed } from "./typed.js";

const NOTED = 0.1; // seconds of thought that are told
const MOST_NEWS = 6; // turns that are told since a person played

export class Play {
  constructor(session, files, { board, say, strip, show, game }) {
    this.session = session;
    this.board = board;
    this.say = say;
    this.strip = strip;
    this.show = show;
    this.preview = new Preview(board, strip);
    const play = (notation) => this.play(notation);
    this.mover = new Mover(session, board, {
      verb: t("playTurn"),
      done: (turn) => play(turn.notation),
      say,
      chosen: () => this.chosen(),
      strip,
    });
    this.typed = new Typed(session, play);
    this.come = new ToCome(session, board, (tile) => this.take(tile));
    this.asking = new Asking(session, board, this.preview, { say, play, tile: () => this.tile, back: () => this.leave() });
    this.played = el("section", { class: "played", "aria-live": "polite" });
    this.state = el("section", { class: "state" });
    this.files = files;
    this.review = game;
    this.match = new Match(session);
    this.match.addEventListener("replied", ({ detail }) => this.tell(detail));
    this.seats = new Seats(this.match, () => show("turn"));
    this.finale = new Finale(board, strip, () => this.ends());
    this.fresh = el("section", { class: "begin" });
    this.trying = null; // a move that is to be put on trial
    this.news = []; // turns since a person played
    this.sent = null; // the move that is on its way
    const turn = el("div", {}, this.finale.root, this.match.root, this.mover.place, this.fresh, this.played, this.typed.root);
    this.parts = [
      ["turn", turn],
      ["game", this.seats.root],
      ["ask", this.asking.root],
      ["tiles", this.come.root],
      ["table", this.state],
      ["file", files.root],
    ];
    this.hand = el("div", {}, this.mover.hand);
    this.head = el("div", {});
    this.foot = el("div", {}, this.mover.action);
  }

  get handler() {
    return this.mover.handler;
  }

  get rest() {
    return this.session.line ?? "";
  }

  /** How many steps an undo takes. */
  get back() {
    return this.match.going ? this.match.back : 1;
  }

  /** The tile in hand if it is one of several that may be drawn. */
  get tile() {
    return this.mover.places?.tiles?.length > 1 ? this.mover.tile : null;
  }

  /** Put a tile into the hand that may be drawn. */
  async take(tile) {
    if (!this.mover.places?.tiles.includes(tile)) {
      this.say(t("cannotBeDrawn", { tile }));
      return;
    }
    await this.leave();
    await this.mover.refresh(tile);
  }

  async enter(line) {
    if (line) await this.session.visit(line);
  }

  aside() {
    this.asking.stop();
    this.match.refresh();
    this.finale.stop();
    this.preview.stop();
  }

  shown(part) {
    fill(this.foot, part === "ask" ? this.asking.action : this.mover.action);
    if (part === "file") this.files.open();
    if (part === "game") this.seats.open();
  }

  /** Show the position as it is now. */
  async refresh() {
    const { view, position } = this.session;
    fill(this.head, this.strip.root, this.mover.hand);
    this.preview.stop();
    this.asking.forget();
    this.match.refresh();
    this.seats.drawGoing();
    fill(
      this.state,
      el("h2", {}, view.title || view.game || t("position")),
      ending(view),
      view.players ? players(view) : null,
      view.features ? this.features(view) : null,
      (view.about ?? []).map((one) => el("p", { class: "faint" }, one)),
    );
    this.come.draw();
    this.mover.last = lastLaid(this.session);
    if (position !== this.reached && position !== this.match.reached) {
      this.news = [];
      fill(this.played);
    }
    fill(this.fresh, this.match.going || view.problems.length ? null : button(t("beginOne"), () => this.show("game"), { class: "main" }));
    this.finale.stop();
    await this.mover.refresh();
    if (position !== this.session.position) return;
    this.finale.show(view);
    if (this.trying) await this.mover.put(this.trying);
    this.trying = null;
  }

  /** Return what can be done once the game is over. */
  ends() {
    const picture = button(t("resultPicture"), () => this.picture());
    if (!this.match.going) return [button(t("newGame"), () => this.show("game"), { class: "main" }), picture];
    return [
      button(t("reviewThis"), async () => this.review(await this.match.record(), true), { class: "main" }),
      button(t("rematch"), () => this.match.rematch()),
      button(t("saveRecord"), () => this.save()),
      picture,
      button(t("newGame"), () => this.show("game")),
    ];
  }

  async save() {
    download(`${fileName(this.session.position.title || "game")}.toml`, await this.match.record());
  }

  /** Pass on how the game ended as a picture: the scores above the board. */
  async picture() {
    const { position, view } = this.session;
    const scores = Object.entries(view.final.scores).map(([name, score]) => `${capital(name)} ${score}`).join(" · ");
    const name = `${fileName(position.title || "game")}-result`;
    const svg = await card(position, scores, `Burgrave: ${view.title || view.game}`);
    if (!await passOn(name, svg, scores)) await savePicture(name, svg, "png");
  }

  /** Tell what a turn brought, after those since a person played. */
  tell(turn) {
    this.news = [...this.news, turn].slice(-MOST_NEWS);
    fill(this.played, this.news.map((one) => [
      el("h3", { class: "said" }, dot(one.player), " ", told(one)),
      one.seconds >= NOTED ? el("small", { class: "faint" }, t("thought", { seconds: one.seconds.toFixed(1) })) : null,
      one.events.length ? events(one.events) : null,
    ]).flat());
  }

  /** Leave what was shown of an answer, for the position at hand. */
  async leave() {
    if (!this.preview.shown) return;
    this.preview.stop();
    this.board.show(this.session.view.svg, t("boardOf", { title: this.session.view.title || this.session.view.game }));
    this.strip.draw(this.session.view);
    this.mover.mark();
  }

  async chosen() {
    await this.leave();
    this.board.values();
    this.show("turn");
  }

  features(view) {
    const light = (one) => this.board.mark({ chosen: one.cells });
    return el(
      "details",
      {},
      el("summary", {}, t("features", { count: view.features.length })),
      el("ul", { class: "features" }, view.features.map((one) =>
        el("li", {}, el("button", { type: "button", class: "link", on: { click: () => light(one) } }, prose(one.text))),
      )),
    );
  }

  async play(notation) {
    if (this.sent) return; // a tap that comes twice is one move
    const { position } = this.session;
    this.news = [];
    try {
      this.sent = this.match.going ? this.match.play(notation) : this.lay(position, notation);
      const played = await this.sent.finally(() => { this.sent = null; });
      if (!played.legal) {
        fill(this.played, findings(played.violations));
        return;
      }
      this.say("");
      this.tell(played.turn);
      this.show("turn");
      await this.match.goOn();
    } catch (error) {
      fill(this.played, refused(error));
    }
  }
  /** Play a move in a position that belongs to no game. */
  async lay(position, notation) {
    const played = await post("/api/play", { position, moves: [notation] });
    if (!played.legal) return played;
    await this.session.set(played.position, { arrived: () => { this.reached = this.session.position; } });
    return { ...played, turn: played.moves[0] };
  }
}
