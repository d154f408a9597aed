// A position that is being looked at, with what the server says of it, and the way back.

import { post } from "./api.js";

const MOST_STEPS = 200;

export class Session extends EventTarget {
  constructor() {
    super();
    this.position = null;
    this.view = null;
    this.past = [];
    this.future = [];
    this.serial = 0;
  }

  /** Put another position in place; it can be undone unless it is a beginning. */
  async set(position, { beginning = false } = {}) {
    if (beginning) this.past = [];
    else if (this.position) this.past = [...this.past.slice(-MOST_STEPS), this.position];
    this.future = [];
    await this.show(position);
  }

  /** Change the position by a function that gets a copy of it. */
  async change(change) {
    const position = structuredClone(this.position);
    change(position);
    await this.set(position);
  }

  async undo() {
    if (!this.past.length) return;
    this.future.push(this.position);
    await this.show(this.past.pop());
  }

  async redo() {
    if (!this.future.length) return;
    this.past.push(this.position);
    await this.show(this.future.pop());
  }

  async show(position) {
    const serial = ++this.serial;
    this.position = position;
    const view = await post("/api/view", { position });
    // A later change may have been answered before this one.
    if (serial !== this.serial) return;
    this.view = view;
    if (view.document) this.position = view.document;
    this.dispatchEvent(new Event("change"));
  }
}

const catalogues = new Map();

/** Return the tiles of a position's game: by id, with pictures and names of segments. */
export async function tilesOf(position) {
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
