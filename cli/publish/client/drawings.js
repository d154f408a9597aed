// What a link draws: checked, and put together from the pictures that the copy brings along.

import { unpacked } from "./packing.js";
import { t } from "./texts.js";

const VERSION = 1;
const MOST_LETTERS = 40_000; // of a link
const MOST_WORDS = 500; // letters of a sentence
const MOST_STAMPS = 600;
const MOST_STEPS = 300;
const MOST_EVENTS = 80; // of a turn, or of the end
const MOST_PLAYERS = 6;
const FAR = 500; // cells from 0,0
const UNIT = 100; // of the sheet, a cell
const RIM = 30; // units round tiles
const FRONT = /^<svg.*?<rect class="sheet"[^>]*>/s; // of the picture of a tile: what is not the tile
const BACK = /<rect class="rim-edge"[^>]*>\s*<\/svg>\s*$/;
const EDGE = `<path class="tile-edge" d="M0 0h${UNIT}v${UNIT}h-${UNIT}z"/>`; // as on the program's boards
const TILES = 3; // the layer of tiles; other pictures tell theirs

let drawn = 0; // drawings that were opened

function need(holds) {
  if (!holds) throw new Error(t("badLink"));
}

/** Return an object that has these keys and no others. */
function keyed(value, ...keys) {
  need(value !== null && typeof value === "object" && !Array.isArray(value));
  need(Object.keys(value).sort().join() === keys.sort().join());
  return value;
}

function list(value, most, check, least = 0) {
  need(Array.isArray(value) && value.length >= least && value.length <= most);
  return value.map(check);
}

function whole(value, low, high) {
  need(Number.isInteger(value) && value >= low && value <= high);
  return value;
}

function words(value) {
  need(typeof value === "string" && value.length <= MOST_WORDS);
  return value;
}

const events = (value) => list(value, MOST_EVENTS, (one) => {
  need(Array.isArray(one) && one.length === 2);
  return { text: words(one[0]), points: whole(one[1], -999, 999), rules: [], cells: [] };
});

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** What a link holds, once every part of it has been checked. */
class Drawing {
  /**
   * @param {object} link what came with the address
   * @param {object} tiles the tiles of its game: `kinds` with pictures in `pieces`
   * @param {object} stock the other pictures of the game, `pictures` in `pieces`
   */
  constructor(link, tiles, stock) {
    this.kinds = new Map(tiles.kinds.map((kind) => [kind.id, { ...kind, pieces: tiles.pieces }]));
    this.stock = new Map(Object.entries(stock.pictures));
    this.pieces = stock.pieces;
    this.texts = new Map(); // of each stamp the number of its text
    this.link = link;
    this.title = words(link.title);
    this.says = list(link.says, 4, words);
    this.players = list(link.players, MOST_PLAYERS, words, 1);
    need(new Set(this.players).size === this.players.length && this.players.every(Boolean));
    const begin = { says: "", notation: "", events: [], ...this.standing(link), stamps: list(link.stamps, MOST_STAMPS, (one) => this.stamp(one)) };
    this.turns = [begin];
    list(link.steps, MOST_STEPS, (one) => this.turns.push(this.step(one)));
    this.end = link.end === null ? null : keyed(link.end, "scores", "events");
    this.final = this.end && { scores: this.scored(this.end.scores), events: events(this.end.events) };
    this.frame = this.framed();
  }

  scored(value) {
    const scores = list(value, MOST_PLAYERS, (one) => whole(one, 0, 9999));
    need(scores.length === this.players.length);
    return Object.fromEntries(this.players.map((name, player) => [name, scores[player]]));
  }

  standing({ scores, mover }) {
    const moving = mover === null ? null : this.players[whole(mover, 0, this.players.length - 1)];
    return { scores: this.scored(scores), mover: moving };
  }

  step(value) {
    const { says, notation, off, on, ...rest } = keyed(value, "says", "notation", "scores", "mover", "off", "on", "events");
    const before = this.turns.at(-1).stamps;
    const gone = new Set(list(off, MOST_STAMPS, (at) => whole(at, 0, before.length - 1)));
    const come = list(on, MOST_STAMPS, (one) => this.stamp(one));
    const stamps = [...before.filter((_, at) => !gone.has(at)), ...come];
    need(stamps.length <= MOST_STAMPS);
    return { says: words(says), notation: words(notation), events: events(rest.events), ...this.standing(rest), stamps };
  }

  /** Return a stamp: its picture, its place on the sheet, and its cell. */
  stamp(value) {
    need(Array.isArray(value) && value.length === 4);
    const [name, x, y, turns] = value;
    whole(turns, 0, 3);
    const kind = this.kinds.get(name);
    if (kind) return { kind, cell: [whole(x, -FAR, FAR), whole(y, -FAR, FAR)], turns, layer: TILES, key: value.join() };
    const art = this.stock.get(name);
    need(art);
    const [left, top] = [x, y].map((one) => whole(one, -FAR * UNIT, FAR * UNIT));
    const cell = [Math.floor(left / UNIT), -Math.floor(top / UNIT) - 1];
    return { art, at: [left, top], cell, turns, layer: art.layer, key: value.join() };
  }

