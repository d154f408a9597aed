// Laying the tile in hand: legal places light up, a place tells its turns, a turn is chosen.

import { post } from "./api.js";
import { same } from "./board.js";
import { button, el, fill, picture, turned } from "./dom.js";
import { capital, t } from "./texts.js";
import { events, findings, refused } from "./told.js";

const HOVER = 90; // milliseconds that a pointer rests before a place is looked at
const QUEUE = 12; // tiles to come that are pictured beside the hand

export class Mover {
  /**
   * @param {Session} session
   * @param {Board} board
   * @param {object} wants `verb` (the button's text), `done(turn)`, `say(text)` for the reader,
   *   `silent`: whether what a turn scores is left for the player to find, `recorded`: whether
   *   nobody tells what forbids a place, and `chosen()`, called when a cell was
   *   chosen
   */
  constructor(session, board, wants) {
    this.session = session;
    this.board = board;
    this.wants = wants;
    this.hand = el("div", { class: "hand" });
    this.place = el("section", { class: "place" });
    this.action = el("div", { class: "action" });
    this.tile = null;
    this.ready = null;
    this.forget();
  }

  forget() {
    this.looked = new Map();
    this.places = null;
    this.cell = null;
    this.answer = null;
    this.rotation = 0;
    this.follower = null;
    this.turn = null;
    this.denied = null; // the verdict on a follower who may not be there
  }

  /** What the board does while a tile is being laid. */
  get handler() {
    return {
      activate: (cell, segment) => this.activate(cell, segment),
      point: (cell) => this.point(cell),
      turn: (steps) => this.rotate(steps),
      key: (event) => event.key === "Escape" && this.leave(),
    };
  }

  /** Look at the position anew; what is clicked meanwhile waits for it. */
  refresh(tile = null) {
    this.ready = this.load(tile);
    return this.ready;
  }

  async load(tile) {
    this.forget();
    this.tile = tile;
    fill(this.place);
    fill(this.action);
    const { position, view } = this.session;
    this.board.ghost(null);
    if (view.problems.length) {
      this.board.mark({ problem: view.problems.flatMap((one) => one.cells) });
      fill(this.hand);
      fill(this.place, el("p", {}, t("impossible")), findings(view.problems));
      return;
    }
    try {
      const places = await post("/api/places", { position, tile });
      if (position !== this.session.position) return;
      this.places = places;
    } catch (error) {
      fill(this.hand, refused(error));
      return;
    }
    this.tile = this.places.tile;
    this.drawHand();
    this.drawPlace();
    this.mark();
    this.board.attend(this.legal);
  }

  get legal() {
    return this.places ? this.places.places.map((place) => place.cell) : [];
  }

  rotations(cell) {
    return this.places.places.find((place) => same(place.cell, cell))?.rotations ?? [];
  }

  mark() {
    const marks = { legal: this.legal };
    if (this.last) marks.last = [this.last];
    if (this.cell) marks.chosen = [this.cell];
    if (this.cell && this.answer?.violations.length) {
      marks.wrong = this.answer.violations.flatMap((one) => one.cells);
    }
    if (this.denied) marks.wrong = this.denied.violations.flatMap((one) => one.cells);
    this.board.mark(marks);
  }

  drawHand() {
    const { view, position } = this.session;
    if (view.over) {
      fill(this.hand, el("p", {}, t("gameOver")));
      return;
    }
    if (this.places.pass) {
      const pass = { notation: this.places.pass, events: [], gains: {} };
      fill(this.hand, el("p", {}, t("noPlace")));
      fill(this.action, button(t("pass"), () => this.wants.done(pass), { class: "main" }));
      return;
    }
    const several = this.places.tiles.length > 1;
    const { discards } = this.places;
    const order = (position.order ?? []).slice(discards.length + 1);
    const bag = Object.values(position.bag ?? {}).reduce((sum, one) => sum + one, 0);
    fill(
      this.hand,
      el(
        "button",
        { type: "button", class: "tile", title: t("rotate"), "aria-label": t("rotate"), on: { click: () => this.rotate(1) } },
        turned(this.art(this.tile), this.rotation),
        el("span", { class: "sign", "aria-hidden": "true" }, "↻"),
      ),
      el(
        "div",
        { class: "told" },
        el("strong", {}, t(several ? "ifTile" : "laysTile", { player: capital(view.to_move), tile: this.tile })),
        el("span", { class: "faint" },
          discards.length ? `${t("discardedFirst", { tiles: discards.join(" ") })} ` : "",
          t(this.legal.length === 1 ? "legalPlace" : "legalPlaces", { count: this.legal.length })),
      ),
      order.length || bag
        ? el(
          "div",
          { class: "queue", role: "group", "aria-label": t("toComeAre", { tiles: [...order, ...(bag ? [t("inBag", { count: bag })] : [])].join(", ") }) },
          order.slice(0, QUEUE).map((id) => el("span", { class: "small", title: id }, picture(this.art(id)))),
          order.length > QUEUE ? el("span", { class: "more" }, `+${order.length - QUEUE}`) : null,
          bag ? el("span", { class: "more" }, t("inBag", { count: bag })) : null,
        )
        : null,
    );
  }

