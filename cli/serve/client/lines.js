// The lines of a file: tiles with their followers, towers, tiles counted in a bag.

const LINE = /^(\S+)@(-?\d+),(-?\d+)r([0-3])(.*)$/;
const FILE = /^\s*\{/;
const FOLLOWER = /^(\w+):(\w+)\.(\S+)$/;
const MOVE = /(\S+)@(-?\d+),(-?\d+)r([0-3])( ([a-z]+)\.(\S+))?/;
const TOWER = /^(-?\d+),(-?\d+):(\d+)(?: (\w+))?$/;

/** Return the move of a notation: tile, cell, rotation, and its first follower; null without a tile. */
export function readMove(notation) {
  const [, tile, x, y, rotation, , title = "", at = ""] = MOVE.exec(notation) ?? [];
  return tile ? { tile, cell: [Number(x), Number(y)], rotation: Number(rotation), title, at } : null;
}

/** Tell whether a text is a record, a saved game or a link to one, which have all their turns. */
export function isGame(text) {
  return FILE.test(text)
    ? !/"type"\s*:\s*"position"/.test(text)
    : /^type\s*=\s*"record"/m.test(text) || /^\s*https?:/.test(text);
}

/** Read a line of the board in its written form. */
export function readLine(text) {
  const [, id, x, y, rotation, rest] = LINE.exec(text);
  const followers = rest.trim().split(/\s+/).filter(Boolean).map((word) => {
    const [, player, title, at] = FOLLOWER.exec(word);
    return { player, title, at };
  });
  return { id, cell: [Number(x), Number(y)], rotation: Number(rotation), followers };
}

export function writeLine({ id, cell, rotation, followers }) {
  const words = followers.map((one) => `${one.player}:${one.title}.${one.at}`);
  return [`${id}@${cell}r${rotation}`, ...words].join(" ");
}

/** Return the tile on a cell, or null. */
export function tileOn(position, cell) {
  const line = position.board.find((one) => one.includes(`@${cell}r`));
  return line ? readLine(line) : null;
}

/** Return the cell of the tile that the last step of a session laid; null if it was another step. */
export function lastLaid({ past, position }) {
  const cells = (board) => board.map((line) => /@(-?\d+,-?\d+)r/.exec(line)?.[1]).filter(Boolean);
  const before = past.length ? cells(past.at(-1).position.board ?? []) : null;
  const now = cells(position.board ?? []);
  const fresh = before?.length === now.length - 1 ? now.filter((cell) => !before.includes(cell)) : [];
  return fresh.length === 1 ? fresh[0].split(",").map(Number) : null;
}

/** Put a tile on its cell in place of what lies there; null takes it away. */
export function putTile(position, cell, tile) {
  position.board = position.board.filter((one) => !one.includes(`@${cell}r`));
  if (tile) position.board.push(writeLine(tile));
}

/** Return a tile turned, its followers on the segments on which they stood. */
export function turnTile(tile, rotation, kind) {
  const followers = tile.followers.map((one) => {
    const segment = kind.segments.find(({ names }) => names[tile.rotation] === one.at);
    return segment ? { ...one, at: segment.names[rotation] } : one;
  });
  return { ...tile, rotation, followers };
}

/** Return the tower on a cell: height and who stands on it. */
export function towerOn(position, cell) {
  const line = (position.built ?? []).find((one) => one.startsWith(`${cell}:`));
  if (!line) return { height: 0, guard: "" };
  const [, , , height, guard] = TOWER.exec(line);
  return { height: Number(height), guard: guard ?? "" };
}

export function putTower(position, cell, { height, guard }) {
  const others = (position.built ?? []).filter((one) => !one.startsWith(`${cell}:`));
  if (height) others.push(`${cell}:${height}${guard ? ` ${guard}` : ""}`);
  position.built = others;
}

/** Return ids separated by spaces or commas as a list. */
export function readIds(text) {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** Return a bag as a list of ids, `K01 K02*2`. */
export function writeBag(bag = {}) {
  return Object.entries(bag).map(([id, count]) => (count > 1 ? `${id}*${count}` : id)).join(" ");
}

export function readBag(text) {
  const bag = {};
  for (const word of readIds(text)) {
    const [id, count] = word.split("*");
    bag[id] = (bag[id] ?? 0) + (Number(count) || 1);
  }
  return bag;
}

/** Return the entry of a player in a position, which is made if there is none. */
export function playerOf(position, name) {
  if (name === "white" || name === "black") return (position[name] ??= {});
  position.player ??= {};
  return (position.player[name] ??= {});
}

/** Return how many tiles of each kind a position uses, on the board and to come. */
export function used(position) {
  const found = new Map();
  const count = (id, number) => found.set(id, (found.get(id) ?? 0) + number);
  for (const line of position.board) count(readLine(line).id, 1);
  for (const id of [...(position.order ?? []), ...(position.discarded ?? [])]) count(id, 1);
  for (const [id, number] of Object.entries(position.bag ?? {})) count(id, number);
  return found;
}

/** Take a tile out of the bag or, if it is not there, out of the order; the last one goes. */
export function takeTile(position, id) {
  if (position.bag?.[id]) {
    position.bag[id] -= 1;
    if (!position.bag[id]) delete position.bag[id];
    return;
  }
  const at = (position.order ?? []).lastIndexOf(id);
  if (at >= 0) position.order = position.order.toSpliced(at, 1);
}
