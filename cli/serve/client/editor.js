// Setting up a position: tiles and figures by taps on the board, the rest in the panel.

import { get, post } from "./api.js";
import { same } from "./board.js";
import { button, el, fill, turned } from "./dom.js";
import { Figures } from "./figures.js";
import { OwnKind } from "./ownkind.js";
import { Palette, SIDES, shown } from "./palette.js";
import { Setup } from "./setup.js";
import { putTile, putTower, takeTile, tileOn, towerOn, turnTile, used } from "./lines.js";
import { counts, rest } from "./stock.js";
import { t } from "./texts.js";
import { findings } from "./told.js";

const STEPS = [[0, 1], [1, 0], [0, -1], [-1, 0]]; // to the neighbour on each side
const TYPING = 900; // milliseconds in which the letters of a kind are typed
const wide = matchMedia("(min-width: 1000px)");

const key = (cell) => String(cell);
const step = ([x, y], [dx, dy]) => [x + dx, y + dy];

/**
 * A tile is laid in one of two ways. A cell is chosen and then its tile: the next cell of the row
 * that was drawn is then chosen by itself, or the next one in the same direction. Or a tile is taken
 * into the hand, and each tap lays one.
 */
export class Editor {
  constructor(session, files, { board, say, show }) {
    this.session = session;
    this.board = board;
    this.say = say;
    this.show = show;
    this.files = files;
    this.cell = null; // chosen
    this.row = []; // the cells that are chosen after it
    this.laid = null; // the cell of the tile that was laid last
    this.turns = []; // the rotations in which it fits
    this.lifted = null; // the cell of a tile that moves to the next cell that is tapped
    this.heading = STEPS[1]; // from one laid tile to the next
    this.hand = null; // kind and rotation
    this.places = new Map(); // of the tile in hand: rotations by cell
    this.keyed = false; // whether the keys are used, so that the focus goes along
    this.counted = new Map(); // how many of each kind the position uses
    this.serial = 0; // of what was asked for last, so that nothing late is shown
    this.typed = { text: "", at: 0 };
    this.palette = new Palette({
      take: (id, rotation) => this.take(id, rotation),
      press: (event, id, rotation) => this.board.carry(event, {
        art: () => this.art({ id, rotation }),
        drop: (cell) => this.layFitting(cell, id, rotation),
      }),
      left: (id) => (this.tiles.byId.get(id)?.count ?? 0) - (this.counted.get(id) ?? 0),
    });
    this.figures = new Figures(this);
    this.setup = new Setup(this);
    this.own = new OwnKind(this);
    this.now = el("div", { class: "now", role: "status" });
    const { filter, last, said, list } = this.palette;
    this.parts = [
      ["board", el("div", { class: "laying" }, filter, this.now, last, this.figures.tray, said, list, this.figures.features)],
      ["more", this.setup.root],
      ["kind", this.own.root],
      ["file", files.root],
    ];
    this.head = el("section", { class: "problems" });
    this.foot = el("div", {});
  }

  get rest() {
    return this.session.line ?? "";
  }

  async enter(line) {
    this.games ??= await get("/api/games");
    if (line) await this.session.visit(line);
    if (this.session.view) this.refresh();
  }

  shown(part) {
    this.lifted = null;
    if (part === "file") this.files.open();
    if (part === "kind" && this.session.view) this.own.draw();
  }

  get handler() {
    return {
      activate: (cell, segment, at) => this.activate(cell, segment, at),
      point: (cell) => this.point(cell),
      turn: (steps) => this.turn(steps),
      key: (event, cell) => this.key(event, cell),
      lifts: (cell, at) => this.lifts(cell, at),
      paints: (cell) => {
        this.drawing = false;
        return !this.figures.who && !tileOn(this.position, cell);
      },
      paint: (cell) => !tileOn(this.position, cell) && (this.hand ? this.stamp(cell) : this.draw(cell)),
    };
  }

  get game() {
    return this.games.games.find((game) => game.id === (this.position.game ?? "castle"));
  }

