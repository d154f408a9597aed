// Laying the tile in hand: legal places light up, a place tells its turns, a turn is chosen.

import { post } from "./api.js";
import { same } from "./board.js";
import { button, colourOf, el, fill, picture, turned } from "./dom.js";
import { readMove } from "./lines.js";
import { pawn, turnedSpot } from "./pawns.js";
import { capital, t } from "./texts.js";
import { events, findings, notation, refused } from "./told.js";

const HOVER = 90; // milliseconds that a pointer rests before a place is looked at
const FEW = 6; // turns that are listed without being asked for
const MANY = 8; // acts besides followers that are shown without being asked for
const AIM = 0.22; // of a tile: how near a tap must be to what it is meant for
const FINGER = 26; // pixels, at most
const BEYOND = 9; // pixels, where the tap is on another tile
const QUEUE = 12; // tiles to come that are pictured beside the hand

export class Mover {
  /**
   * @param {Session} session
   * @param {Board} board
   * @param {object} wants `verb` (the button's text), `done(turn)`, `say(text)` for the reader,
   *   `silent`: whether what a turn scores is left for the player to find, `recorded`: whether
   *   nobody tells what forbids a place, and `chosen()`, called when a cell was
   *   chosen, and `strip`, the players, whose prisoners are bought back
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
    this.picked = []; // what the turn is to do besides the tile, by name
    this.turn = null;
    this.denied = null; // the verdict on a follower who may not be there
  }

  /** What the board does while a tile is being laid. */
  get handler() {
    return {
      activate: (cell, segment, at) => this.activate(cell, at),
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
    this.wants.strip?.offer(null);
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
    this.board.closeUp(null);
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
      fill(this.hand);
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
        el("strong", {}, t(several ? "ifTile" : "laysTile", { player: capital(view.to_move), tile: this.session.tiles.byId.get(this.tile).says }), " ", notation(this.tile)),
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

  /** Do what is tapped: what is offered there, a turn of the tile on trial, or another place. */
  async activate(cell, at) {
    await this.ready;
    if (!this.tile || !this.places) return undefined;
    this.wants.chosen?.();
    const aimed = at && this.aimed(cell, at);
    if (aimed) return aimed.one ? this.deny(aimed.one) : this.pick(aimed.name);
    const fitting = this.rotations(cell);
    if (same(cell, this.cell) && fitting.length > 1) {
      return this.choose(cell, fitting[(fitting.indexOf(this.rotation) + 1) % fitting.length]);
    }
    if (fitting.length && !fitting.includes(this.rotation)) [this.rotation] = fitting;
    return this.choose(cell, this.rotation);
  }

  /** Return what is offered nearest to a tap, if it is meant. */
  aimed(cell, { x, y, size }) {
    const away = ({ cell: [column, row], spot }) =>
      size * Math.hypot(cell[0] - column + x - spot[0] / 100, row - cell[1] + y - spot[1] / 100);
    const [nearest] = [...this.offered].sort((one, other) => away(one) - away(other));
    if (!nearest) return null;
    return away(nearest) <= (same(cell, nearest.cell) ? Math.min(FINGER, AIM * size) : BEYOND) ? nearest : null;
  }

  /** What is offered on the board: acts of the turns by name, and followers whom a rule forbids. */
  get offered() {
    const { answer, picked } = this;
    if (!this.cell || !answer || answer.violations.length) return [];
    const player = this.session.view.to_move;
    const found = Object.entries(answer.targets)
      .filter(([name, { spot, sort }]) => spot && (sort !== "capture" || this.doing([...picked, name]).length))
      .map(([name, one]) => ({
        ...one,
        name,
        look: `${one.sort} ${colourOf(player)} ${picked.includes(name) ? "picked" : ""}`,
        art: pawn(one.sort, one.title),
      }));
    const denied = this.without.map((one) => ({
      one, cell: this.cell, spot: one.spot, look: `denied ${this.denied?.one.segment === one.segment ? "picked" : ""}`, art: pawn("denied"),
    }));
    return [...found, ...denied];
  }

  /** Return the turns that do all of some acts. */
  doing(names) {
    return this.answer.turns.filter((turn) => names.every((name) => turn.acts.includes(name)));
  }

  /** Let the turn do an act, with those picked before as far as one turn does them all; or not. */
  pick(name) {
    if (this.picked.includes(name)) this.picked = this.picked.filter((one) => one !== name);
    else {
      const kept = [name];
      for (const one of this.picked) if (this.doing([...kept, one]).length) kept.push(one);
      this.picked = kept;
    }
    this.settle();
  }

  /** Take the tile on trial back into the hand. */
  leave() {
    this.cell = null;
    this.turn = null;
    this.wants.strip?.offer(null);
    this.board.closeUp(null);
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
    this.picked = [];
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
    this.board.closeUp(cell);
    this.settle();
    this.wants.say(
      this.answer.violations.length
        ? t("illegalAt", { count: this.answer.violations.length })
        : this.answer.says,
    );
  }

  /** Show the tile on trial, with what can be done and what is picked. */
  try() {
    const taken = this.session.view.document.board.some((line) => line.includes(`@${this.cell}r`));
    this.board.ghost(taken ? null : this.cell, this.art(this.tile), this.rotation);
    this.board.stands(this.offered);
    this.wants.strip?.offer(this.bail);
  }

  /** The prisoners whom the turn at hand may buy back, for the strip of the players. */
  get bail() {
    const { answer, picked } = this;
    const bought = Object.entries(answer.targets).filter(([, { sort }]) => sort === "ransom");
    if (!bought.length) return null;
    const of = (captor) => bought.filter(([, { title }]) => title === captor).map(([name]) => name);
    return {
      owner: this.session.view.to_move,
      captors: bought.map(([, { title }]) => title),
      picked: bought.filter(([name]) => picked.includes(name)).map(([, { title }]) => title),
      pick: (captor) => this.pick(of(captor).find((name) => picked.includes(name)) ?? of(captor)[0]),
    };
  }

  /** Choose the turn that does what is picked and as little as possible besides. */
  settle() {
    if (this.denied) {
      this.denied = null;
      this.mark();
    }
    const mover = this.session.view.to_move;
    const fitting = this.doing(this.picked);
    if (!this.wants.silent) fitting.sort((one, other) => other.gains[mover] - one.gains[mover]);
    this.fitting = fitting;
    const least = Math.min(...fitting.map((turn) => turn.acts.length));
    this.turn = fitting.find((turn) => turn.acts.length === least) ?? null;
    this.drawPlace();
  }

  /** The places on the tile on trial on which no turn has a follower. */
  get without() {
    if (this.wants.recorded) return [];
    const taken = new Set(this.answer.turns.flatMap((turn) => turn.followers.map((one) => one.segment)));
    return this.session.tiles.byId.get(this.tile).segments
      .map(({ role, names, spot }, segment) => ({ title: role, segment, at: names[this.rotation], spot: turnedSpot(spot, this.rotation) }))
      .filter(({ title, segment }) => title && !taken.has(segment));
  }

  /** Show which rules forbid a follower on the tile on trial. */
  async deny(one) {
    const { position } = this.session;
    const { answer } = this;
    const verdict = await post("/api/judge", { position, move: `${answer.move} ${one.title}.${one.at}` });
    if (answer !== this.answer) return;
    this.turn = null;
    this.picked = [];
    this.denied = { ...verdict, one };
    this.mark();
    this.drawPlace();
    this.wants.say(verdict.legal
      ? t("isLegal")
      : t("illegalAt", { count: verdict.violations.length }));
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
        el("h3", { class: "bad" }, t("illegal"), " ", notation(answer.move)),
        findings(answer.violations),
        this.rotations(this.cell).length
          ? el("p", { class: "faint" }, t("fitsOtherwise", { rotations: this.rotations(this.cell).join(", ") }))
          : null,
      );
      return;
    }
    fill(
      this.place,
      el("h3", { class: "turns-of" }, answer.says, " ", notation(answer.move)),
      ...this.chips(),
      this.denied
        ? el(
          "div",
          { class: "denial" },
          el("p", { class: this.denied.legal ? "good" : "bad" }, t(this.denied.legal ? "isLegal" : "isIllegal"), " ", notation(this.denied.move)),
          findings(this.denied.violations),
        )
        : null,
      this.turn && !this.wants.silent && this.turn.events.length ? events(this.turn.events) : null,
      this.denied ? null : this.list(),
      answer.more ? el("p", { class: "faint" }, t("moreTurns")) : null,
      answer.notes.length
        ? el("details", {}, el("summary", {}, t("allowedBecause")), findings(answer.notes, { kind: "allowed" }))
        : null,
    );
    this.drawAction();
  }

