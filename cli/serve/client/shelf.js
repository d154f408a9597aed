// The puzzles to choose from: sets, filters, what is solved; the daily one; own files.

import { get, post } from "./api.js";
import { button, choice, copied, download, el, field, fileName, fill, picture } from "./dom.js";
import { isPacked, MOST_PACKED, packed, unpacked } from "./packing.js";
import { address, aloneHere } from "./router.js";
import { keep, kept } from "./store.js";
import { t } from "./texts.js";
import { refused } from "./told.js";
import { keyOf, training } from "./training.js";

export const SHIPPED = "library";
const ANY = "";
const NO_FILTERS = { theme: ANY, difficulty: ANY, game: ANY, question: ANY };
const KEPT_SETS = 6;

const ORDERS = {
  title: (one, other) => one.title.localeCompare(other.title),
  easy: (one, other) => (one.difficulty ?? 3) - (other.difficulty ?? 3),
  hard: (one, other) => (other.difficulty ?? 3) - (one.difficulty ?? 3),
};

/** Return a value by which puzzles are filtered, in words. */
function worded(key, value) {
  if (key === "game") return t(`game_${value}`);
  if (key === "question") return t(`asks_${value}`);
  return key === "difficulty" ? "★".repeat(Number(value)) : value.replaceAll("-", " ");
}

const pictures = new Map(); // SVG texts of puzzles, by set and id

/** Put the picture of a puzzle into its place. */
async function drawn(place) {
  const { of } = place.dataset;
  const [set, id] = of.split("/").map(encodeURIComponent);
  const { svg } = await get(`/api/sets/${set}/${id}/picture`).catch(() => ({ svg: null })); // a list without it is of use too
  if (!svg) return;
  pictures.set(of, svg);
  fill(place, picture(svg));
}

export class Shelf {
  /**
   * @param {function(string, string): void} choose a puzzle of a set
   * @param {string} first the set that the trainer begins with
   * @param {boolean} [alone] whether there are no sets but those at hand
   */
  constructor(choose, first, { alone = false } = {}) {
    this.choose = choose;
    this.first = first;
    this.whole = first === SHIPPED ? t("shippedSet") : document.querySelector("h1").textContent;
    this.alone = alone;
    this.set = null; // id, title and puzzles
    this.shipped = []; // id and title of each shipped set
    this.filtering = matchMedia("(min-width: 640px) and (min-height: 600px)").matches; // whether the filters are open
    this.filters = { ...NO_FILTERS };
    this.order = "title";
    this.list = el("section", { class: "puzzles" });
    this.opener = el("section", { class: "part" });
    this.root = el("div", {}, this.list, this.opener);
    this.seen = new IntersectionObserver((found) => found.filter((one) => one.isIntersecting).forEach(({ target }) => {
      this.seen.unobserve(target);
      drawn(target);
    }), { rootMargin: "200px" });
    if (!alone) this.drawOpener();
  }

  /**
   * Take a set in hand: by its id, or from a link that holds it whole. One that the server forgot is
   * opened again from what the browser kept.
   */
  async take(id) {
    if (this.set?.id === id) return;
    if (isPacked(id)) {
      await this.open(await unpacked(id));
      return;
    }
    try {
      this.set = await get(`/api/sets/${encodeURIComponent(id)}`);
      if (this.large) Object.assign(this, { filters: { ...NO_FILTERS }, order: "title" }); // as the list came
    } catch (error) {
      const mine = (kept("sets") ?? []).find((one) => one.id === id);
      if (!mine) throw error;
      this.set = await post("/api/sets", { title: mine.title, text: mine.text });
    }
  }

  /** The id under which progress is kept: a puzzle is solved in every shipped set at once. */
  get home() {
    return this.set.story ? this.first : this.set.id;
  }

  /** Whether the set is so large that the server filters it and lists a part. */
  get large() {
    return Boolean(this.set.values);
  }

  head(id) {
    return this.set.puzzles.find((one) => one.id === id) ?? (this.large ? { id } : undefined);
  }

  /** Draw the list by new filters or in a new order; the server chooses from a large set. */
  async filtered(now) {
    const { id } = this.set;
    if (this.large) {
      const asked = new URLSearchParams({ ...this.filters, order: this.order });
      const found = await get(`/api/sets/${encodeURIComponent(id)}?${asked}`);
      if (this.set.id !== id || String(asked) !== String(new URLSearchParams({ ...this.filters, order: this.order }))) return;
      this.set = found;
    }
    this.draw(now);
  }

  get fitting() {
    if (this.large) return this.set.puzzles;
    const { theme, difficulty, game, question } = this.filters;
    return [...this.set.puzzles].sort(ORDERS[this.order]).filter((one) =>
      (!theme || one.themes.includes(theme)) &&
      (!difficulty || String(one.difficulty) === difficulty) &&
      (!game || one.game === game) &&
      (!question || one.question === question),
    );
  }