  get position() {
    return this.session.position;
  }

  get tiles() {
    return this.session.tiles;
  }

  get players() {
    return this.position.players ?? this.game.players;
  }

  /** Change the position; a bag that holds all that is left of the set goes on counting itself. */
  change(change) {
    return this.session.change((position) => {
      const before = JSON.stringify(position.bag);
      const whole = counts(position, this.tiles.kinds);
      change(position);
      if (whole && JSON.stringify(position.bag) === before) position.bag = rest(position, this.tiles.kinds);
    });
  }

  refresh() {
    if (!this.games) return;
    this.counted = used(counts(this.position, this.tiles.kinds) ? { ...this.position, bag: {} } : this.position);
    if (this.hand && !this.tiles.byId.has(this.hand.id)) this.hand = null;
    if (!this.position.board.length) this.laid = null;
    if (this.game.plane && this.position.board.length < 2 && !this.hand) this.cell ??= this.begin;
    this.drawProblems();
    this.look();
    this.setup.draw();
    const near = this.position.board.map((line) => /@(-?\d+),(-?\d+)r/.exec(line).slice(1).map(Number));
    if (near.length) this.board.attend([...near, ...this.row, ...(this.cell ? [this.cell] : [])]);
  }

  /** The cell with which a board without more than the start tile begins. */
  get begin() {
    return tileOn(this.position, [0, 0]) ? STEPS[1] : [0, 0];
  }

  /** Show what is chosen, and find out what fits there. */
  look() {
    this.mark();
    this.drawNow();
    this.figures.draw();
    this.offer();
  }

  mark() {
    const wrong = this.session.view.problems.flatMap((one) => one.cells);
    const legal = this.hand ? [...this.places.values()].map(({ cell }) => cell) : [];
    this.board.mark({ problem: wrong, legal, coming: this.row, chosen: this.cell ? [this.cell] : [], lifted: this.lifted ? [this.lifted] : [] });
  }

  /** Return where tiles fit: of a tile its cells, of a cell its kinds. */
  async fitting(asked) {
    const { position } = this.session;
    const { places } = await post("/api/fitting", { position, ...asked }).catch(() => ({ places: [] }));
    return places;
  }

  async offer() {
    const serial = ++this.serial;
    const { cell, tiles, hand } = this;
    this.palette.hand = hand;
    if (hand) {
      const places = await this.fitting({ tile: hand.id });
      if (serial !== this.serial) return;
      this.places = new Map(places.map((one) => [key(one.cell), one]));
      this.mark();
      this.palette.offer({ tiles, place: `hand ${hand.id}` });
    } else if (cell) {
      const beside = this.beside(cell);
      // In a castle only paths must be continued.
      const given = beside.map((what) => what && (this.game.plane || what.includes("path") ? what[0] : "noPath"));
      const places = await this.fitting({ cell });
      if (serial !== this.serial) return;
      const fits = places.length ? new Map(places.map((one) => [one.tile, one.rotations])) : null;
      this.palette.offer({ tiles, cell, fits, given, beside, place: `${cell} ${this.position.board.length}` });
    } else this.palette.offer({ tiles });
  }

  /** Return what the neighbours of a cell show on the sides that they share with it. */
  beside(cell) {
    return SIDES.map((_, side) => {
      const tile = tileOn(this.position, step(cell, STEPS[side]));
      if (!tile) return null;
      return shown(this.tiles.byId.get(tile.id), (side + 2) % 4, tile.rotation);
    });
  }

  // What the board does

  async activate(cell, segment, at) {
    this.keyed = !at;
    const there = tileOn(this.position, cell);
    if (there && this.figures.who) {
      this.cell = cell;
      const index = this.figures.meant(there, segment, at);
      if (index !== null) await this.figures.toggle(cell, index);
      else this.look();
    } else if (!there && this.lifted) await this.move(this.lifted, cell);
    else if (there && (same(cell, this.laid) || same(cell, this.cell))) await this.turnFitting(cell, there);
    else if (!there && this.hand) await this.stamp(cell);
    else this.choose(same(cell, this.cell) ? null : cell);
  }