  /** Return what a turn can do besides the tile, as buttons: for keys, and where the board has no place. */
  chips() {
    const { picked, denied } = this;
    const acts = Object.entries(this.answer.targets).filter(([name, one]) => one.sort !== "capture" || this.doing([...picked, name]).length);
    const chip = (words, pressed, work, props = {}) => el("button", {
      type: "button", class: "chip", "aria-pressed": String(pressed), on: { click: work }, ...props,
    }, words);
    const followers = acts.filter(([, { sort }]) => sort === "follower");
    const others = acts.filter(([, { sort }]) => sort !== "follower");
    const { without } = this;
    const none = !denied && !followers.some(([name]) => picked.includes(name));
    const put = [
      followers.length || without.length ? chip(t("noFollower"), none, () => this.noFollower()) : null,
      ...followers.map(([name, { title, at }]) => chip([title, " ", notation(at)], picked.includes(name), () => this.pick(name))),
      ...without.map((one) => {
        const label = t("whyNot", { follower: `${one.title} ${one.at}` });
        return chip([one.title, " ", notation(one.at)], denied?.one.segment === one.segment, () => this.deny(one), { class: "chip denied", title: label, "aria-label": label });
      }),
    ];
    const also = others.map(([name, { says }]) => chip(capital(says), picked.includes(name), () => this.pick(name)));
    return [
      put.some(Boolean) ? el("div", { class: "chips", role: "group", "aria-label": t("follower") }, put) : null,
      also.length > MANY
        ? el("details", {}, el("summary", {}, t("alsoMany", { count: also.length })), el("div", { class: "chips" }, also))
        : also.length ? el("div", { class: "chips", role: "group", "aria-label": t("also") }, also) : null,
    ];
  }

