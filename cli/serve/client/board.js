// The picture of a position, and over it a grid of cells that keys, pointers and readers reach.

import { el, fill, picture } from "./dom.js";
import { t } from "./texts.js";

const UNIT = 100; // of the picture, a cell
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const ZOOMS = [1, 1.5, 2, 3];
const REACH = 30; // cells that an arrow key may leap over

export const same = (one, other) => Boolean(one && other && one[0] === other[0] && one[1] === other[1]);

export class Board {
  /**
   * @param {HTMLElement} root
   * `handler` gets: activate(cell, segment), point(cell or null), turn(steps), drop(cell, text),
   * drag(cell) -> text or null, key(event, cell) -> whether it was meant.
   */
  constructor(root) {
    this.handler = {};
    this.cells = new Map();
    this.current = null;
    this.zoom = 0;
    this.sheet = el("div", { class: "sheet", "aria-hidden": "true" });
    this.grid = el("div", { class: "grid", role: "grid", "aria-label": t("board") });
    this.frame = el("div", { class: "frame" }, this.sheet, this.grid);
    this.scroller = el("div", { class: "scroller" }, this.frame);
    this.tools = el(
      "div",
      { class: "zoom" },
      this.zoomButton("−", t("zoomOut"), -1),
      this.zoomButton("+", t("zoomIn"), 1),
    );
    fill(root, this.tools, this.scroller);
    this.listen();
  }

  zoomButton(sign, label, step) {
    return el(
      "button",
      { type: "button", "aria-label": label, title: label, on: { click: () => this.magnify(step) } },
      sign,
    );
  }

  magnify(step) {
    this.zoom = Math.min(ZOOMS.length - 1, Math.max(0, this.zoom + step));
    this.frame.style.setProperty("--zoom", ZOOMS[this.zoom]);
  }

  /** Show a picture; the cells that it draws become the cells of the grid. */
  show(svg, label) {
    const shown = picture(svg);
    const [left, top, width, height] = shown.getAttribute("viewBox").split(" ").map(Number);
    shown.removeAttribute("width");
    shown.removeAttribute("height");
    fill(this.sheet, shown);
    this.frame.style.aspectRatio = `${width} / ${height}`;
    this.frame.style.setProperty("--ratio", width / height);
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
        draggable: Boolean(group.dataset.tile),
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
      const entry = this.cells.get(`${x},${y}`);
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

  label() {
    for (const { node, what, marks } of this.cells.values()) {
      const said = marks.map((mark) => t(`mark_${mark}`));
      node.setAttribute("aria-label", [what, ...said].join(", "));
      node.setAttribute("aria-selected", String(marks.includes("chosen")));
    }
  }

  /** Show a tile that is not laid yet; null takes it away. */
  ghost(cell, svg, rotation) {
    this.grid.querySelector(".shade")?.remove();
    const entry = cell && this.cells.get(String(cell));
    if (!entry) return;
    entry.node.append(el("div", { class: `shade turned r${rotation}` }, picture(svg)));
  }

  /** Make a cell the one that the keys stand on. */
  reach(cell, focus = true) {
    const before = this.current && this.cells.get(String(this.current));
    if (before) before.node.tabIndex = -1;
    const entry = this.cells.get(String(cell));
    if (!entry) return;
    this.current = cell;
    entry.node.tabIndex = 0;
    if (focus) entry.node.focus({ preventScroll: false });
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
      else if (event.key === "Enter" || event.key === " ") this.handler.activate?.(cell, null);
      else if (event.key === "r" || event.key === "R") this.handler.turn?.(event.shiftKey ? 3 : 1);
      else meant = Boolean(this.handler.key?.(event, cell));
      if (meant) event.preventDefault();
    });
    this.grid.addEventListener("click", (event) => {
      const cell = at(event);
      if (!cell) return;
      this.reach(cell);
      this.handler.activate?.(cell, this.segmentUnder(event, cell));
    });
    this.grid.addEventListener("wheel", (event) => {
      const cell = at(event);
      if (!cell || !this.cells.get(String(cell)).marks.includes("chosen")) return;
      event.preventDefault();
      this.handler.turn?.(event.deltaY > 0 ? 1 : 3);
    }, { passive: false });
    this.grid.addEventListener("pointerover", (event) => this.handler.point?.(at(event)));
    this.grid.addEventListener("pointerleave", () => this.handler.point?.(null));
    this.grid.addEventListener("focusin", (event) => {
      this.reach(at(event), false);
      this.handler.point?.(at(event));
    });
    this.grid.addEventListener("dragstart", (event) => {
      const text = at(event) && this.handler.drag?.(at(event));
      if (text) event.dataTransfer.setData("text/plain", text);
      else event.preventDefault();
    });
    this.grid.addEventListener("dragover", (event) => event.preventDefault());
    this.grid.addEventListener("drop", (event) => {
      event.preventDefault();
      const cell = at(event);
      if (cell) this.handler.drop?.(cell, event.dataTransfer.getData("text/plain"));
    });
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
