// A kind of tile piece by piece: to which piece each place of the rim belongs, and what meets where.

import { button, el } from "./dom.js";
import { SIDES } from "./palette.js";
import { t } from "./texts.js";

const LINES = ["path", "road"]; // they cross the middle of a side
const MOST = { market: 2 }; // marks on one piece; one of all others

const halves = (side) => [`${side}L`, `${side}R`];
const line = (piece) => LINES.includes(piece.kind);

/** A piece has a kind, places (`N` is a whole side or the middle of a line, `NL` a half), marks. */
export class Pieces {
  /**
   * @param {object} entry what a file says of the kind of tile
   * @param {string[]} kinds kinds of pieces that the game knows
   * @param {object} game its marks by kind, and whether it has aeries
   * @param {function(): void} changed called after each change
   */
  constructor(entry, kinds, { marks, aeries }, changed) {
    this.kinds = kinds;
    this.marks = marks;
    this.changed = changed;
    this.all = entry.segments.map((text) => {
      const [shown, by = ""] = text.split(" by ");
      const [kind, ...words] = shown.split(" ");
      const mark = (word) => this.marksOf(kind).includes(word);
      return { kind, places: words.filter((word) => !mark(word)), marks: words.filter(mark), by: by.split(" ").filter(Boolean) };
    });
    for (const one of this.all) one.by = one.by.map((side) => this.owner(side));
    const meeting = (groups = []) => groups.map((group) => group.map((index) => this.all[index]));
    this.squares = meeting(entry.squares);
    this.aeries = meeting(entry.aeries);
    this.hasAeries = aeries;
    [this.chosen] = this.all;
  }

  /** Return what a file says of the pieces. */
  get entry() {
    const text = (one) => {
      const cities = one.by.map((city) => city.places[0]).filter(Boolean);
      return [one.kind, ...one.places, ...one.marks, ...(cities.length ? ["by", ...cities] : [])].join(" ");
    };
    const indices = (groups) => groups.filter((group) => group.length).map((group) => group.map((one) => this.all.indexOf(one)).sort((a, b) => a - b));
    return { segments: this.all.map(text), squares: indices(this.squares), aeries: indices(this.aeries) };
  }

  marksOf(kind) {
    return this.marks[kind] ?? [];
  }

  owner(place) {
    return this.all.find((one) => one.places.includes(place));
  }

  /** The places of a side: its halves and its middle; in Carcassonne only where a road crosses it. */
  placesOf(side) {
    const owner = this.owner(side);
    const [left, right] = halves(side);
    return owner && !line(owner) && !this.kinds.includes("court") ? [side] : [left, side, right];
  }

  /** Give a place to the chosen piece; what it takes the place of keeps the rest. */
  give(place) {
    const { chosen } = this;
    const [side] = place;
    if (!chosen || chosen.places.includes(place) || (line(chosen) && place !== side)) return;
    const before = new Set(this.all.filter((one) => one.places.length));
    const owner = this.owner(place);
    const whole = this.owner(side);
    if (place !== side && whole && !line(whole)) {
      if (whole === chosen) return;
      whole.places = [...whole.places.filter((name) => name !== side), ...halves(side)];
    }
    const taken = line(chosen) || place !== side ? [place] : [side, ...halves(side)];
    for (const one of this.all) one.places = one.places.filter((name) => !taken.includes(name));
    if (line(chosen) && owner && !line(owner)) owner.places.push(...halves(side));
    chosen.places.push(place);
    if (!this.owner(side) && halves(side).every((name) => chosen.places.includes(name))) {
      chosen.places = [...chosen.places.filter((name) => name[0] !== side), side];
    }
    for (const one of before) if (!one.places.length) this.drop(one);
    this.changed();
  }

  /** Take a piece off the tile. */
  drop(piece) {
    const without = (ones) => ones.filter((one) => one !== piece);
    this.all = without(this.all);
    this.squares = this.squares.map(without);
    this.aeries = this.aeries.map(without);
    for (const one of this.all) one.by = without(one.by);
    if (this.chosen === piece) [this.chosen] = this.all;
  }

  add(kind) {
    this.chosen = { kind, places: [], marks: [], by: [] };
    this.all.push(this.chosen);
    this.changed();
  }

  name(piece) {
    return `${t(`shows_${piece.kind}`)} ${piece.places.join(" ") || t("within")}`;
  }

  /** Return the rim: a button for each place, round the picture. */
  rim(art) {
    const places = SIDES.map((side) => el("div", { class: `rim ${side}` }, this.placesOf(side).map((place) => {
      const owner = this.owner(place) ?? this.owner(place[0]);
      return el("button", {
        type: "button",
        class: `side-${owner?.kind ?? "any"}`,
        "aria-pressed": String(owner === this.chosen),
        "aria-label": t("placeOf", { place, piece: owner ? t(`shows_${owner.kind}`) : t("nothing") }),
        on: { click: () => this.give(place) },
      }, place);
    })));
    return el("div", { class: "rims", role: "group", "aria-label": t("rimOf") }, places, art);
  }

  /** Return the controls: the pieces, what is on the chosen one, squares and aeries. */
  controls() {
    const { chosen } = this;
    const chips = (label, items) => (items.length ? el("div", { class: "chips", role: "group", "aria-label": label }, el("span", { class: "faint" }, label), items) : null);
    const chip = (text, work, pressed) => button(text, work, { class: "chip", ...(pressed === undefined ? {} : { "aria-pressed": String(pressed) }) });
    const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);
    const change = (work) => () => {
      work();
      this.changed();
    };
    const more = (mark) => {
      const number = chosen.marks.filter((one) => one === mark).length;
      const others = chosen.marks.filter((one) => one !== mark);
      return chip(`${mark} ×${number}`, change(() => { chosen.marks = [...others, ...Array((number + 1) % ((MOST[mark] ?? 1) + 1)).fill(mark)]; }));
    };
    const cities = this.all.filter(({ kind, places }) => kind === "city" && places.length);
    const meeting = (groups, label, open) => groups.map((group, index) => chips(t(label, { number: index + 1 }), open.map((piece) =>
      chip(this.name(piece), change(() => { groups[index] = toggled(groups[index], piece); }), group.includes(piece)))));
    const paths = this.all.filter(({ kind }) => kind === "path");
    const fresh = (key, groups) => chip(t(key), change(() => groups.push(chosen && (key === "addAerie" || chosen.kind === "path") ? [chosen] : [])));
    return [
      chips(t("pieces"), this.all.map((piece) => chip(this.name(piece), change(() => { this.chosen = piece; }), piece === chosen))),
      chips(t("addPiece"), this.kinds.map((kind) => chip(`+ ${t(`shows_${kind}`)}`, () => this.add(kind)))),
      chosen ? chips(this.name(chosen), [
        ...this.marksOf(chosen.kind).map(more),
        ...(chosen.kind === "field" ? cities.map((city) => chip(t("besideCity", { city: this.name(city) }), change(() => { chosen.by = toggled(chosen.by, city); }), chosen.by.includes(city))) : []),
        chosen.places.length ? null : chip(t("removeKind"), change(() => this.drop(chosen))),
      ].filter(Boolean)) : null,
      ...meeting(this.squares, "squareOf", paths),
      ...(this.hasAeries ? meeting(this.aeries, "aerieOf", this.all) : []),
      el("div", { class: "chips" }, paths.length ? fresh("addSquare", this.squares) : null, this.hasAeries ? fresh("addAerie", this.aeries) : null),
    ];
  }
}