  /** @param {string} now the puzzle at hand */
  draw(now) {
    const { puzzles: known } = training();
    const { puzzles, id: set, title } = this.set;
    const all = (read) => [...new Set(puzzles.flatMap(read))].filter((one) => one !== null).sort();
    const values = this.set.values ?? {
      theme: all((one) => one.themes),
      difficulty: all((one) => [one.difficulty]).map(String),
      game: all((one) => [one.game]),
      question: all((one) => [one.question]),
    };
    const filter = (key) =>
      values[key].length > 1
        ? field(t(`filter_${key}`), choice([[ANY, t("any")], ...values[key].map((one) => [one, worded(key, one)])], this.filters[key], (value) => {
            this.filters[key] = value;
            this.filtered(now);
          }))
        : null;
    if (this.saver) this.saver.hidden = !this.mine;
    const solved = puzzles.filter((one) => known[keyOf(this.home, one.id)]?.solved).length;
    const mine = this.alone ? [] : kept("sets") ?? [];
    if (this.set.sets?.length) this.shipped = this.set.sets.map((one) => [one.id, one.title]);
    const sets = [[this.first, this.whole], ...this.shipped, ...mine.map((one) => [one.id, one.title])];
    if (!sets.some(([id]) => id === set)) sets.push([set, title]);
    fill(
      this.list,
      sets.length > 1 ? field(t("puzzleSet"), choice(sets, set, (id) => this.choose(id, ""))) : null,
      this.set.story ? el("p", {}, this.set.story) : null,
      el("details", { open: this.filtering, on: { toggle: (event) => { this.filtering = event.target.open; } } },
        el("summary", {}, t("filters")),
        el("div", { class: "fields narrow" }, ["theme", "difficulty", "game", "question"].map(filter),
          field(t("orderBy"), choice(Object.keys(ORDERS).map((order) => [order, t(`by_${order}`)]), this.order, (order) => {
            this.order = order;
            this.filtered(now);
          })))),
      el("p", { class: "faint" }, this.large ? t("listedOf", { some: puzzles.length, all: this.set.fitting }) : t("solvedOf", { solved, all: puzzles.length })),
      this.fitting.length ? null : el("p", {}, t("noPuzzle")),
      el("ul", { class: "choices" }, this.fitting.map((one) => this.item(one, known[keyOf(this.home, one.id)], one.id === now))),
    );
  }

  /** Return the place of a puzzle's picture, which comes when it is seen. */
  thumb({ id }) {
    const place = el("span", { class: "thumb", "aria-hidden": "true", data: { of: `${this.set.id}/${id}` } });
    if (pictures.has(place.dataset.of)) place.append(picture(pictures.get(place.dataset.of)));
    else this.seen.observe(place);
    return place;
  }

  item(one, known, now) {
    const [sign, words] = known?.solved ? ["✓", t("solved")] : known ? ["·", t("seen")] : ["", ""];
    return el("li", {}, el("button", {
      type: "button",
      class: "turn",
      "aria-current": now ? "true" : null,
      on: { click: () => this.choose(this.set.id, one.id) },
    },
    this.thumb(one),
    el("span", { class: "what" }, one.title, el("small", {}, `${worded("game", one.game)}: ${worded("question", one.question)}`)),
    el("span", { class: "gain" },
      one.difficulty === null ? null : el("span", { "aria-label": t("difficultyOf", { level: one.difficulty }), role: "img" }, "★".repeat(one.difficulty)),
      sign ? el("span", { class: "good", "aria-label": words, role: "img" }, ` ${sign}`) : null)));
  }

  drawOpener() {
    const said = el("div", { "aria-live": "polite" });
    const file = el("input", {
      type: "file",
      accept: ".jsonl,.json,.toml",
      on: {
        change: async (event) => {
          const [chosen] = event.target.files;
          event.target.value = "";
          if (!chosen) return;
          try {
            await this.add(chosen.name.replace(/\.\w+$/, ""), await chosen.text());
            fill(said);
          } catch (error) {
            fill(said, refused(error));
          }
        },
      },
    });
    fill(
      this.opener,
      el("h3", {}, t("ownPuzzles")),
      el("p", { class: "faint" }, t("aboutOwnPuzzles")),
      field(t("openPuzzles"), file),
      el("div", { class: "bar" }, aloneHere() ? this.saver = button(t("saveSet"), () => this.save(), { class: "quiet" }) : button(t("shareSet"), () => this.share(said), { class: "quiet" })),
      said,
    );
  }

  /** The set at hand as this browser keeps it; undefined for one that others have too. */
  get mine() {
    return (kept("sets") ?? []).find((one) => one.id === this.set.id);
  }

  /** Save the set at hand, where an address would lead nobody to it. */
  save() {
    download(`${fileName(this.mine.title || "puzzles")}.jsonl`, this.mine.text);
  }

  /** Take the puzzles of a file as a set, and keep it. */
  async add(title, text) {
    await this.open({ title: title.slice(0, 60), text });
    this.choose(this.set.id, "");
  }

  async open({ title, text }) {
    this.set = await post("/api/sets", { title, text });
    const others = (kept("sets") ?? []).filter((one) => one.id !== this.set.id);
    keep("sets", [...others.slice(1 - KEPT_SETS), { id: this.set.id, title, text }]);
  }

  /** Give out a link: it holds the whole set if that is known and small, else its id alone. */
  async share(said) {
    const { mine } = this;
    const whole = mine && await packed({ title: mine.title, text: mine.text });
    const fits = whole && whole.length <= MOST_PACKED;
    const url = `${location.origin}${location.pathname}${address("train", fits ? whole : this.set.id)}`;
    const way = await copied(url) ? "setCopied" : "copyThis";
    fill(
      said,
      el("p", {}, t(way, { url: fits ? url.slice(0, 80) + "…" : url })),
      whole && !fits ? el("p", { class: "bound" }, t("setTooLarge", { size: whole.length, most: MOST_PACKED })) : null,
      mine || this.set.id === SHIPPED ? null : el("p", { class: "faint" }, t("setOfServer")),
    );
  }
}
