// An own kind of tile: by its quarters, by its sides or piece by piece; drawn by the server.

import { post } from "./api.js";
import { button, choice, el, field, fill, picture, steady } from "./dom.js";
import { used } from "./lines.js";
import { SIDES } from "./palette.js";
import { Pieces } from "./pieces.js";
import { Quarters } from "./quarters.js";
import { t } from "./texts.js";
import { refused } from "./told.js";

const KINDS = ["field", "road", "city", "court", "path", "tower", "house", "chapel"];

export class OwnKind {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.serial = 0;
    this.root = el("section", { class: "own-kind" });
    this.art = el("div", { class: "tile art" });
    this.said = el("div", { "aria-live": "polite" });
    this.made = null; // the entry that the server made of the form
  }

  get plane() {
    return this.editor.game.plane;
  }

  /** The kinds of pieces, in the order in which taps on a side change them. */
  get kinds() {
    return KINDS.filter((kind) => this.editor.game.sides.includes(kind));
  }

  begin() {
    const ids = new Set(this.editor.tiles.byId.keys());
    let number = 1;
    while (ids.has(`Own${number}`)) number += 1;
    this.form = { id: `Own${number}`, count: 1, title: "", sides: Array(4).fill("field"), inside: null, marks: [], tower_place: false };
    this.quarters = this.plane ? null : new Quarters(this.editor.game.aeries, () => this.draw());
    this.groups = {}; // of places that were separated or joined by hand
    this.pieces = null; // what the tile is made of, once it is described piece by piece
    this.of = this.editor.game.id;
  }

  /** The places of features that can be joined, each with its kind. */
  get places() {
    return SIDES.map((name, side) => [name, this.form.sides[side]]).filter(([, kind]) => kind !== "field");
  }

  /**
   * The features as lists of places; places of one kind are joined unless they were separated. Of a
   * road and a city that would cross the road runs on.
   */
  get features() {
    const found = new Map();
    const { sides } = this.form;
    const cross = sides[0] === sides[2] && sides[1] === sides[3] && sides[0] !== sides[1];
    for (const [place, kind] of this.places) {
      const name = `${kind} ${this.groups[place] ?? (cross && kind === "city" ? place : "")}`;
      found.set(name, [...(found.get(name) ?? []), place]);
    }
    return [...found].map(([name, places]) => ({ kind: name.split(" ")[0], places }));
  }

  /** Join two places, or take the second one out of what it is joined with. */
  join(one, other) {
    const mates = this.features.find(({ places }) => places.includes(one)).places;
    if (mates.includes(other)) this.groups[other] = this.fresh();
    else {
      const group = this.groups[one] ?? this.fresh();
      const others = this.features.find(({ places }) => places.includes(other)).places;
      for (const place of [...mates, ...others]) this.groups[place] = group;
    }
    this.draw();
  }

  fresh() {
    this.count = (this.count ?? 0) + 1;
    return String(this.count);
  }

  change(change) {
    change(this.form);
    this.draw();
  }

  draw() {
    if (!this.form || this.of !== this.editor.game.id) this.begin();
    steady(this.root, () => this.drawForm());
    this.asked = this.ask();
  }

  /** Describe the kind at hand piece by piece. */
  async apart() {
    await this.asked;
    if (this.made) this.part(this.made.pieces);
  }

  part(kind) {
    this.pieces = new Pieces(kind, this.kinds, this.editor.game, () => this.draw());
    this.draw();
  }

  drawForm() {
    const { form, pieces } = this;
    const tick = (name) => el("label", { class: "tick" }, el("input", {
      type: "checkbox", checked: form[name], on: { change: (event) => this.change(() => { form[name] = event.target.checked; }) },
    }), ` ${t(`own_${name}`)}`);
    const { kinds: own = [] } = this.editor.position;
    const busy = used(this.editor.position);
    fill(
      this.root,
      pieces ? [el("p", { class: "faint" }, t("aboutPieces")), this.said, el("div", { class: "apart" }, pieces.rim(this.art), el("div", {}, pieces.controls()))]
        : this.quarters ? [el("p", { class: "faint" }, t("aboutQuarters")), el("div", { class: "apart" }, this.art, el("div", {}, this.quarters.controls())), this.said]
          : this.quick(),
      this.plane && this.editor.game.tower_pieces ? tick("tower_place") : null,
      el("div", { class: "fields narrow" },
        field(t("own_id"), el("input", { type: "text", value: form.id, maxLength: 32, on: { change: (event) => this.change(() => { form.id = event.target.value.trim(); }) } })),
        field(t("own_count"), el("input", { type: "number", min: 1, max: 99, value: form.count, on: { change: (event) => this.change(() => { form.count = Number(event.target.value); }) } }))),
      this.tools = el("div", { class: "bar" },
        button(t("addKind"), () => this.take(), { class: "main ready", disabled: !this.made }),
        button(t("byPieces"), () => this.apart(), { class: "ready", hidden: Boolean(pieces), disabled: !this.made }),
        pieces ? button(t(this.plane ? "bySides" : "byQuarters"), () => { this.begin(); this.draw(); }) : null),
      own.length ? el("h3", {}, t("ownKinds")) : null,
      el("ul", { class: "segments" }, own.map((kind) => el("li", {},
        el("span", {}, `${kind.id} ×${kind.count ?? 1}`),
        el("span", { class: "bar" },
          button(t("changeKind"), () => this.resume(kind), { "aria-label": `${t("changeKind")} ${kind.id}` }),
          button(t("removeKind"), () => this.remove(kind.id), { disabled: busy.has(kind.id), title: busy.has(kind.id) ? t("kindInUse") : "", "aria-label": `${t("removeKind")} ${kind.id}` }))))),
    );
  }

  /** Go on with a kind that the position has. */
  resume(kind) {
    this.begin();
    const { id, count = 1, title = "", tower_place = false } = kind;
    Object.assign(this.form, { id, count, title, tower_place });
    if (kind.quarters) this.quarters.read(kind.quarters);
    else this.part(kind);
    this.draw();
  }

  /** Return the controls of the quick way on a plane: sides, what is joined, marks, what is inside. */
  quick() {
    const { form, kinds } = this;
    const cycle = (name, index) => this.change(() => {
      form.sides[index] = kinds[(kinds.indexOf(form.sides[index]) + 1) % kinds.length];
      delete this.groups[name];
      form.marks = form.marks.filter(([place]) => place !== name);
    });
    const side = (name, index) => el("button", {
      type: "button",
      class: `side ${name} side-${form.sides[index]}`,
      "aria-label": t("sideShows", { side: t(`side_${name}`), what: t(`shows_${form.sides[index]}`) }),
      on: { click: () => cycle(name, index) },
    }, el("span", { "aria-hidden": "true" }, t(`shows_${form.sides[index]}`)));
    const { places, features } = this;
    const pairs = places.flatMap(([one, kind], index) =>
      places.slice(index + 1).filter(([, other]) => other === kind).map(([other]) => ({ one, other, kind })));
    const joined = ({ one, other }) => features.some((feature) => feature.places.includes(one) && feature.places.includes(other));
    const marks = features.flatMap((feature) => (this.editor.game.marks[feature.kind] ?? []).map((mark) => ({ mark, at: feature.places })));
    const lies = ({ mark, at }) => ([place, one]) => one === mark && at.includes(place);
    const chips = (label, items) => (items.length ? el("div", { class: "chips", role: "group", "aria-label": t(label) }, items) : null);
    return [
      el("p", { class: "faint" }, t("aboutOwnKind")),
      el("div", { class: "chooser" }, el("div", { class: "sides", role: "group", "aria-label": t("whatSidesShow") }, SIDES.map(side)), this.art),
      this.said,
      chips("joins", pairs.map((pair) => button(
        t("joinedPlaces", { kind: t(`shows_${pair.kind}`), one: pair.one, other: pair.other }),
        () => this.join(pair.one, pair.other),
        { class: "chip", "aria-pressed": String(joined(pair)), title: t("joinOrPart") },
      ))),
      chips("marksOf", marks.map((one) => button(
        t("markOn", { mark: one.mark, place: one.at.join(" ") }),
        () => this.change(() => {
          const others = form.marks.filter((entry) => !lies(one)(entry));
          form.marks = others.length < form.marks.length ? others : [...others, [one.at[0], one.mark]];
        }),
        { class: "chip", "aria-pressed": String(form.marks.some(lies(one))) },
      ))),
      el("div", { class: "fields narrow" }, field(t("own_inside"), choice([["", t("nothing")], ["cloister", t("shows_cloister")]], form.inside ?? "", (kind) =>
        this.change(() => { form.inside = kind || null; })))),
    ];
  }

  /** Let the server make the kind and draw it. */
  async ask() {
    const serial = ++this.serial;
    const { id, count, title, tower_place } = this.form;
    const named = { id, count, title, tower_place };
    const joined = this.features.map(({ places }) => places).filter((places) => places.length > 1);
    const described = this.pieces ? { ...named, ...this.pieces.entry }
      : this.quarters ? { ...named, quarters: this.quarters.code } : { ...this.form, joined };
    try {
      const { kind, pieces, svg } = await post("/api/kind", { kind: described });
      if (serial !== this.serial) return;
      this.made = { entry: kind, pieces };
      fill(this.art, picture(svg));
      fill(this.said);
    } catch (error) {
      if (serial !== this.serial) return;
      this.made = null;
      fill(this.said, refused(error));
    }
    for (const one of this.tools.querySelectorAll(".ready")) one.disabled = !this.made;
  }

  /** Put the kind into the position, in place of one of the same name. */
  async take() {
    await this.asked; // what was tapped last belongs to it
    if (!this.made) return;
    const made = this.made.entry;
    await this.editor.change((position) => {
      position.kinds = [...(position.kinds ?? []).filter(({ id }) => id !== made.id), made];
    });
    this.editor.say(t("kindAdded", { id: made.id }));
    this.begin();
    this.draw();
  }

  async remove(id) {
    await this.editor.change((position) => {
      position.kinds = position.kinds.filter((kind) => kind.id !== id);
    });
    this.draw();
  }
}
