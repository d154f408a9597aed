// A position that is being looked at, with what the server says of it, and the way back.

import { post } from "./api.js";
import { learnColours } from "./dom.js";
import { keep, kept } from "./store.js";

const MOST_STEPS = 200;
const KEPT_STEPS = 60; // back and forward, kept over a reload

/**
 * Changes wait for each other, and position, view and tiles change at once: what is shown and what
 * a click works on are always the same. Past and future hold positions with their lines.
 */
export class Session extends EventTarget {
  /** @param {string|null} name under which the browser keeps it; null for nothing to keep */
  constructor(name = null) {
    super();
    this.name = name;
    this.position = null;
    this.view = null;
    this.tiles = null;
    this.past = [];
    this.future = [];
    this.queue = Promise.resolve();
    this.safe = true; // whether the browser keeps all of it
  }

  /** The position in one line, and its title after a slash, for addresses; null if it has none. */
  get line() {
    const { line = null, title = "" } = this.view ?? {};
    return line && title ? `${line}/${title}` : line;
  }

  /**
   * Put another position in place; it can be undone unless it is a beginning.
   * @param {function(): void} [arrived] called when it is there, before anybody hears of it
   */
  set(position, { beginning = false, arrived = null } = {}) {
    return this.after(() => this.advance(position, beginning, arrived));
  }

  /** Change the position by a function that gets a copy of it. */
  change(change) {
    return this.after(() => {
      const position = structuredClone(this.position);
      change(position);
      return this.advance(position, false);
    });
  }

  undo(steps = 1) {
    return this.after(() => this.travel(this.past, this.future, steps));
  }

  redo() {
    return this.after(() => this.travel(this.future, this.past));
  }

  /** Go to the position of a line: a step back or forward, or one from elsewhere. */
  visit(line) {
    return this.after(async () => {
      if (line === this.line) return;
      const [back, on] = [this.past, this.future].map((steps) => steps.findLastIndex((one) => one.line === line));
      if (back >= 0) await this.travel(this.past, this.future, this.past.length - back);
      else if (on >= 0) await this.travel(this.future, this.past, this.future.length - on);
      else await this.advance(await opened(line), false);
    });
  }

  /**
   * Bring back what the browser keeps, and go on to what is wanted. Work of before can be undone to.
   * @param {object} start the position that the program was started with
   * @param {string} line the position that the address names; empty for none
   */
  restore(start, line) {
    return this.after(async () => {
      const work = this.name && kept(this.name);
      const begun = JSON.stringify(start);
      this.begun = begun;
      if (work) await this.load(work.now).catch(() => {});
      if (this.view) [this.past, this.future] = [work.past, work.future];
      const known = this.view && (line ? line === this.line : work.begun === begun);
      if (known) this.dispatchEvent(new Event("change"));
      else if (line) {
        try {
          await this.advance(await opened(line), false);
        } catch (error) {
          if (this.view) this.dispatchEvent(new Event("change"));
          else await this.advance(start, false);
          throw error;
        }
      } else await this.advance(start, false);
    });
  }

  after(work) {
    const done = this.queue.then(work);
    this.queue = done.catch(() => {});
    return done;
  }

  get step() {
    return { position: this.position, line: this.line };
  }

  async advance(position, beginning, arrived = null) {
    const before = this.position && this.step;
    await this.load(position);
    arrived?.();
    this.past = beginning || !before ? [] : [...this.past.slice(-MOST_STEPS), before];
    this.future = [];
    this.changed();
  }

  async travel(from, to, steps = 1) {
    if (from.length < steps) return;
    const passed = [this.step, ...from.slice(from.length - steps + 1).reverse()];
    await this.load(from.at(-steps).position);
    from.length -= steps;
    to.push(...passed);
    this.changed();
  }

  changed() {
    this.keep();
    this.dispatchEvent(new Event("change"));
  }

  keep() {
    if (!this.name) return;
    const last = (steps) => steps.slice(-KEPT_STEPS);
    this.safe = keep(this.name, { begun: this.begun, now: this.position, past: last(this.past), future: last(this.future) });
  }

  async load(position) {
    const asked = post("/api/view", { position });
    if (!this.tiles) tilesOf(position).catch(() => {}); // at the beginning nothing waits for another
    const view = await asked;
    const document = view.document ?? position;
    // What is no position at all keeps the tiles of the one before it.
    this.tiles = view.document ? await tilesOf(document) : this.tiles;
    if (view.players) learnColours(Object.keys(view.players));
    this.position = document;
    this.view = view;
  }
}

/** Return the position of a line, with the title that may follow it. */
async function opened(line) {
  const cut = line.indexOf("/");
  const text = cut < 0 ? line : line.slice(0, cut);
  const { position } = await post("/api/read", { text });
  return cut < 0 ? position : { ...position, title: line.slice(cut + 1) };
}

const catalogues = new Map();

/** Return the tiles of a position's game: by id, with pictures and names of segments. */
async function tilesOf(position) {
  const { game, tiles, kinds } = position;
  const key = JSON.stringify([game, tiles, kinds]);
  if (!catalogues.has(key)) {
    const bare = { burgrave: 1, type: "position", game };
    if (tiles) bare.tiles = tiles;
    if (kinds) bare.kinds = kinds;
    const asked = post("/api/tiles", { position: bare }).then((data) => ({
      ...data,
      byId: new Map(data.kinds.map((kind) => [kind.id, kind])),
    }));
    asked.catch(() => catalogues.delete(key));
    catalogues.set(key, asked);
  }
  return catalogues.get(key);
}
