// The tiles to come of a position that is set up: in order and in the bag, picked from pictures.

import { button, el, fill, picture } from "./dom.js";
import { used } from "./lines.js";
import { t } from "./texts.js";

/** Return what is left of a set for the bag: all that is neither on the board nor drawn before it. */
export function rest(position, kinds) {
  const busy = used({ ...position, bag: {} });
  const left = kinds.map(({ id, count }) => [id, count - (busy.get(id) ?? 0)]);
  return Object.fromEntries(left.filter(([, number]) => number > 0));
}

/** Tell whether the bag holds all that is left of a set, so that it counts itself. */
export function counts({ bag = {}, ...position }, kinds) {
  const all = rest(position, kinds);
  const ids = Object.keys(all);
  return ids.length > 0 && ids.length === Object.keys(bag).length && ids.every((id) => bag[id] === all[id]);
}

export class Stock {
  /** @param {Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.adding = null; // `order` or `bag` while tiles are picked for it
    this.root = el("div", { class: "stock-of" });
  }

  get position() {
    return this.editor.position;
  }

  /** Return the picture of a kind as a button. */
  tile(id, label, more, work) {
    const { svg, title } = this.editor.tiles.byId.get(id);
    return el("li", {}, el("button", { type: "button", class: "kind", title, "aria-label": label, on: { click: work } },
      picture(svg), el("span", {}, id, more)));
  }

  draw() {
    const { order = [], bag = {} } = this.position;
    const all = Object.values(bag).reduce((sum, one) => sum + one, 0);
    const { kinds } = this.editor.tiles;
    const whole = counts(this.position, kinds);
    fill(
      this.root,
      el("h4", {}, t("inHandFirst")),
      order.length ? el("ul", { class: "kinds plain" }, order.map((id, at) => this.tile(id, t("takeOut", { tile: id }), at ? "" : ` ${t("nowInHand")}`, () => this.draws(at)))) : el("p", { class: "faint" }, t("noneKnown")),
      this.adder("order"),
      this.adding === "order" ? this.choices() : null,
      el("h4", {}, t("bagOf", { count: all })),
      el("p", { class: "faint" }, t(whole ? "bagCounts" : "bagByHand")),
      el("div", { class: "bar" }, whole ? null : button(t("restToBag"), () => this.fillUp()), all ? button(t("emptyBag"), () => this.empty()) : null),
      el("details", { open: this.open, on: { toggle: ({ target }) => { this.open = target.open; } } }, el("summary", {}, t("bagShown")),
        el("ul", { class: "kinds plain" }, Object.entries(bag).map(([id, count]) => this.tile(id, t("takeOut", { tile: id }), ` ×${count}`, () => this.unbag(id)))),
        this.adder("bag"),
        this.adding === "bag" ? this.choices() : null),
    );
  }

  adder(key) {
    return el("div", { class: "bar" }, button(t(this.adding === key ? "donePicking" : `pick_${key}`), () => {
      this.adding = this.adding === key ? null : key;
      this.draw();
    }, { "aria-pressed": String(this.adding === key) }));
  }

  /** Return the kinds of which there are some left, to be picked. */
  choices() {
    const { kinds } = this.editor.tiles;
    const left = this.adding === "order" ? rest(this.position, kinds) : rest({ ...this.position, discarded: this.taken }, kinds);
    return el("ul", { class: "kinds plain choosing" }, Object.entries(left).map(([id, count]) =>
      this.tile(id, t("kindToPick", { tile: id, count }), ` ×${count}`, () => this.pick(id))));
  }

  /** What has left the game, and what the bag holds already. */
  get taken() {
    const { discarded = [], bag = {} } = this.position;
    return [...discarded, ...Object.entries(bag).flatMap(([id, count]) => Array(count).fill(id))];
  }

  pick(id) {
    if (this.adding === "order") return this.editor.change((position) => { position.order = [...(position.order ?? []), id]; });
    return this.editor.change((position) => { position.bag = { ...position.bag, [id]: (position.bag?.[id] ?? 0) + 1 }; });
  }

  draws(at) {
    return this.editor.change((position) => { position.order = position.order.toSpliced(at, 1); });
  }

  unbag(id) {
    return this.editor.change((position) => {
      const { [id]: count, ...others } = position.bag;
      position.bag = count > 1 ? { ...position.bag, [id]: count - 1 } : others;
    });
  }

  fillUp() {
    return this.editor.change((position) => { position.bag = rest(position, this.editor.tiles.kinds); });
  }

  empty() {
    return this.editor.change((position) => { delete position.bag; });
  }
}
