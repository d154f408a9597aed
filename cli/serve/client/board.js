// The picture of a position, and over it a grid of cells that keys, pointers and readers reach.

import { Camera } from "./camera.js";
import { Carrying } from "./carrying.js";
import { el, fill, picture } from "./dom.js";
import { home, land } from "./motion.js";
import { t } from "./texts.js";

const UNIT = 100; // of the picture, a cell
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const REACH = 30; // cells that an arrow key may leap over
const FINGER = 44; // pixels of what a finger can hit
const STRENGTHS = 5; // of a value on a cell
const LIFTED = 1.25; // times the size of what lies

export const same = (one, other) => Boolean(one && other && one[0] === other[0] && one[1] === other[1]);

export class Board {
  /**
   * @param {HTMLElement} root
   * `handler` gets: key(event, cell) -> whether it was meant, before any other key;
   * activate(cell, segment, at), where `at` is null for keys, else `x` and `y` within the cell from
   * 0 to 1 and its `size` in pixels; point(cell or null), turn(steps); paints(cell) -> whether a
   * drag from there paints, paint(cell); lifts(cell, at) -> what is carried from there, or null.
   */
  constructor(root) {
    this.handler = {};
    this.art = () => null; // the picture of a kind of tile
    this.cells = new Map();
    this.current = null;
    this.sheet = el("div", { class: "sheet", "aria-hidden": "true" });
    this.grid = el("div", { class: "grid", role: "grid", "aria-label": t("board") });
    this.frame = el("div", { class: "frame" }, this.sheet, this.grid);
    const viewport = el("div", { class: "viewport" }, this.frame);
    fill(root, viewport, this.tools());
    this.camera = new Camera(root, viewport, this.frame);
    this.carrying = new Carrying(this.camera);
    this.listen();
  }

  tools() {
    const tool = (sign, key, work) =>
      el("button", { type: "button", "aria-label": t(key), title: t(key), on: { click: work } }, sign);
    return el(
      "div",
      { class: "zoom" },
      tool("+", "zoomIn", () => this.camera.step(1)),
      tool("−", "zoomOut", () => this.camera.step(-1)),
      tool("⤢", "zoomAll", () => this.camera.whole(true)),
    );
  }

  /** Show nothing. */
  empty() {
    fill(this.sheet);
    fill(this.grid);
    this.cells.clear();
  }

  /** Show a picture; the cells that it draws become the cells of the grid. */
  show(svg, label) {
    const shown = picture(svg);
    const before = this.sheet.firstElementChild;
    const stood = before ? this.standing(before) : null;
    const [left, top, width, height] = shown.getAttribute("viewBox").split(" ").map(Number);
    shown.removeAttribute("width");
    shown.removeAttribute("height");
    fill(this.sheet, shown);
    if (stood && this.another(stood.tiles, shown)) this.camera.whole();
    this.camera.show([left, top, width, height]);
    this.grid.setAttribute("aria-label", label ?? t("board"));
    const rows = new Map();
    const focused = this.grid.contains(document.activeElement);
    this.cells.clear();
    for (const group of shown.querySelectorAll(".cell[data-cell]")) {
      const cell = group.dataset.cell.split(",").map(Number);
      const [x, y] = cell;
      const node = el("div", {
        class: "spot",
        role: "gridcell",
        tabIndex: -1,
        data: { cell: `${x},${y}` },
      });
      node.style.left = `${(100 * (x * UNIT - left)) / width}%`;
      node.style.top = `${(100 * (-(y + 1) * UNIT - top)) / height}%`;
      node.style.width = `${(100 * UNIT) / width}%`;
      node.style.height = `${(100 * UNIT) / height}%`;
      const what = group.querySelector("title")?.textContent ?? `${x},${y}`;
      this.cells.set(`${x},${y}`, { cell, node, what, marks: [] });
      if (!rows.has(y)) rows.set(y, []);
      rows.get(y).push([x, node]);
    }
    for (const who of shown.querySelectorAll("[data-follower]")) {
      const [x, y] = who.dataset.follower.split(",");
      const entry = this.cells.get(`${x},${parseInt(y, 10)}`);
      if (entry) entry.what += `; ${who.querySelector("title")?.textContent ?? ""}`;
    }
    const ordered = [...rows].sort(([one], [other]) => other - one);
    fill(
      this.grid,
      ordered.map(([, nodes]) =>
        el("div", { role: "row", class: "row" }, nodes.sort(([a], [b]) => a - b).map(([, n]) => n)),
      ),
    );
    this.label();
    const keep = this.cells.get(String(this.current)) ?? this.cells.values().next().value;
    if (keep) this.reach(keep.cell, focused);
    if (stood) this.move(stood, this.standing(shown), shown);
  }

  /** Tell whether most tiles that lay on the board are gone: it is another one. */
  another(tiles, shown) {
    const now = new Set([...shown.querySelectorAll(".cell[data-tile]")].map((one) => `${one.dataset.cell} ${one.dataset.tile}`));
    const left = [...tiles].filter((one) => now.has(one)).length;
    return left * 2 < tiles.size;
  }

