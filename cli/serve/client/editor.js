// Setting up a position: tiles, followers, towers, wall tiles, markers, supply, bag and order.

import { get } from "./api.js";
import { same } from "./board.js";
import { button, choice, el, field, fill, picture, steady } from "./dom.js";
import {
  playerOf, putTile, putTower, readBag, readIds, takeTile, tileOn, towerOn, turnTile, used, writeBag,
} from "./lines.js";
import { capital, t } from "./texts.js";
import { findings } from "./told.js";

const PLAIN = "follower"; // what a follower without a rank is called here
const CASTLE_FIELDS = [["score", 0, 9999], ["supply", 0, 99], ["fresh_followers", 0, 99], ["keep", 0, 99]];
const FALCON_FIELDS = [["tokens", 0, 99]];
const PLANE_FIELDS = [["score", 0, 9999], ["supply", 0, 99]];
const TOWER_FIELDS = [["pieces", 0, 30]];

export class Editor {
  constructor(session, files, { board, say }) {
    this.session = session;
    this.board = board;
    this.say = say;
    this.files = files;
    this.tile = null; // the kind in hand
    this.rotation = 0;
    this.cell = null;
    this.who = null; // the player whose followers are put
    this.rank = PLAIN;
    this.sections = Object.fromEntries(
      ["bar", "problems", "chosen", "tiles", "stack", "players", "walls", "rules"]
        .map((name) => [name, el("section", { class: `part ${name}` })]),
    );
    const { tiles, chosen, problems, bar, ...rest } = this.sections;
    this.parts = [
      ["tiles", el("div", { class: "editor" }, chosen, tiles)],
      ["more", el("div", { class: "editor" }, bar, Object.values(rest))],
      ["file", files.root],
    ];
    this.head = problems;
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
    if (part === "file") this.files.open();
  }

