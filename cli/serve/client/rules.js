// The rules: found by words, shown with their switches and with cases on the board.

import { get, post } from "./api.js";
import { button, el, fill, picture } from "./dom.js";
import { address } from "./router.js";
import { boxes, editionOf, inForce, question } from "./switches.js";
import { capital, t } from "./texts.js";
import { events, findings, refused } from "./told.js";

const PAUSE = 120; // milliseconds without a key before it is searched

export class Rules {
  /**
   * @param {Session} session holds the case that is on the board
   * @param {Session|null} table where a case is tried out; null if nowhere
   */
  constructor(session, table, { board, say, strip, show, note, trial }) {
    this.trial = trial;
    this.note = note;
    this.session = session;
    this.table = table;
    this.board = board;
    this.say = say;
    this.strip = strip;
    this.show = show;
    this.rule = null;
    this.chosen = false; // whether the user has chosen a rule
    this.case = null;
    this.serial = 0; // of what was asked for last, so that nothing late is shown
    this.search = el("input", {
      type: "search",
      id: "rule-words",
      "aria-label": t("findRule"),
      placeholder: t("findRule"),
      autocomplete: "off",
      on: {
        input: () => {
          clearTimeout(this.pause);
          this.pause = setTimeout(async () => {
            await this.find();
            if (!this.rule && this.first) await this.open(this.first, { aside: true });
          }, PAUSE);
        },
        focus: () => this.show("rules"),
      },
    });
    this.count = el("p", { class: "faint", role: "status" });
    this.list = el("div", { class: "rules" });
    const ask = table && button(t("isThisAllowed"), () => this.ask(), { class: "link ask", title: t("askOnBoard") });
    this.detail = el("article", { class: "rule-detail" });
    this.verdict = el("section", { class: "case", "aria-live": "polite" });
    this.parts = [
      ["rules", el("div", {}, el("div", { class: "found" }, this.count, ask), this.list)],
      ["rule", this.detail],
    ];
    this.head = el("div", {}, this.search);
    this.foot = el("div", { class: "action" });
    this.handler = {
      activate: () => this.say(t(table ? "caseOnly" : "caseToRead")),
      key: (event) => this.key(event),
    };
  }

  /** The rule, and the words that were looked for after a question mark. */
  get rest() {
    const words = this.search.value.trim();
    return `${this.rule?.id ?? ""}${words ? `?${words}` : ""}`;
  }

  async enter(rest) {
    const [, id, , words] = /^([^?]*)(\?(.*))?$/s.exec(rest);
    if (words !== undefined && words !== this.search.value.trim()) {
      this.search.value = words;
      this.asked = false;
    }
    if (!this.asked) {
      this.asked = true;
      await this.find();
    }
    if (id && id !== this.rule?.id) await this.open(id);
    else if (!this.rule && this.first) await this.open(this.first, { aside: true });
    else if (id) this.show("rule");
  }

  /** The picture of the case is another. */
  refresh() {
    const cells = (this.case?.violations ?? []).flatMap((one) => one.cells);
    this.board.mark({ wrong: cells });
  }

  /** List the rules that the words find. */
  async find() {
    const words = this.search.value;
    const found = await post("/api/rules", { words });
    if (words !== this.search.value) return;
    const { rules } = found;
    this.note();
    this.first = rules[0]?.id;
    this.count.textContent = t({ 0: "noRule", 1: "oneRule" }[rules.length] ?? "manyRules", { count: rules.length });
    fill(this.list, [...grouped(rules)].map(([game, ones]) => el(
      "section",
      {},
      el("h2", {}, t(`rulesOf_${game}`)),
      el("ul", { class: "plain" }, ones.map((one) => el("li", {}, el(
        "a",
        {
          class: "entry",
          href: address("rules", one.id),
          "aria-current": one.id === this.rule?.id ? "true" : null,
          // The address stays the same, and nobody hears of it.
          on: { click: () => one.id === this.rule?.id && this.show("rule") },
        },
        el("span", {}, one.sentence),
        el("code", {}, one.id),
      )))),
    )));
  }