  choose(cell) {
    this.cell = cell;
    this.row = [];
    this.laid = null;
    this.lifted = null;
    this.figures.who = null;
    this.look();
  }

  /** Draw the row of cells that are chosen one after the other; a second stroke goes on with it. */
  draw(cell) {
    if (this.drawing || this.row.length) {
      if (![this.cell, ...this.row].some((one) => same(one, cell))) this.row.push(cell);
      this.mark();
    } else this.choose(cell);
    this.drawing = true;
  }

  /** Show the tile in hand where it would lie. */
  point(cell) {
    const free = cell && this.hand && !tileOn(this.position, cell);
    if (free) this.board.ghost(cell, this.tiles.byId.get(this.hand.id).svg, this.suited(cell));
    else this.board.ghost(null);
  }

  /** Return the rotation in which the tile in hand lies on a cell: the first that fits. */
  suited(cell) {
    const { rotation } = this.hand;
    const fitting = this.places.get(key(cell))?.rotations ?? [];
    return fitting.length && !fitting.includes(rotation) ? fitting[0] : rotation;
  }

  /** A tile of the palette: it goes to the chosen cell or into the hand. */
  take(id, rotation) {
    if (this.figures.who) this.choose(null); // the tile of the figures stays
    if (this.cell && !this.hand) return this.lay(this.cell, id, rotation, this.palette.fits?.get(id));
    return this.hold(this.hand?.id === id ? null : { id, rotation });
  }

  /** Take a tile into the hand; null puts it down. */
  hold(hand) {
    const before = this.hand;
    this.hand = hand;
    this.places = new Map();
    if (hand) [this.cell, this.row, this.lifted, this.figures.who] = [null, [], null, null];
    if (!before && !hand) return;
    this.board.ghost(null);
    this.look();
  }

  stamp(cell) {
    return this.layFitting(cell, this.hand.id, this.hand.rotation);
  }

  /** Lay a tile; `fitting` are the rotations in which it fits there. */
  async lay(cell, id, rotation, fitting) {
    const { count, rotations } = this.tiles.byId.get(id);
    const { laid } = this;
    if (laid) this.heading = STEPS.find((one) => same(step(laid, one), cell)) ?? this.heading;
    [this.laid, this.turns] = [cell, fitting ?? rotations];
    if (!this.hand) this.cell = this.next(cell);
    this.palette.remember(id);
    await this.change((position) => {
      const counting = counts(position, this.tiles.kinds);
      this.clear(position, cell);
      putTile(position, cell, { id, cell, rotation, followers: [] });
      if (!counting && (used(position).get(id) ?? 0) > count) takeTile(position, id);
    });
    this.say(t((this.counted.get(id) ?? 0) > count ? "laidTooOften" : "laid", { tile: id, cell, count }));
    if (this.cell && this.keyed) this.board.reach(this.cell);
  }

  /** Return the next cell of the row, else the likely one: on in the same direction, or into the open. */
  next(cell) {
    while (this.row.length) {
      const coming = this.row.shift();
      if (!same(coming, cell) && !tileOn(this.position, coming)) return coming;
    }
    const open = (one) => !same(one, cell) && !tileOn(this.position, one) && (this.game.plane || this.board.cells.has(key(one)));
    const ahead = step(cell, this.heading);
    if (open(ahead)) return ahead;
    const around = (one) => STEPS.filter((way) => tileOn(this.position, step(one, way))).length;
    const beside = STEPS.map((way) => step(cell, way)).filter(open);
    return beside.sort((one, other) => around(one) - around(other))[0] ?? null;
  }

  /** Turn a tile to the next rotation that fits, or by a quarter if none does. */
  async turnFitting(cell, tile) {
    const places = await this.fitting({ cell });
    const rotations = places.find((one) => one.tile === tile.id)?.rotations ?? [];
    const others = rotations.filter((one) => one !== tile.rotation);
    const [next] = others.sort((one, other) => (one - tile.rotation + 4) % 4 - (other - tile.rotation + 4) % 4);
    await this.rotate(cell, next ?? (tile.rotation + 1) % 4);
  }