  get handler() {
    return {
      activate: (cell, segment) => this.activate(cell, segment),
      point: (cell) => this.point(cell),
      turn: (steps) => this.turn(steps),
      key: (event, cell) => this.key(event, cell),
      drag: (cell) => `move ${cell}`,
      drop: (cell, text) => this.drop(cell, text),
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

  change(change) {
    return this.session.change(change);
  }

  refresh() {
    if (!this.games) return;
    if (!this.players.includes(this.who)) [this.who] = this.players;
    if (!this.tiles.byId.has(this.tile)) this.tile = null;
    this.mark();
    steady(this.sections.bar, () => this.drawBar());
    steady(this.sections.problems, () => this.drawProblems());
    steady(this.sections.chosen, () => this.drawChosen());
    steady(this.sections.tiles, () => this.drawTiles());
    steady(this.sections.stack, () => this.drawStack());
    steady(this.sections.players, () => this.drawPlayers());
    steady(this.sections.walls, () => this.drawWalls());
    steady(this.sections.rules, () => this.drawRules());
  }

  mark() {
    const wrong = this.session.view.problems.flatMap((one) => one.cells);
    this.board.mark({ problem: wrong, chosen: this.cell ? [this.cell] : [] });
  }

  // What the board does

  async activate(cell, segment) {
    const there = tileOn(this.position, cell);
    const again = same(cell, this.cell);
    this.cell = cell;
    if (!there) {
      if (this.tile) await this.lay(cell, this.tile, this.rotation);
      else this.look();
    } else if (again && segment !== null) await this.toggle(cell, segment);
    else this.look();
  }

  look() {
    this.mark();
    this.drawChosen();
  }

  /** Show the tile in hand where it would lie. */
  point(cell) {
    const free = cell && this.tile && !tileOn(this.position, cell);
    this.board.ghost(free ? cell : null, free && this.tiles.byId.get(this.tile).svg, this.rotation);
  }

  async lay(cell, id, rotation) {
    await this.change((position) => {
      const { count } = this.tiles.byId.get(id);
      putTile(position, cell, { id, cell, rotation, followers: [] });
      if ((used(position).get(id) ?? 0) > count) takeTile(position, id);
    });
    this.say(t("laid", { tile: id, cell }));
  }

  async turn(steps) {
    const there = this.cell && tileOn(this.position, this.cell);
    if (!there) {
      this.rotation = (this.rotation + steps) % 4;
      steady(this.sections.tiles, () => this.drawTiles());
      return;
    }
    const rotation = (there.rotation + steps) % 4;
    await this.change((position) =>
      putTile(position, this.cell, turnTile(there, rotation, this.tiles.byId.get(there.id))),
    );
  }

  key(event, cell) {
    if (event.key !== "Delete" && event.key !== "Backspace") return false;
    this.cell = cell;
    this.erase();
    return true;
  }

  async erase() {
    const there = tileOn(this.position, this.cell);
    if (!there) return;
    await this.change((position) => {
      for (const one of there.followers) this.send(position, one, 1);
      putTile(position, this.cell, null);
      putTower(position, this.cell, { height: 0 });
      if (!position.built.length) delete position.built;
    });
  }

  async drop(cell, text) {
    const [what, value] = text.split(" ");
    this.cell = cell;
    if (what === "tile" && this.tiles.byId.has(value)) await this.lay(cell, value, this.rotation);
    if (what !== "move") return;
    const from = value.split(",").map(Number);
    const tile = tileOn(this.position, from);
    if (!tile || same(from, cell)) return;
    await this.change((position) => {
      putTile(position, from, null);
      putTile(position, cell, { ...tile, cell });
    });
  }

  /** Let a follower come out of the supply (-1) or go back into it (1). */
  send(position, { player, title }, step) {
    const entry = playerOf(position, player);
    if (this.game.specials.includes(title)) {
      const others = (entry.specials ?? []).filter((one) => one !== title);
      entry.specials = step > 0 ? [...others, title] : others;
    } else entry.supply = Math.max(0, (entry.supply ?? this.game.followers) + step);
  }

  /** Put a follower of the chosen player on a segment, or take him away. */
  async toggle(cell, index) {
    const tile = tileOn(this.position, cell);
    const segment = this.tiles.byId.get(tile.id).segments[index];
    const at = segment.names[tile.rotation];
    const title = this.rank === PLAIN ? segment.role : this.rank;
    if (!segment.role) return;
    const there = tile.followers.find((one) => one.at === at && one.player === this.who);
    const follower = { player: this.who, title, at };
    const followers = there
      ? tile.followers.filter((one) => one !== there)
      : [...tile.followers, follower];
    await this.change((position) => {
      putTile(position, cell, { ...tile, followers });
      this.send(position, there ?? follower, there ? 1 : -1);
    });
  }

  // The parts of the panel

  drawBar() {
    const title = el("input", {
      type: "text",
      value: this.position.title ?? "",
      on: { change: (event) => this.change((position) => { position.title = event.target.value; }) },
    });
    fill(
      this.sections.bar,
      field(t("title"), title),
    );
  }

  drawProblems() {
    const { problems } = this.session.view;
    const show = (one) => {
      this.cell = one.cells[0];
      this.look();
      this.board.reach(this.cell);
    };
    fill(
      this.sections.problems,
      el("h3", {}, t("problems")),
      problems.length
        ? findings(problems, { onPick: show })
        : el("p", { class: "good" }, t("possible")),
    );
  }

  drawChosen() {
    const { cell } = this;
    const there = cell && tileOn(this.position, cell);
    if (!there) {
      fill(this.sections.chosen, el("p", { class: "faint" }, t("howToEdit")));
      return;
    }
    const kind = this.tiles.byId.get(there.id);
    const figure = el("div", { class: `tile turned r${there.rotation}` }, picture(kind.svg));
    fill(
      this.sections.chosen,
      el("h3", {}, t("tileOn", { tile: there.id, cell })),
      el(
        "div",
        { class: "hand" },
        figure,
        el(
          "div",
          { class: "bar" },
          button(t("rotate"), () => this.turn(1)),
          button(t("erase"), () => this.erase()),
        ),
      ),
      this.drawWho(),
      el("ul", { class: "segments" }, kind.segments.map((segment, index) => this.segment(there, segment, index))),
      kind.tower_place && this.game.tower_pieces ? this.tower(cell) : null,
    );
  }

  drawWho() {
    const player = choice(this.players.map((name) => [name, capital(name)]), this.who, (name) => {
      this.who = name;
      this.drawChosen();
    });
    const ranks = [PLAIN, ...this.game.specials];
    const rank = choice(ranks.map((name) => [name, name]), this.rank, (name) => {
      this.rank = name;
      this.drawChosen();
    });
    return el(
      "div",
      { class: "fields" },
      field(t("followersOf"), player),
      ranks.length > 1 ? field(t("rank"), rank) : null,
    );
  }

  segment(tile, segment, index) {
    const at = segment.names[tile.rotation];
    const here = tile.followers.filter((one) => one.at === at);
    const mine = here.some((one) => one.player === this.who);
    const standing = here.map((one) => `${capital(one.player)}: ${one.title}`).join(", ");
    return el(
      "li",
      {},
      el("span", {}, `${segment.kind} ${at}`, standing ? el("strong", {}, ` ${standing}`) : null),
      segment.role
        ? button(
            mine ? t("takeAway") : t("putFollower", { title: this.rank === PLAIN ? segment.role : this.rank }),
            () => this.toggle(this.cell, index),
            { class: "chip", "aria-label": `${mine ? t("takeAway") : t("putFollower", { title: segment.role })} ${segment.kind} ${at}` },
          )
        : null,
    );
  }

  tower(cell) {
    const tower = towerOn(this.position, cell);
    const put = (more) => this.change((position) => putTower(position, cell, { ...tower, ...more }));
    const height = el("input", {
      type: "number", min: 0, max: 30, value: tower.height,
      on: { change: (event) => put({ height: Number(event.target.value) }) },
    });
    const guards = [["", t("nobody")], ...this.players.map((name) => [name, capital(name)]), ["closed", t("closed")]];
    return el(
      "div",
      { class: "fields" },
      field(t("towerHeight"), height),
      field(t("guard"), choice(guards, tower.guard, (guard) => put({ guard }))),
    );
  }

  drawTiles() {
    const left = used(this.position);
    const kinds = this.tiles.kinds.map((kind) => {
      const rest = kind.count - (left.get(kind.id) ?? 0);
      const chosen = kind.id === this.tile;
      return el(
        "button",
        {
          type: "button",
          class: "kind",
          draggable: true,
          "aria-pressed": String(chosen),
          "aria-label": `${kind.id} ${kind.title} (${t("left", { count: rest })})`,
          title: kind.title,
          on: {
            click: () => {
              this.tile = chosen ? null : kind.id;
              steady(this.sections.tiles, () => this.drawTiles());
            },
            dragstart: (event) => event.dataTransfer.setData("text/plain", `tile ${kind.id}`),
          },
        },
        el("span", { class: `turned r${chosen ? this.rotation : 0}` }, picture(kind.svg)),
        el("span", {}, `${kind.id} `, el("small", { class: rest < 0 ? "bad" : "" }, `×${rest}`)),
      );
    });
    fill(
      this.sections.tiles,
      el("h3", {}, t("tiles_of_set")),
      el("div", { class: "bar" },
        el("span", { class: "faint" }, this.tile ? t("tileInHand", { tile: this.tile }) : t("noTileInHand")),
        this.tile ? button(t("rotate"), () => { this.cell = null; this.turn(1); }) : null,
        this.tile ? button(t("toOrder"), () => this.change((position) => { position.order = [...(position.order ?? []), this.tile]; })) : null,
        this.tile ? button(t("toBag"), () => this.change((position) => { position.bag = { ...position.bag, [this.tile]: (position.bag?.[this.tile] ?? 0) + 1 }; })) : null,
      ),
      el("div", { class: "kinds" }, kinds),
      el("details", {}, el("summary", {}, t("aboutSet")), el("p", {}, this.tiles.set), el("p", { class: "faint" }, this.tiles.note)),
    );
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
    const rest = () => this.change((position) => {
      const left = used(position);
      const found = { ...position.bag };
      for (const kind of this.tiles.kinds) {
        const number = kind.count - (left.get(kind.id) ?? 0);
        if (number > 0) found[kind.id] = (found[kind.id] ?? 0) + number;
      }
      position.bag = found;
    });
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
      this.sections.stack,
      el("h3", {}, t("toCome")),
      field(t("moves"), choice(this.players.map((name) => [name, capital(name)]), mover ?? this.players[0], (name) =>
        this.change((position) => { position.to_move = name; }))),
      this.words(t("knownOrder"), order.join(" "), (position, text) => { position.order = readIds(text); }),
      this.words(t("bag"), writeBag(bag), (position, text) => { position.bag = readBag(text); }),
      el("div", { class: "bar" },
        button(t("restToBag"), rest),
        button(t("shuffleBag"), shuffle, { disabled: !Object.keys(bag).length }),
        button(t("emptyStack"), () => this.change((position) => { delete position.order; delete position.bag; })),
      ),
      this.words(t("discarded"), discarded.join(" "), (position, text) => { position.discarded = readIds(text); }),
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
      this.sections.players,
      this.players.map((name) => el(
        "fieldset",
        {},
        el("legend", {}, el("i", { class: `dot ${name}` }), capital(name)),
        el("div", { class: "fields narrow" },
          fields.map((one) => number(name, one)),
          this.game.plane ? null : [list(name, "wall_tiles", Number), list(name, "fresh_wall_tiles", Number)],
          this.game.specials.length ? [list(name, "specials", String), list(name, "fresh_specials", String)] : null,
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
      fill(this.sections.walls);
      return;
    }
    const { spent = [], extra_turns: extra = 0, in_extra_turn: within = false } = this.position;
    const numbers = Array.from({ length: 9 }, (_, index) => [String(index + 1), String(index + 1)]);
    const tiles = [["", t("noWallTile")], ["0", t("faceDown")], ...numbers];
    const shows = [["", t("asUsual")], ...this.game.pictures.map((name) => [name, name])];
    fill(
      this.sections.walls,
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
    const { switches = {} } = this.position;
    const put = (name, value) => this.change((position) => {
      position.switches = { ...position.switches, [name]: value };
    });
    fill(
      this.sections.rules,
      this.folded("rules", t("switches"), this.game.switches.map((one) =>
        field(one.name, choice(one.values.map((value) => [value, value]), switches[one.name] ?? this.inForce(one), (value) => put(one.name, value), { title: one.why })))),
    );
  }

  /** Return the value of a switch that the position does not name. */
  inForce(one) {
    const profile = this.games.profiles.find(({ name }) => name === (this.position.profile ?? "rgg2006"));
    return (this.game.plane && profile.switches[one.name]) || one.values[0];
  }
}
