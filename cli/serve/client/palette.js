// The kinds of tiles to choose from, filtered by what their four sides show.

import { el, fill, turned } from "./dom.js";
import { t } from "./texts.js";

export const SIDES = ["N", "E", "S", "W"];
const LEAST = 24; // pixels of a tile that is still seen and hit
const SMALL = 40; // below it only the numbers other than 1 are written
const MOST = 64;
const GAP = 1;
const RECENT = 5;
const NOTHING = [null, null, null, null]; // on no side

/** Return the kinds that a tile shows on a side when it lies at a rotation: one, or one a half. */
export function shown(kind, side, rotation) {
  return kind.sides[(side + 4 - rotation) % 4];
}

export class Palette {
  /**
   * @param {object} wants `take(id, rotation)`, called when a tile is chosen, `press(event, id,
   *   rotation)`, when a pointer is down on it, and `left(id)`, how many of a kind are left
   */
  constructor(wants) {
    this.wants = wants;
    this.tiles = null;
    this.cell = null; // the cell at hand
    this.fits = null; // rotations by kind of what fits on the cell at hand; null without a cell
    this.asked = [...NOTHING]; // what the user wants the sides to show
    this.given = [...NOTHING]; // what neighbours demand of them
    this.beside = [...NOTHING]; // what lies beside them
    this.recent = [];
    this.hand = null; // kind and rotation of the tile in hand
    this.filter = el("div", { class: "sides", role: "group", "aria-label": t("whatSidesShow") });
    this.last = el("div", { class: "recent", role: "group", "aria-label": t("recentTiles") });
    this.said = el("p", { class: "faint", role: "status" });
    this.list = el("div", { class: "palette", role: "group", "aria-label": t("tiles_of_set") });
    new ResizeObserver(() => this.tiles && this.drawList()).observe(this.list);
  }

  /** Offer what fits on a cell, in each of its rotations; without a cell, every kind. */
  offer({ tiles, cell = null, fits = null, given = NOTHING, beside = NOTHING, place = "" }) {
    if (place !== this.place) this.asked = [...NOTHING];
    Object.assign(this, { tiles, cell, fits, given, beside, place });
    this.draw();
  }

  remember(id) {
    this.recent = [id, ...this.recent.filter((one) => one !== id)].slice(0, RECENT);
  }

  draw() {
    this.drawFilter();
    fill(this.last, this.recent.filter((id) => this.tiles.byId.has(id)).map((id) => {
      const kind = this.tiles.byId.get(id);
      return this.button(kind, this.fits?.get(id)?.[0] ?? 0);
    }));
    this.drawList();
  }

  drawFilter() {
    const kinds = [...new Set(this.tiles.kinds.flatMap((kind) => kind.sides.flat()))].sort();
    const cycle = [null, ...kinds];
    fill(this.filter, SIDES.map((name, side) => {
      const demanded = this.given[side];
      const value = demanded ?? this.asked[side];
      return el("button", {
        type: "button",
        class: `side ${name} side-${value ?? "any"}`,
        disabled: Boolean(demanded),
        "aria-label": t(demanded ? "sideGiven" : "sideShows", { side: t(`side_${name}`), what: t(`shows_${value ?? "any"}`) }),
        on: {
          click: () => {
            this.asked[side] = cycle[(cycle.indexOf(this.asked[side]) + 1) % cycle.length];
            this.draw();
            this.filter.children[side].focus();
          },
        },
      }, el("span", { "aria-hidden": "true" }, t(`shows_${value ?? "any"}`)));
    }));
  }

  /** Return how many neighbours a tile goes on with: features are extended more often than not. */
  meets(kind, rotation) {
    return this.beside.filter((what, side) => what && shown(kind, side, rotation).some((one) => what.includes(one))).length;
  }

  /** Return the kinds that pass the filter, each with the rotations that do. */
  passing(fits) {
    const wanted = this.asked.some(Boolean);
    return this.tiles.kinds.map((kind) => {
      const rotations = fits ? fits.get(kind.id) ?? [] : kind.rotations;
      const right = rotations.filter((rotation) =>
        this.asked.every((what, side) => !what || shown(kind, side, rotation).includes(what)));
      right.sort((one, other) => this.meets(kind, other) - this.meets(kind, one));
      return { kind, rotations: this.cell || wanted ? right : right.slice(0, 1) };
    }).filter(({ rotations }) => rotations.length);
  }

  /** Lay the tiles out so that as many as possible are seen at once. */
  drawList() {
    const strict = this.passing(this.fits);
    const none = this.fits && !strict.length;
    const found = none ? this.passing(null) : strict;
    const [there, gone] = [[], []];
    for (const one of found) (this.wants.left(one.kind.id) > 0 ? there : gone).push(one);
    const room = [this.list.clientWidth + GAP, this.list.clientHeight + GAP];
    const holds = (size) => Math.floor(room[0] / (size + GAP)) * Math.floor(room[1] / (size + GAP));
    const items = [...this.likely(there, holds(LEAST)), ...gone.map(({ kind, rotations }) => [kind, rotations[0]])];
    let size = MOST;
    while (size > LEAST && holds(size) < items.length) size -= 1;
    this.list.style.gridTemplateColumns = `repeat(auto-fill, ${size}px)`;
    this.list.style.gridAutoRows = `${size}px`;
    this.list.classList.toggle("small", size < SMALL);
    this.list.dataset.place = this.place;
    this.said.textContent = none ? t("noneFits") : "";
    const scrolled = this.list.scrollTop;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.kind : null;
    fill(this.list, items.map(([kind, rotation]) => this.button(kind, rotation)));
    this.list.scrollTop = scrolled;
    if (focused) (this.list.querySelector(`[data-kind="${focused}"]`) ?? this.list.firstElementChild)?.focus({ preventScroll: true });
  }

  /** Return tiles with rotations, as many as there is room for: each kind, and the likely turns. */
  likely(found, room) {
    const others = found.flatMap(({ kind, rotations }) => rotations.slice(1).map((rotation) => [kind, rotation]));
    others.sort((one, other) => this.meets(...other) - this.meets(...one));
    const kept = new Set(others.slice(0, Math.max(0, room - found.length)).map(([kind, rotation]) => `${kind.id} ${rotation}`));
    return found.flatMap(({ kind, rotations }) => rotations
      .filter((rotation, index) => !index || kept.has(`${kind.id} ${rotation}`))
      .map((rotation) => [kind, rotation]));
  }

  button(kind, rotation) {
    const left = this.wants.left(kind.id);
    const chosen = this.hand?.id === kind.id;
    const turns = chosen ? this.hand.rotation : rotation;
    return el(
      "button",
      {
        type: "button",
        class: left > 0 ? "kind" : "kind gone",
        data: { kind: kind.id, rotation: turns },
        "aria-pressed": String(chosen),
        "aria-label": t("kindLabel", { tile: kind.id, title: kind.title, turns, left: t(left < 0 ? "tooMany" : "left", { count: Math.abs(left) }) }),
        title: `${kind.id}: ${kind.title}`,
        on: {
          click: () => this.wants.take(kind.id, turns),
          pointerdown: (event) => this.wants.press(event, kind.id, turns),
        },
      },
      turned(kind.svg, turns),
      left ? el("span", { class: `number ${left < 0 ? "over" : left === 1 ? "one" : ""}`, "aria-hidden": "true" }, String(left)) : null,
    );
  }
}