  rotate(cell, rotation) {
    return this.change((position) => {
      const tile = tileOn(position, cell);
      putTile(position, cell, turnTile(tile, rotation, this.tiles.byId.get(tile.id)));
    });
  }

  /** Turn the tile under the keys, the one in hand, or the one that was laid last. */
  async turn(steps) {
    const on = [this.cell, this.board.current, !this.hand && this.laid].find((cell) => cell && tileOn(this.position, cell));
    if (on) await this.rotate(on, (tileOn(this.position, on).rotation + steps) % 4);
    else if (this.hand) {
      this.hand = { ...this.hand, rotation: (this.hand.rotation + steps) % 4 };
      this.look();
    }
  }

  key(event, cell) {
    const { key: name } = event;
    this.keyed = true;
    if (name === "Delete" || name === "Backspace") this.erase(cell);
    else if (name === "Escape") {
      if (this.hand) this.hold(null);
      else this.choose(null);
    } else if (name.toLowerCase() === "m" && tileOn(this.position, cell)) this.lift(cell);
    else if (/^[a-z0-9_-]$/i.test(name)) return this.type(cell, name.toUpperCase());
    else return false;
    return true;
  }

  /** Letters name a kind of tile for an empty cell, a figure the feature of a follower. */
  type(cell, letter) {
    const tile = tileOn(this.position, cell);
    if (tile) {
      if (!/^[1-9]$/.test(letter)) return false;
      this.cell = cell;
      this.figures.toggle(cell, Number(letter) - 1);
      return true;
    }
    const now = performance.now();
    const begun = now - this.typed.at < TYPING ? this.typed.text : "";
    const ids = this.tiles.kinds.map(({ id }) => id);
    const text = [begun + letter, letter].find((one) => ids.some((id) => id.toUpperCase().startsWith(one)));
    if (!text) return false;
    this.typed = { text, at: now };
    const meant = ids.filter((id) => id.toUpperCase().startsWith(text));
    this.say(meant.length < 8 ? meant.join(" ") : text);
    if (meant.length === 1) {
      this.typed.text = "";
      this.layFitting(cell, meant[0]);
    }
    return true;
  }

  /** Lay a tile as it is turned if it fits so, else in the first rotation that fits. */
  async layFitting(cell, id, rotation = 0) {
    const places = await this.fitting({ cell });
    const fitting = places.find((one) => one.tile === id)?.rotations ?? this.tiles.byId.get(id).rotations;
    await this.lay(cell, id, fitting.includes(rotation) ? rotation : fitting[0], fitting);
  }

  async erase(cell) {
    if (!tileOn(this.position, cell)) return;
    this.laid = null;
    this.cell = cell;
    await this.change((position) => this.clear(position, cell));
  }

  /** Take a tile off a position, its followers back to their players. */
  clear(position, cell) {
    const there = tileOn(position, cell);
    if (!there) return;
    for (const one of there.followers) this.figures.supply(position, one, 1);
    putTile(position, cell, null);
    putTower(position, cell, { height: 0 });
    if (!position.built.length) delete position.built;
  }

  /** Take up a tile, which goes to the next empty cell that is tapped. */
  lift(cell) {
    this.choose(cell);
    this.lifted = cell;
    this.look();
  }

  /** Move a tile with its followers; what lies on the other cell goes. */
  async move(from, cell) {
    const tile = tileOn(this.position, from);
    if (!tile || same(from, cell)) return;
    this.choose(cell);
    await this.change((position) => {
      const tower = towerOn(position, from);
      this.clear(position, cell);
      putTile(position, from, null);
      putTile(position, cell, { ...tile, cell });
      if (!tower.height) return;
      putTower(position, from, { height: 0 });
      putTower(position, cell, tower);
    });
  }

