// A castle's tile by its quarter code: four quarters, four arms and what the paths and courts show.

import { button, el, field } from "./dom.js";
import { t } from "./texts.js";

const LETTERS = { c: "court", h: "house", t: "tower", k: "chapel" };
const CORNERS = ["NW", "NE", "SE", "SW"]; // in the order of the code
const ARMS = "nesw";
const JUNCTION = 3; // arms that meet: a fork or a crossing shows a fountain, if it shows nothing else

export class Quarters {
  /**
   * @param {boolean} falcon whether there are chapels and aeries
   * @param {function(): void} changed called after each change
   */
  constructor(falcon, changed) {
    this.letters = falcon ? "chtk" : "cht";
    this.falcon = falcon;
    this.changed = changed;
    this.corners = [..."cccc"];
    this.arms = new Set();
    this.ends = null; // o, x, y or f, once it is chosen; "" for none of them
    this.market = false;
    this.aerie = false;
  }

  /** Read a code that somebody typed; the server says what is wrong with it. */
  read(code) {
    const [, corners = "", arms = "", signs = ""] = code.toLowerCase().match(/^(\w{0,4})(?:-([nesw]*))?(\w*)$/) ?? [];
    this.typed = code;
    if (corners.length === 4 && [...corners].every((one) => this.letters.includes(one))) this.corners = [...corners];
    this.arms = new Set(arms);
    this.ends = [..."oxyf"].find((sign) => signs.includes(sign)) ?? "";
    this.market = signs.includes("m");
    this.aerie = signs.includes("a");
  }

  get shownEnds() {
    if (this.ends !== null) return this.ends;
    const nowhere = this.arms.size === 1 && this.corners.every((one) => one === "c"); // no building ends it
    return this.arms.size >= JUNCTION ? "f" : nowhere ? "o" : "";
  }

  get code() {
    if (this.typed) return this.typed;
    const arms = [...ARMS].filter((arm) => this.arms.has(arm)).join("");
    return [this.corners.join(""), arms && `-${arms}`, arms && this.shownEnds, this.market ? "m" : "", this.aerie ? "a" : ""].join("");
  }

  change(change) {
    this.typed = "";
    change();
    this.changed();
  }

  controls() {
    const toggle = (label, on, change) => button(label, () => this.change(change), { class: "chip", "aria-pressed": String(on) });
    const end = (sign) => toggle(t(`sign_${sign}`), this.shownEnds === sign, () => { this.ends = this.shownEnds === sign ? "" : sign; });
    const corner = (name, index) => el(
      "div",
      { class: "quarter", role: "group", "aria-label": t(`corner_${name}`) },
      [...this.letters].map((letter) => el("button", {
        type: "button",
        class: `side-${LETTERS[letter]}`,
        "aria-pressed": String(this.corners[index] === letter),
        "aria-label": t("cornerShows", { corner: t(`corner_${name}`), what: t(`shows_${LETTERS[letter]}`) }),
        on: { click: () => this.change(() => { this.corners[index] = letter; }) },
      }, t(`shows_${LETTERS[letter]}`))),
    );
    const [nw, ne, se, sw] = CORNERS.map(corner);
    const many = this.arms.size === ARMS.length ? ["x", "y"] : [];
    return [
      el("div", { class: "quarters" }, nw, ne, sw, se),
      el("div", { class: "chips", role: "group", "aria-label": t("arms") }, [...ARMS].map((arm) =>
        toggle(t("armTo", { side: t(`side_${arm.toUpperCase()}`) }), this.arms.has(arm), () => { if (!this.arms.delete(arm)) this.arms.add(arm); }))),
      el("div", { class: "chips", role: "group", "aria-label": t("marksOf") },
        (this.arms.size ? ["o", "f", ...many] : []).map(end),
        this.corners.includes("c") ? toggle(t("sign_m"), this.market, () => { this.market = !this.market; }) : null,
        this.falcon ? toggle(t("sign_a"), this.aerie, () => { this.aerie = !this.aerie; }) : null),
      el("div", { class: "fields narrow" }, field(t("quarterCode"), el("input", {
        type: "text", value: this.code, maxLength: 16, spellcheck: false, autocapitalize: "off",
        on: { change: (event) => { this.read(event.target.value.trim()); this.changed(); } },
      }))),
    ];
  }
}
