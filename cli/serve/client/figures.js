// Putting followers on features, and towers: a follower is taken once, then each tap puts one.

import { button, choice, el, field, fill, picture } from "./dom.js";
import { playerOf, putTile, putTower, tileOn, towerOn } from "./lines.js";
import { capital, t } from "./texts.js";

const PLAIN = "follower"; // what a follower without a rank is called here
const NEAR = 48; // pixels of a cell below which the nearest feature is meant
const CLOSE = 0.1; // of a cell, from where a follower stands to where he is meant
const REACH = 0.2; // to where he is taken up

export class Figures {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.who = null; // the player whose followers are put, if any are
    this.rank = PLAIN;
    this.tray = el("div", { class: "tray", role: "group", "aria-label": t("whoIsPut") });
    this.features = el("div", { class: "features" }); // of the tile that is chosen
  }

  get position() {
    return this.editor.position;
  }

  draw() {
    const { editor } = this;
    const { cell, game, players } = editor;
    if (!players.includes(this.who)) this.who = null;
    const ranks = [PLAIN, ...game.specials];
    if (!ranks.includes(this.rank)) this.rank = PLAIN;
    const focused = this.tray.contains(document.activeElement) ? document.activeElement.dataset.figure : null;
    fill(this.tray, players.map((player) => el("div", {}, ranks.map((rank) => this.chip(player, rank)))));
    if (focused) this.tray.querySelector(`[data-figure="${focused}"]`)?.focus({ preventScroll: true });
    const tile = this.who && cell && tileOn(this.position, cell);
    const kind = tile && editor.tiles.byId.get(tile.id);
    this.features.hidden = !tile;
    editor.palette.list.hidden = Boolean(tile);
    fill(
      this.features,
      tile ? el("ul", { class: "segments" }, kind.segments.map((one, index) => this.segment(tile, one, index))) : null,
      tile && kind.tower_place && game.tower_pieces ? this.tower(cell) : null,
    );
  }

  /** Take a follower of a player, or put him down again. */
  take(player, rank) {
    const again = this.who === player && this.rank === rank;
    this.editor.hold(null);
    this.editor.choose(null);
    [this.who, this.rank] = [again ? null : player, rank];
    this.editor.look();
  }

  /** Return the button that chooses whose follower of which rank is put, with what is left of them. */
  chip(player, rank) {
    const plain = rank === PLAIN;
    const { supply = this.editor.game.followers, specials = [] } = playerOf(structuredClone(this.position), player);
    const left = plain ? supply : Number(specials.includes(rank));
    const word = plain ? capital(player) : rank;
    return el("button", {
      type: "button",
      class: "figure-of",
      data: { figure: `${player} ${rank}` },
      "aria-pressed": String(this.who === player && this.rank === rank),
      title: `${capital(player)} ${rank}`,
      "aria-label": t("figureLeft", { who: `${capital(player)} ${rank}`, left }),
      on: {
        pointerdown: (event) => this.editor.board.carry(event, this.carried({ player, title: rank })),
        click: () => this.take(player, rank),
      },
    }, this.art({ player, title: rank }), el("span", {}, word), el("b", {}, String(left)));
  }

  /** Return the picture of a follower. */
  art({ player, title }) {
    const { figures } = this.editor.games;
    const svg = picture(figures[title] ?? figures[PLAIN]);
    svg.querySelector(".body").classList.add(player);
    return svg;
  }

  segment(tile, segment, index) {
    const at = segment.names[tile.rotation];
    const here = tile.followers.filter((one) => one.at === at);
    const mine = here.some((one) => one.player === this.who);
    const standing = here.map((one) => `${capital(one.player)}: ${one.title}`).join(", ");
    const title = this.rank === PLAIN ? segment.role : this.rank;
    const label = mine ? t("takeAway") : t("putFollower", { title });
    return el(
      "li",
      {},
      el("span", {}, `${segment.kind} ${at}`, standing ? el("strong", {}, ` ${standing}`) : null),
      segment.role
        ? button(label, () => this.toggle(this.editor.cell, index), { class: "chip", "aria-label": `${label} ${segment.kind} ${at}` })
        : null,
    );
  }

  tower(cell) {
    const tower = towerOn(this.position, cell);
    const put = (more) => this.editor.change((position) => putTower(position, cell, { ...tower, ...more }));
    const height = el("input", {
      type: "number", min: 0, max: 30, value: tower.height,
      on: { change: (event) => put({ height: Number(event.target.value) }) },
    });
    const guards = [["", t("nobody")], ...this.editor.players.map((name) => [name, capital(name)]), ["closed", t("closed")]];
    return el(
      "div",
      { class: "fields" },
      field(t("towerHeight"), height),
      field(t("guard"), choice(guards, tower.guard, (guard) => put({ guard }))),
    );
  }

  /**
   * Return the feature of a tile that is meant by a place on it: the one whose follower stands or
   * would stand there, else what lies there or, on a small board, whose follower is nearest.
   * @param {number|null} segment what lies under the pointer
   * @param {object|null} at `x` and `y` within the tile from 0 to 1, and the `size` of the cell
   */
  meant(tile, segment, at) {
    if (!at) return null;
    const { segments } = this.editor.tiles.byId.get(tile.id);
    const open = segments.map((one, index) => ({ index, far: one.role ? away(tile, one, at) : Infinity }));
    const [nearest] = open.sort((one, other) => one.far - other.far);
    if (at.size >= NEAR && nearest.far > CLOSE && segments[segment]?.role) return segment;
    return nearest.far < Infinity ? nearest.index : null;
  }

  /** Return the follower of a tile who stands nearest to a place on it; near it, unless figures are put. */
  near(tile, at) {
    const { segments } = this.editor.tiles.byId.get(tile.id);
    const all = tile.followers.map((who) => {
      const segment = segments.find(({ names }) => names[tile.rotation] === who.at);
      return { who, far: segment ? away(tile, segment, at) : 1 };
    }).filter(({ far }) => this.who || far < REACH);
    return all.sort((a, b) => a.far - b.far)[0]?.who ?? null;
  }

  /** Put a follower of the chosen player on a segment, or take away the one whom he has there. */
  toggle(cell, index) {
    const player = this.who ?? this.editor.players[0];
    const tile = tileOn(this.position, cell);
    const at = this.editor.tiles.byId.get(tile.id).segments[index]?.names[tile.rotation];
    const there = tile.followers.find((one) => one.at === at && one.player === player);
    if (there) return this.send(there, cell, null);
    const who = { player, title: this.rank };
    this.rank = PLAIN; // a player has one figure of each other rank
    return this.send(who, null, cell, index);
  }

  /** Return what lets a follower be carried from a cell, or from beside the board. */
  carried(who, from = null) {
    return {
      from,
      art: () => this.art(who),
      drop: (cell, segment, at) => {
        const tile = tileOn(this.position, cell);
        if (tile) this.send(who, from, cell, this.meant(tile, segment, at));
      },
    };
  }

  /** Let a follower go from a cell to a segment of another; without a cell, from or to the supply. */
  async send({ player, title, at: left }, from, cell, index) {
    const tile = cell && tileOn(this.position, cell);
    const segment = tile && this.editor.tiles.byId.get(tile.id).segments[index];
    if (tile && !segment?.role) return;
    const at = segment?.names[tile.rotation];
    if (tile?.followers.some((one) => one.player === player && one.at === at)) return;
    const follower = { player, title: this.editor.game.specials.includes(title) ? title : segment?.role ?? title, at };
    await this.editor.change((position) => {
      const put = (on, followers) => putTile(position, on, { ...tileOn(position, on), followers });
      if (from) put(from, tileOn(position, from).followers.filter((one) => one.at !== left || one.player !== player));
      else this.supply(position, follower, -1);
      if (cell) put(cell, [...tileOn(position, cell).followers, follower]);
      else this.supply(position, follower, 1);
    });
    const who = `${capital(player)} ${follower.title}`;
    this.editor.say(cell ? t("put", { who, at: `${segment.kind} ${at}`, cell }) : t("tookAway", { who, at: left, cell: from }));
  }

  /** Let a follower come out of the supply (-1) or go back into it (1). */
  supply(position, { player, title }, step) {
    const { game } = this.editor;
    const entry = playerOf(position, player);
    if (game.specials.includes(title)) {
      const others = (entry.specials ?? []).filter((one) => one !== title);
      entry.specials = step > 0 ? [...others, title] : others;
    } else entry.supply = Math.max(0, (entry.supply ?? game.followers) + step);
  }
}

/** Return how far a place on a tile is from where a follower stands on a segment of it. */
function away(tile, { spot }, at) {
  let [x, y] = spot;
  for (let turn = 0; turn < tile.rotation; turn += 1) [x, y] = [100 - y, x];
  return Math.hypot(x / 100 - at.x, y / 100 - at.y);
}
