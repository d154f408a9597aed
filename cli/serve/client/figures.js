// Putting followers on features, and towers: who and which is chosen once, then each tap puts one.

import { button, choice, el, field, fill } from "./dom.js";
import { playerOf, putTile, putTower, tileOn, towerOn } from "./lines.js";
import { capital, t } from "./texts.js";

const PLAIN = "follower"; // what a follower without a rank is called here
const NEAR = 48; // pixels of a cell below which the nearest feature is meant

export class Figures {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.who = null; // the player whose followers are put
    this.rank = PLAIN;
    this.root = el("section", { class: "people" });
  }

  get position() {
    return this.editor.position;
  }

  draw() {
    const { editor } = this;
    const { cell, game, players } = editor;
    if (!players.includes(this.who)) [this.who] = players;
    const ranks = [PLAIN, ...game.specials];
    if (!ranks.includes(this.rank)) this.rank = PLAIN;
    const pick = (key, values, text) => el("div", { class: "chips", role: "group", "aria-label": t(key) }, values.map((value) =>
      el("button", {
        type: "button",
        class: "chip",
        "aria-pressed": String(this[text] === value),
        on: {
          click: () => {
            this[text] = value;
            this.draw();
          },
        },
      }, text === "who" ? [el("i", { class: `dot ${value}` }), ` ${capital(value)}`] : value)));
    const tile = cell && tileOn(this.position, cell);
    const kind = tile && editor.tiles.byId.get(tile.id);
    fill(
      this.root,
      pick("followersOf", players, "who"),
      ranks.length > 1 ? pick("rank", ranks, "rank") : null,
      el("p", { class: "faint" }, tile ? t("tileOn", { tile: tile.id, cell }) : t("howToPut")),
      tile ? el("ul", { class: "segments" }, kind.segments.map((one, index) => this.segment(tile, one, index))) : null,
      tile && kind.tower_place && game.tower_pieces ? this.tower(cell) : null,
    );
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
   * Return the feature of a tile that is meant by a place on it: what lies there or, on a small
   * board or where no follower can stand, the one whose follower would stand nearest.
   * @param {number|null} segment what lies under the pointer
   * @param {object|null} at `x` and `y` within the tile from 0 to 1, and the `size` of the cell
   */
  meant(tile, segment, at) {
    const { segments } = this.editor.tiles.byId.get(tile.id);
    if (segment !== null && segments[segment].role && (!at || at.size >= NEAR)) return segment;
    if (!at) return null;
    const away = ({ spot }) => {
      let [x, y] = spot;
      for (let turn = 0; turn < tile.rotation; turn += 1) [x, y] = [100 - y, x];
      return Math.hypot(x / 100 - at.x, y / 100 - at.y);
    };
    const open = segments.map((one, index) => ({ one, index })).filter(({ one }) => one.role);
    return open.sort((a, b) => away(a.one) - away(b.one))[0]?.index ?? null;
  }

  /** Put a follower of the chosen player on a segment, or take him away. */
  async toggle(cell, index) {
    const tile = tileOn(this.position, cell);
    const segment = this.editor.tiles.byId.get(tile.id).segments[index];
    if (!segment?.role) return;
    const at = segment.names[tile.rotation];
    const title = this.rank === PLAIN ? segment.role : this.rank;
    const there = tile.followers.find((one) => one.at === at && one.player === this.who);
    const follower = { player: this.who, title, at };
    this.rank = PLAIN; // a player has one figure of each other rank
    await this.editor.change((position) => {
      const now = tileOn(position, cell);
      const followers = there
        ? now.followers.filter((one) => one.at !== at || one.player !== there.player)
        : [...now.followers, follower];
      putTile(position, cell, { ...now, followers });
      this.send(position, there ?? follower, there ? 1 : -1);
    });
    this.editor.say(t(there ? "tookAway" : "put", { who: `${capital(follower.player)} ${title}`, at: `${segment.kind} ${at}`, cell }));
  }

  /** Let a follower come out of the supply (-1) or go back into it (1). */
  send(position, { player, title }, step) {
    const { game } = this.editor;
    const entry = playerOf(position, player);
    if (game.specials.includes(title)) {
      const others = (entry.specials ?? []).filter((one) => one !== title);
      entry.specials = step > 0 ? [...others, title] : others;
    } else entry.supply = Math.max(0, (entry.supply ?? game.followers) + step);
  }
}
