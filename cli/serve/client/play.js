// Playing: lay tiles, look what is to come, judge moves, ask the solver.

import { post } from "./api.js";
import { Asking } from "./asking.js";
import { el, fill } from "./dom.js";
import { lastLaid } from "./lines.js";
import { Mover } from "./mover.js";
import { Opponent } from "./opponent.js";
import { Preview } from "./steps.js";
import { t } from "./texts.js";
import { ToCome } from "./tocome.js";
import { ending, events, findings, players, refused } from "./told.js";
import { Typed } from "./typed.js";

export class Play {
  constructor(session, files, { board, say, strip, show }) {
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
    });
    this.typed = new Typed(session, play);
    this.come = new ToCome(session, board, (tile) => this.take(tile));
    this.asking = new Asking(session, board, this.preview, { say, play, tile: () => this.tile, back: () => this.back() });
    this.played = el("section", { class: "played", "aria-live": "polite" });
    this.state = el("section", { class: "state" });
    this.files = files;
    this.opponent = new Opponent(session, play);
    const turn = el("div", {}, this.played, this.mover.place, this.typed.root, this.opponent.root);
    this.parts = [
      ["turn", turn],
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
    await this.back();
    await this.mover.refresh(tile);
  }

  async enter(line) {
    if (line) await this.session.visit(line);
  }

  aside() {
    this.asking.stop();
    this.opponent.stop();
    this.preview.stop();
  }

  shown(part) {
    fill(this.foot, part === "ask" ? this.asking.action : this.mover.action);
    if (part === "file") this.files.open();
  }

  /** Show the position as it is now. */
  async refresh() {
    const { view, position } = this.session;
    fill(this.head, this.strip.root, this.mover.hand);
    this.preview.stop();
    this.asking.forget();
    this.opponent.refresh();
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
    if (position !== this.reached) fill(this.played);
    await this.mover.refresh();
  }

  /** Leave what was shown of an answer, for the position at hand. */
  async back() {
    if (!this.preview.shown) return;
    this.preview.stop();
    this.board.show(this.session.view.svg, t("boardOf", { title: this.session.view.title || this.session.view.game }));
    this.strip.draw(this.session.view);
    this.mover.mark();
  }

  async chosen() {
    await this.back();
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
        el("li", {}, el("button", { type: "button", class: "link", on: { click: () => light(one) } }, one.text)),
      )),
    );
  }

  async play(notation) {
    const { position } = this.session;
    try {
      const played = await post("/api/play", { position, moves: [notation] });
      if (!played.legal) {
        fill(this.played, findings(played.violations));
        return;
      }
      const arrived = () => {
        this.reached = this.session.position;
        this.say("");
        fill(this.played, el("h3", {}, t("justPlayed", { move: notation })), events(played.moves[0].events));
      };
      await this.session.set(played.position, { arrived });
      this.show("turn");
      await this.opponent.reply();
    } catch (error) {
      fill(this.played, refused(error));
    }
  }
}
