// What a player has trained: tries, rating, days in a row, themes. It stays in this browser.

import { rate } from "./glicko2-lite.js";
import { keep, kept } from "./store.js";

const NAME = "training";
const BEGINNER = { rating: 1200, deviation: 120, volatility: 0.06 }; // one puzzle moves it by 50 points at most
export const PROVISIONAL = 100; // deviation from which a rating is one
const EASIEST = 1000; // rating of a puzzle of difficulty 1
const STEP = 250; // to the next difficulty
const MEASURED = 150; // deviation of a puzzle whose difficulty was measured
const UNMEASURED = 350;
const SIMPLE = ["legal", "scores", "best", "final", "last", "add", "complete", "history", "series", "help", "max", "force", "inflict", "win", "expect"];

const fresh = () => ({ format: 1, player: BEGINNER, puzzles: {}, days: { last: "", run: 0 }, run: 0 });

/** Return all that is known of the training. */
export function training() {
  const found = kept(NAME);
  return valid(found) ? found : fresh();
}

function valid(data) {
  const number = (value) => typeof value === "number" && Number.isFinite(value);
  return data?.format === 1 && Object.keys(BEGINNER).every((key) => number(data.player?.[key]))
    && typeof data.puzzles === "object" && data.puzzles !== null && number(data.days?.run) && number(data.run);
}

export function forget() {
  keep(NAME, fresh());
}

/** Take over a training that was exported; return whether the text is one. */
export function takeOver(text) {
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    return false;
  }
  return valid(data) && keep(NAME, data);
}

/** Return the name under which a puzzle of a set is kept. */
export function keyOf(set, id) {
  return `${set}/${id}`;
}

/** Return the rating of a puzzle as this browser knows it. */
export function ratingOf(head, known) {
  const level = head.difficulty;
  return known?.rating ?? {
    rating: EASIEST + STEP * ((level ?? 3) - 1),
    deviation: level === null ? UNMEASURED : MEASURED,
    volatility: 0.06,
  };
}

/** Return a rating after one game by Glicko-2; the score is 1 for a win, 0 for a loss. */
function after({ rating, deviation, volatility }, other, score) {
  const { rd, vol, ...one } = rate(rating, deviation, volatility, [[other.rating, other.deviation, score]]);
  return { ...one, deviation: rd, volatility: vol };
}

/**
 * Learn how a puzzle went. Only the first try counts for ratings: right at once, or not.
 * @param {string} key of the puzzle
 * @param {object} head its entry in a list
 * @param {"solved"|"missed"|"seen"} how
 * @param {string|null} day of the daily puzzle, `2026-11-22`; null for any other
 * @returns {{change: number, rating: number, puzzle: number, provisional: boolean}|null} by how much the player's rating
 *   changed, what it and that of the puzzle are now; null if it was no first try
 */
export function learn(key, head, how, day = null) {
  const data = training();
  const known = data.puzzles[key] ?? { tries: 0, solved: false };
  const first = known.tries === 0;
  known.tries += 1;
  let change = null;
  if (first) {
    const right = how === "solved" ? 1 : 0;
    const [player, puzzle] = [data.player, ratingOf(head, known)];
    data.player = after(player, puzzle, right);
    known.rating = after(puzzle, player, 1 - right);
    known.first = right === 1;
    known.themes = head.themes;
    data.run = right ? data.run + 1 : 0;
    change = { change: data.player.rating - player.rating, rating: data.player.rating, puzzle: known.rating.rating, provisional: data.player.deviation > PROVISIONAL };
  }
  if (how === "solved") known.solved = true;
  if (how === "solved" && day && data.days.last !== day) {
    data.days = { last: day, run: data.days.last === dayBefore(day) ? data.days.run + 1 : 1 };
  }
  data.puzzles[key] = known;
  keep(NAME, data);
  return change;
}

/** Return today by the clock of this machine. */
export function today(now = new Date()) {
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

function dayBefore(day) {
  const at = new Date(`${day}T12:00:00`);
  at.setDate(at.getDate() - 1);
  return today(at);
}

/** Return the puzzle of a day: the same for everybody with the same puzzles. */
export function daily(heads, day) {
  let mixed = 2166136261;
  for (const sign of day) mixed = Math.imul(mixed ^ sign.charCodeAt(0), 16777619);
  return heads[(mixed >>> 0) % heads.length];
}

/** Return the days in a row up to today or yesterday; an older run is over. */
export function daysInARow(data) {
  const now = today();
  return [now, dayBefore(now)].includes(data.days.last) ? data.days.run : 0;
}

/** Return the puzzle to go on with: not tried yet, near the player's rating; for beginners the easiest. */
export function nextOf(set, heads, now) {
  const data = training();
  const open = heads.filter((one) => one.id !== now && !data.puzzles[keyOf(set, one.id)]?.solved);
  const begun = Object.keys(data.puzzles).length > 0;
  const away = (one) => (begun ? Math.abs(ratingOf(one).rating - data.player.rating) : ratingOf(one).rating);
  const tried = (one) => (data.puzzles[keyOf(set, one.id)] ? 1 : 0);
  const order = [tried, away, (one) => SIMPLE.indexOf(one.question)];
  const before = (one, other) => order.map((by) => by(one) - by(other)).find((found) => found) ?? 0;
  return [...open].sort(before)[0] ?? heads.find((one) => one.id !== now) ?? heads[0];
}

/** Return for each theme how many puzzles were tried and how many of them solved at once. */
export function themes(data) {
  const found = new Map();
  for (const one of Object.values(data.puzzles)) {
    for (const theme of one.themes ?? []) {
      const { tried, right } = found.get(theme) ?? { tried: 0, right: 0 };
      found.set(theme, { tried: tried + 1, right: right + (one.first ? 1 : 0) });
    }
  }
  return [...found].sort(([, one], [, other]) => one.right / one.tried - other.right / other.tried);
}