  /** Put a move in notation on trial: its tile, and the first follower if he has a place or is forbidden. */
  async put(notation) {
    const move = readMove(notation);
    if (!move || !this.tile) return;
    await this.choose(move.cell, move.rotation);
    if (!this.answer || this.answer.violations.length || !move.title) return;
    const meant = ({ title, at }) => title === move.title && at === move.at;
    const [name] = Object.entries(this.answer.targets).find(([, one]) => one.sort === "follower" && meant(one)) ?? [];
    const denied = this.without.find(meant);
    if (name) this.pick(name);
    else if (denied) await this.deny(denied);
  }

  noFollower() {
    this.picked = this.picked.filter((name) => this.answer.targets[name].sort !== "follower");
    this.settle();
  }

  /** Return the turns that do what is picked, to choose from. */
  list() {
    const { fitting } = this;
    if (fitting.length < 2) return null;
    const turns = el("div", { class: "turns" }, fitting.map((turn) => this.turnButton(turn)));
    if (fitting.length <= FEW) return turns;
    return el("details", { open: this.listed, on: { toggle: ({ target }) => { this.listed = target.open; } } },
      el("summary", {}, t("allTurns", { count: fitting.length })), turns);
  }

  drawAction() {
    const { turn } = this;
    if (!turn) return;
    fill(
      this.action,
      button("✕", () => this.leave(), { class: "icon", title: t("takeBack"), "aria-label": t("takeBack") }),
      this.rotations(this.cell).length > 1
        ? button("↻", () => this.activate(this.cell, null), { class: "icon", title: t("turnTile"), "aria-label": t("turnTile") }) : null,
      el("span", { class: "what" }, turn.says, " ", notation(turn.notation)),
      button(this.wants.verb, () => this.wants.done(turn), { class: "main" }),
    );
  }

  turnButton(turn) {
    const does = turn.acts.map((name) => this.answer.targets[name].says).join(", ");
    const rest = turn.notation.slice(this.answer.move.length).trim();
    const gains = Object.entries(turn.gains).filter(([, points]) => points);
    return el(
      "button",
      {
        type: "button",
        class: "turn",
        "aria-pressed": String(turn === this.turn),
        on: {
          click: () => {
            this.picked = turn.acts;
            this.settle();
          },
        },
      },
      el("span", {}, does ? capital(does) : t("justTheTile"), " ", rest ? notation(rest) : null),
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
      this.wants.say(this.wants.silent ? answer.says : t("wouldScore", { says: answer.says, points: most }));
    }, HOVER);
  }
}
