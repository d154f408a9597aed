// Findings, events, players and features as lists for people.

import { dot, el, turned } from "./dom.js";
import { address } from "./router.js";
import { t, capital } from "./texts.js";

const BRACKETED = /\s*\(([^()]*@-?\d+,-?\d+r[0-3][^()]*)\)/; // the notation that follows a sentence
const CELL = /(?<![\d/@-])(-?\d{1,3},-?\d{1,3})(?![\d/])/; // a cell that is named in a sentence
const PIECE = /(\S+)@-?\d+,-?\d+r([0-3])/; // the tile of a notation, as it is laid
const NAMING = /\b(lays?|comes?|tiles?) ([\w-]+(?:(?:, | and )[\w-]+)*)(?=[ .,:;?)]|$)/; // tiles that a sentence names

let shown = null; // the tiles by id of which sentences speak

/** Learn the tiles, by id, of which sentences speak from now on. */
export function speakOf(tiles) {
  shown = tiles;
}

/** Return a sign that leads to the text of a rule: its id would be in the way. */
export function ruleSign(id) {
  return el("a", { class: "rule", href: address("rules", id), title: id, "aria-label": t("ruleOf", { id }) }, "§");
}

/** Return the notation of something, which stands beside its words. */
export function notation(text) {
  return el("small", { class: "notation" }, text);
}

/** Return a sentence with the notation of a move small beside it. */
export function told(one) {
  return [...prose(one.says), " ", notation(one.notation)];
}

/** Split a text by a pattern; its matches come as the nodes that are made of them. */
function parted(text, pattern, made) {
  const found = [];
  for (let rest = text; rest;) {
    const match = pattern.exec(rest);
    if (!match) return [...found, rest];
    found.push(rest.slice(0, match.index), ...made(match));
    rest = rest.slice(match.index + match[0].length);
  }
  return found;
}

/** Return a named tile with its picture, turned as a notation after it lays it. */
function named(id, laid) {
  const kind = shown?.get(id);
  if (!kind) return [id];
  const [, tile, rotation] = PIECE.exec(laid) ?? [];
  const drawn = turned(kind.svg, tile === id ? Number(rotation) : 0);
  for (const title of drawn.querySelectorAll("title, desc")) title.remove(); // the name follows in words
  return [el("span", { class: "inline", title: kind.title, "aria-hidden": "true" }, drawn), id];
}

/** Return words as nodes: tiles with their pictures, and cells that light up on the board. */
function words(text, laid) {
  const cell = ([, at]) => [el("span", { class: "at-cell", data: { at } }, at)];
  const tiles = ([, verb, ids]) => [`${verb} `, ...ids.split(/(, | and )/).flatMap((id) => named(id, laid))];
  return parted(text, NAMING, tiles).flatMap((part) => (typeof part === "string" ? parted(part, CELL, cell) : [part]));
}

/** Return a text of the program as nodes: its words, with notation in brackets small beside them. */
export function prose(text) {
  const match = BRACKETED.exec(text);
  if (!match) return words(text, "");
  const [whole, laid] = match;
  return [...words(text.slice(0, match.index), laid), " ", notation(laid), ...prose(text.slice(match.index + whole.length))];
}

/** Return findings as a list: the sentence, the rule, its source. */
export function findings(found, { onPick = null, kind = "wrong" } = {}) {
  return el(
    "ul",
    { class: `findings ${kind}` },
    found.map((one) => {
      const where = one.at ? el("span", { class: "at" }, one.at) : null;
      const text = onPick && one.cells.length
        ? el("button", { type: "button", class: "link", on: { click: () => onPick(one) } }, one.message)
        : el("span", {}, prose(capital(one.message)));
      const rule = one.rule
        ? el("small", {}, ruleSign(one.rule), one.source ? ` ${one.source}` : "")
        : null;
      return el("li", {}, where, where ? " " : null, text, rule);
    }),
  );
}

/** Return events as a list. */
export function events(found) {
  if (!found.length) return el("p", { class: "faint" }, t("nothingHappens"));
  return el(
    "ul",
    { class: "events" },
    found.map((one) => el("li", {}, prose(one.text), " ", el("small", {}, one.rules.map((id) => [ruleSign(id), " "]).flat()))),
  );
}

const COUNTED = ["score", "supply", "keep", "tokens", "pieces"];

/** Tell whether a number of a player counts in the game of a view. */
export function counted({ document }, player, key) {
  return player[key] !== undefined && (key !== "pieces" || document.game.endsWith("tower"));
}

/** Return what the players have, a line for each. */
export function players(view) {
  const has = (key, value) => el("span", { class: "has" }, `${t(`have_${key}`)} `, el("b", {}, value));
  const lists = ["wall_tiles", "specials", "prisoners"];
  return el(
    "ul",
    { class: "players", "aria-label": t("players") },
    Object.entries(view.players).map(([name, player]) => {
      const mine = name === view.to_move && !view.over;
      return el(
        "li",
        { class: mine ? "moving" : "" },
        el("strong", {}, dot(name), capital(name), mine ? ` ${t("toMove")}` : ""),
        COUNTED.filter((key) => counted(view, player, key)).map((key) => has(key, String(player[key]))),
        lists.filter((key) => player[key]?.length).map((key) => has(key, player[key].map((one) => one || "?").join(" "))),
      );
    }),
  );
}

/** Return how the game ended, if it is over. */
export function ending(view) {
  if (view.undecided) return el("section", {}, el("h3", {}, t("finalScoring")), el("p", {}, view.undecided));
  if (!view.final) return null;
  const scores = Object.entries(view.final.scores).map(([name, score]) => `${capital(name)} ${score}`);
  return el(
    "section",
    {},
    el("h3", {}, t("finalScoring")),
    el("p", {}, scores.join(", ")),
    events(view.final.events),
  );
}

/** Return an error of the server: its words, or its list of problems. */
export function refused(error) {
  const problems = error.problems ?? [];
  return el(
    "div",
    { class: "refused", role: "alert" },
    problems.length ? findings(problems) : el("pre", {}, error.message),
  );
}

/**
 * Return a sign that something is worked at.
 * @param {string} words
 * @param {...Node} more what stands beside them
 * @returns {{root: HTMLElement, tell: function(string, string=): void}} its element, and how to
 *   tell a stage of the work, and other words
 */
export function working(words, ...more) {
  const said = el("span", {}, words);
  return {
    root: el("div", { class: "progress" }, el("span", { class: "spin", "aria-hidden": "true" }), said, more),
    tell: (stage, now = words) => { said.textContent = [now, stage].filter(Boolean).join(" · "); },
  };
}
