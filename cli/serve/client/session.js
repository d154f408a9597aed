// A position that is being looked at, with what the server says of it, and the way back.

import { post } from "./api.js";

const MOST_STEPS = 200;

/**
 * Changes wait for each other, and position, view and tiles change at once: what is shown and what
 * a click works on are always the same.
 */
export class Session extends EventTarget {
  constructor() {
    super();
    this.position = null;
    this.view = null;
    this.tiles = null;
    this.past = [];
    this.future = [];
    this.queue = Promise.resolve();
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

  undo() {
    return this.after(() => this.travel(this.past, this.future));
  }

  redo() {
    return this.after(() => this.travel(this.future, this.past));
  }

  after(work) {
    const done = this.queue.then(work);
    this.queue = done.catch(() => {});
    return done;
  }

  async advance(position, beginning, arrived = null) {
    const before = this.position;
    await this.load(position);
    arrived?.();
    this.past = beginning || !before ? [] : [...this.past.slice(-MOST_STEPS), before];
    this.future = [];
    this.dispatchEvent(new Event("change"));
  }

  async travel(from, to) {
    if (!from.length) return;
    const before = this.position;
    await this.load(from.at(-1));
    from.pop();
    to.push(before);
    this.dispatchEvent(new Event("change"));
  }

  async load(position) {
    const view = await post("/api/view", { position });
    const document = view.document ?? position;
    // What is no position at all keeps the tiles of the one before it.
    this.tiles = view.document ? await tilesOf(document) : this.tiles;
    this.position = document;
    this.view = view;
  }
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