  art(id) {
    return this.session.tiles.byId.get(id).svg;
  }

  /** Ask what can be done on a cell; the answer is kept while the position stands. */
  async look(cell, rotation) {
    const key = `${cell} ${rotation}`;
    if (!this.looked.has(key)) {
      const { position } = this.session;
      this.looked.set(key, post("/api/turns", { position, tile: this.tile, cell, rotation }));
    }
    return this.looked.get(key);
  }

  /** Choose a cell, or a segment of the tile that lies there for a trial. */
  async activate(cell, segment) {
    await this.ready;
    if (!this.tile || !this.places) return;
    this.wants.chosen?.();
    if (same(cell, this.cell) && segment !== null && this.answer?.turns.length) {
      const wanted = this.answer.turns.find((turn) => turn.followers.some((one) => one.segment === segment));
      if (wanted) return this.filter(wanted.followers[0].title + wanted.followers[0].at);
    }
    const fitting = this.rotations(cell);
    if (same(cell, this.cell) && fitting.length > 1) {
      return this.choose(cell, fitting[(fitting.indexOf(this.rotation) + 1) % fitting.length]);
    }
    if (fitting.length && !fitting.includes(this.rotation)) [this.rotation] = fitting;
    await this.choose(cell, this.rotation);
  }

  /** Take the tile on trial back into the hand. */
  leave() {
    this.cell = null;
    this.turn = null;
    this.board.ghost(null);
    this.mark();
    this.drawPlace();
    return true;
  }

  async rotate(steps) {
    this.rotation = (this.rotation + steps) % 4;
    if (this.places && this.tile) this.drawHand();
    if (this.cell) await this.choose(this.cell, this.rotation);
  }

  async choose(cell, rotation) {
    this.cell = cell;
    this.rotation = rotation;
    this.turn = null;
    this.follower = null;
    this.denied = null;
    const { position } = this.session;
    try {
      this.answer = await this.look(cell, rotation);
    } catch (error) {
      fill(this.place, refused(error));
      return;
    }
    if (position !== this.session.position || !same(cell, this.cell) || rotation !== this.rotation) return;
    this.drawHand();
    this.mark();
    this.filter(null);
    this.wants.say(
      this.answer.violations.length
        ? t("illegalAt", { count: this.answer.violations.length, move: this.answer.move })
        : t("legalAt", { count: this.answer.turns.length, move: this.answer.move }),
    );
  }

  /** Show the tile on trial, with the followers of the turn that is chosen. */
  try() {
    const taken = this.session.view.document.board.some((line) => line.includes(`@${this.cell}r`));
    const player = this.session.view.to_move;
    const followers = (this.denied ? [this.denied.one] : this.turn?.followers ?? []).map((one) => ({ ...one, player }));
    this.board.ghost(taken ? null : this.cell, this.art(this.tile), this.rotation, followers);
  }

  /** Show what another player answers beside the tile on trial. */
  answered(player, notation) {
    const found = /^(\S+)@(-?\d+),(-?\d+)r(\d)(?: (\w+)\.(\S+))?/.exec(notation);
    const kind = found && this.session.tiles.byId.get(found[1]);
    if (!kind) return;
    const [cell, rotation] = [[Number(found[2]), Number(found[3])], Number(found[4])];
    const segment = kind.segments.findIndex((one) => one.role === found[5] && one.names[rotation] === found[6]);
    this.board.ghost(cell, kind.svg, rotation, segment < 0 ? [] : [{ segment, player }], true);
    this.board.mark({ chosen: [this.cell], last: [cell] });
    this.board.attend([this.cell, cell]);
  }

  /** Show the turns with one follower; null for all. */
  filter(follower) {
    this.follower = follower;
    if (this.denied) {
      this.denied = null;
      this.mark();
    }
    const mover = this.session.view.to_move;
    const name = (turn) => turn.followers.map((one) => one.title + one.at).join();
    const fitting = this.answer.turns.filter((turn) => follower === null || name(turn) === follower);
    if (!this.wants.silent) fitting.sort((one, other) => other.gains[mover] - one.gains[mover]);
    this.fitting = fitting;
    this.turn = fitting[0] ?? null;
    this.drawPlace();
  }

  /** The places on the tile on trial on which no turn has a follower. */
  get without() {
    if (this.wants.recorded) return [];
    const taken = new Set(this.answer.turns.flatMap((turn) => turn.followers.map((one) => one.segment)));
    return this.session.tiles.byId.get(this.tile).segments
      .map(({ role, names }, segment) => ({ title: role, segment, at: names[this.rotation] }))
      .filter(({ title, segment }) => title && !taken.has(segment));
  }