  /** Return what stands and lies on a picture: tiles and followers, with where they are. */
  standing(svg) {
    const tiles = new Set([...svg.querySelectorAll(".cell[data-tile]")].map((one) => `${one.dataset.cell} ${one.dataset.tile}`));
    const followers = new Map([...svg.querySelectorAll("[data-follower]")].map((one) =>
      [`${one.dataset.follower} ${one.dataset.player}`, { player: one.dataset.player, box: one.getBoundingClientRect() }]));
    return { tiles, followers };
  }

  /** Move from one picture to the next if it is one turn away. */
  move(before, after, shown) {
    const fresh = [...after.tiles].filter((cell) => !before.tiles.has(cell));
    const lost = [...before.tiles].filter((cell) => !after.tiles.has(cell));
    if (fresh.length !== 1 || lost.length) return;
    const [at] = fresh[0].split(" ");
    const group = shown.querySelector(`.cell[data-cell="${at}"]`);
    const art = this.art(group.dataset.tile);
    if (art) {
      const tile = el("div", { class: `shade landing turned r${group.dataset.rotation}` }, picture(art));
      this.cells.get(at)?.node.append(tile);
      land(tile);
    }
    for (const [key, one] of before.followers) if (!after.followers.has(key)) home(one.box, one.player);
  }

  /** Mark cells by class names, `legal`, `chosen`, `wrong`; other marks go. */
  mark(marks) {
    for (const entry of this.cells.values()) entry.marks = [];
    for (const [name, cells] of Object.entries(marks)) {
      for (const cell of cells) this.cells.get(String(cell))?.marks.push(name);
    }
    for (const entry of this.cells.values()) {
      entry.node.className = ["spot", ...entry.marks].join(" ");
    }
    this.label();
  }

  /** Let a cell light up of which the panel speaks; null ends it. */
  speakOf(cell) {
    for (const { node } of this.cells.values()) node.classList.toggle("spoken", node.dataset.cell === cell);
  }

  label() {
    for (const { node, what, marks } of this.cells.values()) {
      const said = marks.map((mark) => t(`mark_${mark}`));
      node.setAttribute("aria-label", [what, ...said].join(", "));
      node.setAttribute("aria-selected", String(marks.includes("chosen")));
    }
  }

  /**
   * Write values on cells, the larger the stronger; without any they go.
   * @param {Array<{cell: number[], value: number, text: string}>} values
   */
  values(values = []) {
    for (const old of this.grid.querySelectorAll(".worth")) old.remove();
    const all = values.map((one) => one.value);
    const low = Math.min(...all);
    const high = Math.max(...all);
    for (const { cell, value, text } of values) {
      const strength = high > low ? Math.round(((value - low) / (high - low)) * STRENGTHS) : STRENGTHS;
      this.cells.get(String(cell))?.node.append(el("span", { class: `worth w${strength}` }, text));
    }
  }

  /**
   * Show a tile that is not laid yet; null takes it away.
   * @param {boolean} [beside] whether the one that is shown already stays
   */
  ghost(cell, svg, rotation, beside = false) {
    if (!beside) {
      for (const old of this.grid.querySelectorAll(".shade:not(.landing)")) old.remove();
      this.stands([]);
    }
    const entry = cell && this.cells.get(String(cell));
    if (entry) entry.node.append(el("div", { class: `shade turned r${rotation}` }, picture(svg)));
  }

  /**
   * Show what can be done, or is done, where it is tapped; what was shown before goes.
   * @param {Array<{cell: number[], spot: number[], look: string, art: Node}>} found each with its
   *   place in hundredths of the cell, and class names that say how it looks
   */
  stands(found, beside = false) {
    if (!beside) for (const old of this.grid.querySelectorAll(".stand")) old.remove();
    for (const { cell, spot: [x, y], look, art } of found) {
      const node = el("i", { class: `stand ${look}`, "aria-hidden": "true" }, art);
      node.style.left = `${x}%`;
      node.style.top = `${y}%`;
      this.cells.get(String(cell))?.node.append(node);
    }
  }

  /** See the tile on a cell so large that a finger finds the places on it; null ends it. */
  closeUp(cell) {
    this.camera.closeUp(cell && [cell[0] * UNIT, -(cell[1] + 1) * UNIT, UNIT, UNIT]);
  }

  /** Enlarge cells that would be too small to be chosen by a finger. */
  attend(cells) {
    if (!cells.length) return;
    const xs = cells.map(([x]) => x);
    const ys = cells.map(([, y]) => y);
    const [left, right] = [Math.min(...xs) - 1, Math.max(...xs) + 2];
    const [low, high] = [Math.min(...ys) - 1, Math.max(...ys) + 2];
    this.camera.attend([left * UNIT, -high * UNIT, (right - left) * UNIT, (high - low) * UNIT], UNIT);
  }

  /** Make a cell the one that the keys stand on. */
  reach(cell, focus = true) {
    const before = this.current && this.cells.get(String(this.current));
    if (before) before.node.tabIndex = -1;
    const entry = this.cells.get(String(cell));
    if (!entry) return;
    this.current = cell;
    entry.node.tabIndex = 0;
    if (!focus) return;
    entry.node.focus({ preventScroll: true });
    this.camera.reveal([cell[0] * UNIT, -(cell[1] + 1) * UNIT, UNIT, UNIT]);
  }