  /** Return what is carried from a place on the board: a follower who stands there, else the tile. */
  lifts(cell, at) {
    const tile = tileOn(this.position, cell);
    const who = tile && this.figures.near(tile, at);
    if (who) return this.figures.carried(who, cell);
    return tile && { from: cell, art: () => this.art(tile), drop: (to) => this.move(cell, to) };
  }

  art({ id, rotation }) {
    return turned(this.tiles.byId.get(id).svg, rotation);
  }

  // The parts of the panel

  drawProblems() {
    const { problems } = this.session.view;
    this.unfolded ??= wide.matches;
    const show = (one) => {
      [this.cell] = one.cells;
      this.look();
      this.board.reach(this.cell);
    };
    if (!problems.length) {
      fill(this.head, el("p", { class: "good" }, t("possible")), this.beginnings());
      return;
    }
    const click = () => { this.unfolded = !details.open; };
    const details = el("details", { open: this.unfolded },
      el("summary", { class: "bad", on: { click } }, t(problems.length === 1 ? "oneProblem" : "manyProblems", { count: problems.length })),
      findings(problems, { onPick: show }));
    fill(this.head, details, this.beginnings());
  }

  /** Begin the same game anew, with nothing laid. */
  async anew() {
    const { game, edition, kinds } = this.position;
    const asked = { game, unknown: true, ...(this.game.plane ? { players: this.players.length, edition } : {}) };
    const { position } = await post("/api/new", asked);
    await this.session.set(kinds ? { ...position, kinds } : position);
    this.say(t("boardCleared"));
  }

  /** Return what begins another board: it stands where there is room, above the board or beside it. */
  beginnings() {
    return el("div", { class: "bar beginnings" },
      button(t("newBoard"), () => this.show("file")),
      button(t("clearBoard"), () => this.anew(), { disabled: !this.position.board.length }));
  }

  /** Say what is chosen or in hand, with what can be done about it. */
  drawNow() {
    const { cell, hand, laid } = this;
    const tile = cell && tileOn(this.position, cell);
    const last = laid && tileOn(this.position, laid);
    const bar = (...tools) => el("div", { class: "bar" }, tools);
    const tool = (sign, name, work) => button(sign, work, { class: "icon", title: t(name), "aria-label": t(name) });
    if (this.figures.who) fill(this.now, el("span", {}, tile ? t("tileOn", { tile: tile.id, cell }) : t("howToPut")));
    else if (hand) {
      const { id } = hand;
      fill(
        this.now,
        el("span", {}, t("tileInHand", { tile: id })),
        bar(
          tool("↻", "rotate", () => this.turn(1)),
          button(t("inOrderShort"), () => this.change((position) => { position.order = [...(position.order ?? []), id]; }), { "aria-label": t("toOrder") }),
          button(t("inBagShort"), () => this.change((position) => { position.bag = { ...position.bag, [id]: (position.bag?.[id] ?? 0) + 1 }; }), { "aria-label": t("toBag") })),
      );
    } else if (tile) {
      fill(
        this.now,
        el("span", { class: "what" }, t(this.lifted ? "moveWhere" : "tileOn", { tile: tile.id, cell })),
        bar(
          tool("↻", "rotate", () => this.turn(1)),
          tool("✥", "moveTile", () => this.lift(cell)),
          tool("✕", "erase", () => this.erase(cell))),
      );
    } else if (last && this.turns.some((one) => one !== last.rotation)) {
      const kind = this.tiles.byId.get(last.id);
      const others = this.turns.filter((one) => one !== last.rotation);
      fill(
        this.now,
        el("span", {}, t("orTurned", { tile: last.id })),
        el("div", { class: "rotations" }, others.map((rotation) => el("button", {
          type: "button", class: "kind", data: { turn: rotation },
          "aria-label": t("turnTo", { tile: last.id, cell: laid, turns: rotation }),
          on: { click: () => this.rotate(laid, rotation) },
        }, turned(kind.svg, rotation)))),
      );
    } else fill(this.now, el("span", {}, cell ? t("chooseTile", { cell }) : t("howToEdit")), this.beginnings());
  }
}