  /** Show which rules forbid a follower on the tile on trial. */
  async deny(one) {
    const { position } = this.session;
    const { answer } = this;
    const verdict = await post("/api/judge", { position, move: `${answer.move} ${one.title}.${one.at}` });
    if (answer !== this.answer) return;
    this.turn = null;
    this.follower = one.title + one.at;
    this.denied = { ...verdict, one };
    this.mark();
    this.drawPlace();
    this.wants.say(verdict.legal
      ? t("isLegal", { move: verdict.move })
      : t("illegalAt", { count: verdict.violations.length, move: verdict.move }));
  }

  drawPlace() {
    fill(this.action);
    if (!this.cell) {
      const words = this.places?.tile ? [t(this.wants.recorded ? "chooseLit" : "chooseCell"), el("span", { class: "keys" }, ` ${t("byKeys")}`)] : [];
      fill(this.place, el("p", { class: "faint" }, words));
      return;
    }
    this.try();
    const { answer } = this;
    if (answer.violations.length) {
      fill(
        this.place,
        el("h3", { class: "bad" }, t("illegal", { move: answer.move })),
        findings(answer.violations),
        this.rotations(this.cell).length
          ? el("p", { class: "faint" }, t("fitsOtherwise", { rotations: this.rotations(this.cell).join(", ") }))
          : null,
      );
      return;
    }
    const names = new Map([[null, t("anyFollower")], ["", t("noFollower")]]);
    for (const turn of answer.turns) {
      for (const one of turn.followers) names.set(one.title + one.at, `${one.title} ${one.at}`);
    }
    const chips = [...names].map(([key, text]) =>
      button(text, () => this.filter(key), { "aria-pressed": String(key === this.follower), class: "chip" }),
    );
    for (const one of this.without) {
      const follower = `${one.title} ${one.at}`;
      chips.push(button(follower, () => this.deny(one), {
        class: "chip denied",
        title: t("whyNot", { follower }),
        "aria-label": t("whyNot", { follower }),
        "aria-pressed": String(one.title + one.at === this.follower),
      }));
    }
    fill(
      this.place,
      el("h3", { class: "turns-of" }, answer.move),
      chips.length > 2 ? el("div", { class: "chips", role: "group", "aria-label": t("follower") }, chips) : null,
      this.denied
        ? el(
          "div",
          { class: "denial" },
          el("p", { class: this.denied.legal ? "good" : "bad" }, t(this.denied.legal ? "isLegal" : "isIllegal", { move: this.denied.move })),
          findings(this.denied.violations),
        )
        : el("div", { class: "turns" }, this.fitting.map((turn) => this.turnButton(turn))),
      answer.more ? el("p", { class: "faint" }, t("moreTurns")) : null,
      this.turn && !this.wants.silent ? events(this.turn.events) : null,
      answer.notes.length
        ? el("details", {}, el("summary", {}, t("allowedBecause")), findings(answer.notes, { kind: "allowed" }))
        : null,
    );
    this.drawAction();
  }

  drawAction() {
    const { turn } = this;
    if (!turn) return;
    fill(
      this.action,
      el("span", { class: "what" }, turn.notation),
      button(this.wants.verb, () => this.wants.done(turn), { class: "main" }),
    );
  }

  turnButton(turn) {
    const rest = turn.notation.slice(this.answer.move.length).trim() || t("justTheTile");
    const gains = Object.entries(turn.gains).filter(([, points]) => points);
    return el(
      "button",
      {
        type: "button",
        class: "turn",
        "aria-pressed": String(turn === this.turn),
        on: {
          click: () => {
            this.turn = turn;
            this.drawPlace();
          },
        },
      },
      el("span", {}, rest),
      this.wants.silent ? null : el("span", { class: "gain" }, gains.length ? gains.map(([name, points]) => `${capital(name)} +${points}`).join(", ") : "0"),
    );
  }

  /** Tell what a place would score while a pointer or the focus rests on it. */
  point(cell) {
    clearTimeout(this.resting);
    if (!cell || !this.places || !this.tile) {
      if (!this.cell) this.board.ghost(null);
      return;
    }
    const fitting = this.rotations(cell);
    if (!fitting.length || same(cell, this.cell)) return;
    const rotation = fitting.includes(this.rotation) ? this.rotation : fitting[0];
    this.resting = setTimeout(async () => {
      const { position } = this.session;
      const answer = await this.look(cell, rotation).catch(() => null);
      if (!answer || position !== this.session.position || same(cell, this.cell)) return;
      const mover = this.session.view.to_move;
      const most = Math.max(0, ...answer.turns.map((turn) => turn.gains[mover]));
      if (!this.cell) this.board.ghost(cell, this.art(this.tile), rotation);
      this.wants.say(this.wants.silent ? answer.move : t("wouldScore", { move: answer.move, points: most }));
    }, HOVER);
  }
}