  /** Return the part of the sheet that all turns take: left, top, width and height. */
  framed() {
    const all = this.turns.flatMap(({ stamps }) => stamps);
    const boxes = all.filter(({ kind }) => kind).map(({ cell: [x, y] }) => [x * UNIT - RIM, -(y + 1) * UNIT - RIM, UNIT + 2 * RIM, UNIT + 2 * RIM]);
    boxes.push(...all.filter(({ art }) => art?.extent).map(({ art }) => art.extent));
    need(boxes.length);
    const [left, top] = [0, 1].map((axis) => Math.min(...boxes.map((box) => box[axis])));
    const [right, low] = [0, 1].map((axis) => Math.max(...boxes.map((box) => box[axis] + box[axis + 2])));
    return [left, top, right - left, low - top];
  }

  /** Return the number of a text among the pieces. */
  put(text) {
    return this.pieces.push(text) - 1;
  }

  /** Return the number of the text that draws a stamp. */
  text(stamp) {
    if (!this.texts.has(stamp.key)) this.texts.set(stamp.key, this.put(stamp.kind ? this.tile(stamp) : this.piece(stamp)));
    return this.texts.get(stamp.key);
  }

  tile({ kind, cell: [x, y], turns }) {
    const art = kind.svg.map((number) => kind.pieces[number]).join("").replace(FRONT, "").replace(BACK, "");
    const said = `${x},${y}, tile ${kind.id}${kind.title ? `: ${kind.title}` : ""}`;
    const half = UNIT / 2;
    return `<g class="cell" data-cell="${x},${y}" data-tile="${escaped(kind.id)}" data-rotation="${turns}"><title>${escaped(said)}</title>`
      + `<g transform="translate(${x * UNIT + half} ${-y * UNIT - half})"><g class="r${turns}"><g transform="translate(${-half} ${-half})">${art}${EDGE}</g></g></g></g>`;
  }

  piece({ art, at: [left, top], cell, turns }) {
    const said = art.says ? `<title>${escaped(art.says)} on ${cell}</title>` : "";
    const hook = art.says ? ` data-follower="${cell}"` : "";
    return `<g class="piece"${hook} transform="translate(${left} ${top})">${said}<g class="r${turns}">${art.svg.map((number) => this.pieces[number]).join("")}</g></g>`;
  }

  /** Return the numbers of the pieces that draw some stamps. */
  picture(stamps) {
    const [left, top, width, height] = this.frame;
    const layers = [...stamps].sort((one, other) => one.layer - other.layer);
    return [
      this.put(`<svg xmlns="http://www.w3.org/2000/svg" class="bv" viewBox="${left} ${top} ${width} ${height}">`),
      ...layers.map((one) => this.text(one)),
      this.put("</svg>"),
    ];
  }

  /** Return it as a file of a board that the copy shows. */
  get data() {
    drawn += 1;
    const { game } = this.link;
    const views = this.turns.map(({ stamps, scores, mover }, at) => ({
      document: { burgrave: 1, type: "position", game, title: this.title, drawn: [drawn, at] },
      svg: this.picture(stamps),
      title: this.title,
      game,
      about: this.says.slice(this.turns.length > 1 ? 1 : 0), // who is to move there is told of each turn
      players: Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, { score }])),
      to_move: mover,
      over: mover === null,
      final: at === this.turns.length - 1 ? this.final : null,
    }));
    const steps = this.turns.slice(1).map(({ says, notation, events: happened }, at) =>
      ({ says, notation, events: happened, before: at, position: at + 1 }));
    return { position: 0, steps, views, pieces: this.pieces };
  }
}

/**
 * Return what a link draws, in the form of a file of a board.
 * @param {string} text the part of the address
 * @param {function(string): Promise<{tiles: object, stock: object}>} stockOf brings the pictures of a game
 */
export async function drawing(text, stockOf) {
  need(text.length <= MOST_LETTERS);
  const link = await unpacked(text).catch(() => need(false));
  need(link !== null && typeof link === "object");
  if (Number.isInteger(link.version) && link.version !== VERSION) throw new Error(t("otherLink"));
  keyed(link, "version", "game", "tiles", "title", "says", "players", "scores", "mover", "stamps", "steps", "end");
  need(link.version === VERSION);
  const { tiles, stock } = await stockOf(link.game);
  if (words(link.tiles) !== stock.tiles) throw new Error(t("otherLink"));
  return new Drawing(link, tiles, { ...stock, pieces: [...stock.pieces] }).data;
}
