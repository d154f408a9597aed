// What lies beside the board: the tiles to come, the players' pieces, wall tiles, switches, the title.

import { button, choice, dot, el, field, fill, steady } from "./dom.js";
import { playerOf, readBag, readIds, writeBag } from "./lines.js";
import { Stock } from "./stock.js";
import { boxes, editionOf, inForce, question } from "./switches.js";
import { capital, t } from "./texts.js";

const CASTLE_FIELDS = [["score", 0, 9999], ["supply", 0, 99], ["fresh_followers", 0, 99], ["keep", 0, 99]];
const FALCON_FIELDS = [["tokens", 0, 99]];
const PLANE_FIELDS = [["score", 0, 9999], ["supply", 0, 99]];
const TOWER_FIELDS = [["pieces", 0, 30]];

export class Setup {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.stock = new Stock(editor);
    const part = (name) => el("section", { class: `part ${name}` });
    [this.bar, this.stack, this.list, this.walls, this.rules, this.about] = ["bar", "stack", "players", "walls", "rules", "about"].map(part);
    this.root = el("div", { class: "editor" }, this.bar, this.stack, this.list, this.walls, this.rules, this.about);
  }

  get position() {
    return this.editor.position;
  }

  get game() {
    return this.editor.game;
  }

  get players() {
    return this.editor.players;
  }

  change(change) {
    return this.editor.change(change);
  }

  draw() {
    steady(this.bar, () => this.drawBar());
    steady(this.stack, () => this.drawStack());
    steady(this.list, () => this.drawPlayers());
    steady(this.walls, () => this.drawWalls());
    steady(this.rules, () => this.drawRules());
    fill(this.about, this.folded("about", t("aboutSet"), el("p", {}, this.editor.tiles.set), el("p", { class: "faint" }, this.editor.tiles.note)));
  }

  drawBar() {
    fill(this.bar, this.words(t("title"), this.position.title ?? "", (position, text) => { position.title = text; }));
  }

  words(label, value, change) {
    const input = el("input", {
      type: "text", value, spellcheck: false, autocomplete: "off",
      on: { change: (event) => this.change((position) => change(position, event.target.value)) },
    });
    return field(label, input);
  }

  drawStack() {
    const { order = [], bag = {}, discarded = [], to_move: mover } = this.position;
    this.stock.draw();
    const shuffle = () => this.change((position) => {
      const drawn = Object.entries(position.bag ?? {}).flatMap(([id, number]) => Array(number).fill(id));
      for (let last = drawn.length - 1; last > 0; last -= 1) {
        const other = Math.floor(Math.random() * (last + 1));
        [drawn[last], drawn[other]] = [drawn[other], drawn[last]];
      }
      position.order = [...(position.order ?? []), ...drawn];
      delete position.bag;
    });
    fill(
      this.stack,
      el("h3", {}, t("toCome")),
      field(t("moves"), choice(this.players.map((name) => [name, capital(name)]), mover ?? this.players[0], (name) =>
        this.change((position) => { position.to_move = name; }))),
      this.stock.root,
      this.folded("stock", t("stockInWords"),
        this.words(t("knownOrder"), order.join(" "), (position, text) => { position.order = readIds(text); }),
        this.words(t("bag"), writeBag(bag), (position, text) => { position.bag = readBag(text); }),
        el("div", { class: "bar" }, button(t("shuffleBag"), shuffle, { disabled: !Object.keys(bag).length })),
        this.words(t("discarded"), discarded.join(" "), (position, text) => { position.discarded = readIds(text); })),
    );
  }

  drawPlayers() {
    const fields = this.game.plane
      ? [...PLANE_FIELDS, ...(this.game.tower_pieces ? TOWER_FIELDS : [])]
      : [...CASTLE_FIELDS, ...(this.game.specials.length ? FALCON_FIELDS : [])];
    const has = structuredClone(this.position);
    const put = (name, key, value) => this.change((position) => { playerOf(position, name)[key] = value; });
    const number = (name, [key, min, max]) => field(t(`have_${key}`), el("input", {
      type: "number", min, max, value: playerOf(has, name)[key] ?? 0,
      on: { change: (event) => put(name, key, Number(event.target.value)) },
    }));
    const list = (name, key, read) => this.words(
      t(`have_${key}`),
      (playerOf(has, name)[key] ?? []).join(" "),
      (position, text) => { playerOf(position, name)[key] = readIds(text).map(read); },
    );
    fill(
      this.list,
      this.players.map((name) => el(
        "fieldset",
        {},
        el("legend", {}, dot(name), capital(name)),
        el("div", { class: "fields narrow" },
          fields.map((one) => number(name, one)),
          this.game.plane ? null : [list(name, "wall_tiles", Number), list(name, "fresh_wall_tiles", Number)],
          this.game.specials.length ? list(name, "specials", String) : null,
          this.game.specials.length && !this.game.plane ? list(name, "fresh_specials", String) : null,
          this.game.tower_pieces ? list(name, "prisoners", String) : null,
        ),
      )),
    );
  }

  /** Part of the panel that opens, and stays open while the position changes. */
  folded(key, title, ...children) {
    this.unfolded ??= new Set();
    // At the click, not when it has opened: it may be drawn anew before.
    const click = () => (details.open ? this.unfolded.delete(key) : this.unfolded.add(key));
    const summary = el("summary", { on: { click } }, title);
    const details = el("details", { open: this.unfolded.has(key) }, summary, ...children);
    return details;
  }

  /** A table of the position, one choice for each name; the empty choice takes the name out. */
  table(key, names, label, options, read) {
    const has = this.position[key] ?? {};
    const put = (name, value) => this.change((position) => {
      const { [name]: _, ...others } = position[key] ?? {};
      position[key] = value === "" ? others : { ...others, [name]: read(value) };
    });
    return el("div", { class: "fields narrow" }, names.map((name) =>
      field(label(name), choice(options, String(has[name] ?? ""), (value) => put(name, value)))));
  }

  drawWalls() {
    if (this.game.plane) {
      fill(this.walls);
      return;
    }
    const { spent = [], extra_turns: extra = 0, in_extra_turn: within = false } = this.position;
    const numbers = Array.from({ length: 9 }, (_, index) => [String(index + 1), String(index + 1)]);
    const tiles = [["", t("noWallTile")], ["0", t("faceDown")], ...numbers];
    const shows = [["", t("asUsual")], ...this.game.pictures.map((name) => [name, name])];
    fill(
      this.walls,
      this.folded("walls", t("wallTiles"),
        this.table("towers", this.game.towers, (name) => t("cornerTower", { name }), tiles, Number),
        this.words(t("spent"), spent.join(" "), (position, text) => { position.spent = readIds(text).map(Number); }),
        field(t("extraTurns"), el("input", { type: "number", min: 0, max: 2, value: extra, on: { change: (event) => this.change((position) => { position.extra_turns = Number(event.target.value); }) } })),
        el("label", { class: "tick" }, el("input", { type: "checkbox", checked: within, on: { change: (event) => this.change((position) => { position.in_extra_turn = event.target.checked; }) } }), ` ${t("inExtraTurn")}`),
      ),
      this.folded("starts", t("startSpaces"),
        this.table("start_spaces", this.game.starts, (name) => t("startSpace", { name }), shows, String)),
    );
  }

  drawRules() {
    const { editions } = this.editor.games;
    const put = (name, value) => this.change((position) => {
      position.switches = { ...position.switches, [name]: value };
    });
    fill(
      this.rules,
      this.game.plane ? boxes(editions, editionOf(this.position, editions).name, (name) => this.change((position) => { position.edition = name; })) : null,
      this.folded("rules", t("switches"), this.game.switches.map((one) =>
        question(one, inForce(one, this.position, this.game, editions), (value) => put(one.name, value)))),
    );
  }
}