  /**
   * Show a rule, with the case on the board that shows it best.
   * @param {boolean} [aside] whether the list of rules stays in front
   */
  async open(id, { aside = false } = {}) {
    if (aside && this.chosen) return; // what the user chose stays
    this.chosen ||= !aside;
    const serial = ++this.serial;
    let rule;
    let cases;
    try {
      if (this.table) this.games ??= await get("/api/games");
      rule = await get(`/api/rules/${encodeURIComponent(id)}`);
      cases = await Promise.all([rule.passes, rule.fails, rule.other].map((card) => card && get(`/api/cards/${card}`)));
    } catch (error) {
      if (serial !== this.serial) return;
      fill(this.detail, refused(error));
      this.show("rule");
      return;
    }
    if (serial !== this.serial) return;
    this.rule = rule;
    this.cases = cases.filter(Boolean);
    for (const link of this.list.querySelectorAll(".entry")) {
      if (link.hash === address("rules", id)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    this.put(this.cases.find((one) => one.id === rule.fails) ?? this.cases[0]);
    this.show(aside ? "rules" : "rule");
    this.detail.parentElement?.scrollTo?.(0, 0);
  }

  /** Put a case on the board. */
  put(shown) {
    this.case = shown;
    this.strip.forget();
    const { svg, title, players, to_move, game } = shown;
    this.session.view = { svg, title, players, to_move, game: "", document: { game } };
    this.draw();
    this.board.camera.whole();
    this.session.changed();
    this.say(this.part === "rule" ? "" : shown.title); // the panel says it
  }

  /** Put the case of a card on the board. */
  async look(id) {
    const serial = ++this.serial;
    const shown = this.cases.find((one) => one.id === id) ?? await get(`/api/cards/${id}`);
    if (serial === this.serial) this.put(shown);
  }

  /** N and P go through the cases of the rule. */
  key(event) {
    const step = { n: 1, p: -1 }[event.key];
    if (!step || !this.rule) return false;
    const ids = this.rule.cards.map(({ id }) => id);
    const at = ids.indexOf(this.case.id) + step;
    if (ids[at]) this.look(ids[at]);
    return true;
  }

  draw() {
    const { rule } = this;
    const focused = this.detail.contains(document.activeElement) ? document.activeElement.dataset.card : null;
    fill(
      this.detail,
      el("h2", {}, rule.sentence),
      el("p", { class: "faint" }, el("code", {}, rule.id), " · ", rule.source),
      paragraphs(rule.text).slice(1),
      this.drawCase(),
      rule.switches.length ? this.drawSwitches() : null,
      this.drawCards(),
    );
    if (focused) this.detail.querySelector(`[data-card="${focused}"]`)?.focus({ preventScroll: true });
    this.shown(this.part);
  }

  /** The list of rules has the room of what the case offers. */
  shown(part) {
    this.part = part;
    fill(this.foot, part === "rule" && this.case && this.table
      ? [el("span", { class: "what" }, this.case.title), button(t("tryCase"), () => this.take(), { class: "main" })]
      : null);
  }

  /** A case that keeps the rule beside one that breaks it; the one on the board in words. */
  drawCase() {
    const { rule } = this;
    const small = this.cases.map((one) => el(
      "button",
      {
        type: "button",
        class: "example",
        data: { card: one.id },
        "aria-pressed": String(one.id === this.case.id),
        on: { click: () => this.look(one.id) },
      },
      this.kindOf(one),
      drawing(one.small),
    ));
    return el(
      "section",
      { class: "cases" },
      small.length > 1 ? el("div", { class: "examples", role: "group", "aria-label": t("casesOf") }, small) : null,
      this.drawVerdict(),
    );
  }

  kindOf({ id }) {
    const { fails, other } = this.rule;
    if (id === other) return el("b", {}, t("caseOther"));
    return el("b", { class: id === fails ? "bad" : "good" }, t(id === fails ? "caseFails" : "casePasses"));
  }

  drawVerdict() {
    const one = this.case;
    const { allowed } = one;
    const facts = Object.entries(one.facts);
    return fill(
      this.verdict,
      el("h3", {}, one.title),
      this.strip.root,
      allowed === null || (allowed && one.events.length)
        ? null
        : el("p", { class: allowed ? "verdict good" : "verdict bad" }, t(allowed ? "caseAllowed" : "caseNotAllowed")),
      one.violations.length ? findings(one.violations) : null,
      one.events.length ? events(one.events) : null,
      one.notes.length ? findings(one.notes, { kind: "allowed" }) : null,
      facts.length ? el("ul", { class: "facts" }, facts.map(([name, value]) => el("li", {}, `${capital(name)}: `, el("b", {}, value)))) : null,
      el("p", { class: "faint" }, t("caseOf", { id: one.id, source: one.source })),
    );
  }

  drawSwitches() {
    return el(
      "section",
      {},
      el("h3", {}, t("howYouPlay")),
      el("p", { class: "faint" }, t(!this.table ? "askedThere" : this.settles ? "answersHold" : "otherGame")),
      this.settles && this.game.plane ? boxes(this.games.editions, editionOf(this.table.position, this.games.editions).name, (name) =>
        this.settle((position) => { position.edition = name; })) : null,
      this.rule.switches.map((one) => (this.settles
        ? question(one, inForce(one, this.table.position, this.game, this.games.editions), (value) =>
          this.settle((position) => { position.switches = { ...position.switches, [one.name]: value }; }))
        : question(one, null))),
    );
  }

  /** The game of the board at hand, as the catalogue has it. */
  get game() {
    return this.games?.games.find(({ id }) => id === this.table?.position?.game);
  }

  /** Whether the board at hand has the switches of the rule. */
  get settles() {
    const names = (this.game?.switches ?? []).map(({ name }) => name);
    return this.rule.switches.every(({ name }) => names.includes(name));
  }

  /** Let the board at hand be played by another answer. */
  async settle(change) {
    await this.table.change(change);
    this.draw();
    this.say(t("settled"));
  }

  drawCards() {
    const { cards } = this.rule;
    if (cards.length <= this.cases.length) return null;
    return el(
      "details",
      { open: this.detail.querySelector("details")?.open ?? false },
      el("summary", {}, t("allCases", { count: cards.length })),
      el("ul", { class: "plain" }, cards.map((one) => el("li", {}, button(one.title, () => this.look(one.id), {
        class: one.fails ? "link fails" : "link",
        data: { card: `all ${one.id}` },
        "aria-current": one.id === this.case.id ? "true" : null,
      })))),
    );
  }

  /** Go to a board for the question: that of the best rule that the words find, else the one at hand. */
  async ask() {
    if (!this.search.value.trim() || !this.first) location.hash = address("play");
    else {
      if (this.rule?.id !== this.first) await this.open(this.first);
      await this.take();
    }
  }

  /** Lay the case on the table, with its move on trial: taps ask about others. */
  async take() {
    await this.table.set(this.case.position);
    this.say("");
    this.trial(this.case.move);
    location.hash = address("play");
  }
}

/** Return a picture that takes the size of its place, for the eye alone. */
function drawing(svg) {
  const drawn = picture(svg);
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

/** Return rules by the first part of their ids, the game. */
function grouped(rules) {
  const games = new Map();
  for (const one of rules) {
    const [game] = one.id.split(".");
    games.set(game, [...(games.get(game) ?? []), one]);
  }
  return games;
}

/** Return a rule's text as paragraphs; names in it are set as code, what passes and fails as such. */
function paragraphs(text) {
  return text.split("\n\n").map((part) => {
    const kinds = part.split(/\n(?=Fails: )/);
    return kinds.map((one) => {
      const kind = { Passes: "good", Fails: "bad" }[one.split(":")[0]];
      const words = one.replaceAll("\n", " ").split("``").map((piece, index) => (index % 2 ? el("code", {}, piece) : piece));
      return el("p", { class: kind ? `saying ${kind}` : "" }, words);
    });
  }).flat();
}