  step([dx, dy]) {
    let [x, y] = this.current;
    for (let leap = 0; leap < REACH; leap += 1) {
      x += dx;
      y += dy;
      if (this.cells.has(`${x},${y}`)) return this.reach([x, y]);
    }
    return undefined;
  }

  listen() {
    const at = (event) => {
      const node = event.target.closest?.(".spot");
      return node ? this.cells.get(node.dataset.cell)?.cell : null;
    };
    this.grid.addEventListener("keydown", (event) => {
      const cell = at(event);
      if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
      let meant = true;
      if (event.key in ARROWS) this.step(ARROWS[event.key]);
      else if (this.handler.key?.(event, cell)) meant = true;
      else if (event.key === "Enter" || event.key === " ") this.handler.activate?.(cell, null, null);
      else if (event.key === "r" || event.key === "R") this.handler.turn?.(event.shiftKey ? 3 : 1);
      else meant = false;
      if (meant) event.preventDefault();
    });
    this.grid.addEventListener("click", (event) => {
      const hit = at(event);
      const cell = event.pointerType === "touch" ? this.meant(event, hit) : hit;
      if (!cell) return;
      this.reach(cell);
      this.handler.activate?.(cell, this.segmentUnder(event, cell), this.within(event, cell));
    });
    this.listenToPainting(at);
    this.grid.addEventListener("wheel", (event) => {
      const cell = at(event);
      if (!cell || !this.cells.get(String(cell)).marks.includes("chosen")) return;
      event.preventDefault();
      this.handler.turn?.(event.deltaY > 0 ? 1 : 3);
    }, { passive: false });
    this.grid.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.handler.point?.(at(event)));
    this.grid.addEventListener("pointerleave", () => this.handler.point?.(null));
    this.grid.addEventListener("focusin", (event) => {
      this.reach(at(event), false);
      this.handler.point?.(at(event));
    });
    this.grid.addEventListener("pointerdown", (event) => {
      const cell = at(event);
      const thing = cell && this.handler.lifts?.(cell, this.within(event, cell));
      if (thing) this.carry(event, thing);
    });
  }

  /**
   * A thing may be carried to a cell from where a pointer is down. It has `art()`, its picture,
   * `from`, the cell that it leaves, if any, and `drop(cell, segment, at)`.
   */
  carry(event, { art, from = null, drop }) {
    this.carrying.press(event, () => ({
      art: art(),
      size: Math.max(this.camera.scale * UNIT, FINGER) * LIFTED,
      from: from && this.cells.get(String(from)).node,
      drop: (spot, at) => {
        const { cell } = this.cells.get(spot.dataset.cell);
        drop(cell, this.segmentUnder(at, cell), this.within(at, cell));
      },
    }));
  }

  /** A drag that begins where the handler paints goes from cell to cell; the picture stays. */
  listenToPainting(at) {
    let last = null;
    this.grid.addEventListener("pointerdown", (event) => {
      const cell = at(event);
      last = cell && event.isPrimary && event.button === 0 && this.handler.paints?.(cell) ? cell : null;
      this.camera.still = Boolean(last);
    });
    this.grid.addEventListener("pointermove", (event) => {
      if (!last || this.camera.pointers.size > 1) return;
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".spot");
      const cell = under && this.cells.get(under.dataset.cell)?.cell;
      if (!cell || same(cell, last)) return;
      this.handler.paint(last);
      last = cell;
      this.handler.paint(cell);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      addEventListener(name, () => {
        last = null;
        this.camera.still = false;
      });
    }
  }

  /** Return where a pointer is within a cell, and how large the cell is. */
  within(event, cell) {
    const { left, top, width } = this.cells.get(String(cell)).node.getBoundingClientRect();
    return { x: (event.clientX - left) / width, y: (event.clientY - top) / width, size: width };
  }

  /** Return the lit cell that a finger aims at: the nearest within its reach, else what it hits. */
  meant(event, hit) {
    if (this.camera.scale * UNIT >= FINGER || (hit && this.cells.get(String(hit)).marks.length)) return hit;
    const lit = [...this.cells.values()].filter(({ marks }) => marks.includes("legal"));
    const away = ({ node }) => {
      const box = node.getBoundingClientRect();
      return Math.hypot(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
    };
    const [nearest] = lit.sort((one, other) => away(one) - away(other));
    return nearest && away(nearest) <= FINGER / 2 ? nearest.cell : hit;
  }

  /** Return the segment of the tile on a cell that lies under a pointer, if any. */
  segmentUnder(event, cell) {
    for (const node of document.elementsFromPoint(event.clientX, event.clientY)) {
      const segment = node.closest?.("[data-segment]");
      const inside = node.closest?.(".shade") ?? node.closest?.(`.cell[data-cell="${cell}"]`);
      if (segment && inside) return Number(segment.dataset.segment);
    }
    return null;
  }
}
