// The replies that a published copy brings along, asked for as those of a server are (api.js).

import { drawing } from "./drawings.js";
import { isPacked } from "./packing.js";
import { t } from "./texts.js";

const NEAREST = 8; // rules that answer a question in people's words at most

const files = new Map(); // promises of the contents of files, by name
const arrivals = new Map(); // what to do with the contents when they come
const kept = new Map(); // of each position: the puzzle's file and the number of its view

/** Every file of data calls this: a page from the disk may load scripts and nothing else. */
globalThis.burgrave = (name, data) => arrivals.get(name)(data);

function file(name) {
  if (!files.has(name)) {
    files.set(name, new Promise((resolve, reject) => {
      arrivals.set(name, resolve);
      const script = document.createElement("script");
      script.src = `data/${name}.js`;
      script.onerror = () => {
        files.delete(name);
        reject(new Error(t("noFile", { name })));
      };
      document.head.append(script);
    }));
  }
  return files.get(name);
}

/** Return a picture, put together from the pieces that it shares with others. */
function joined({ pieces }, numbers) {
  return numbers.map((number) => pieces[number]).join("");
}

async function setOf(id) {
  const home = await file("set");
  const set = id === home.id ? home : home.others[id];
  if (!set) throw new Error(t("noSuchPuzzle"));
  return set;
}

/** Return the number of a puzzle in the names of its files. */
async function numberOf(id) {
  const { puzzles } = await file("set");
  const number = puzzles.findIndex((one) => one.id === id) + 1;
  if (!number) throw new Error(t("noSuchPuzzle"));
  return number;
}

async function puzzleOf(id) {
  const data = await file(`puzzle-${await numberOf(id)}`);
  data.views.forEach((view, at) => kept.set(JSON.stringify(view.document), { data, at }));
  return data;
}

/** Return turns with the positions before and after each. */
function steps({ views }, found) {
  return found.map((one) => ({ ...one, before: views[one.before].document, position: views[one.position].document }));
}

const found = (position) => kept.get(JSON.stringify(position));

/** Return the place in a puzzle at which the user is to move. */
function stopAt(position) {
  const { data, at } = found(position);
  return data.stops.find((one) => one.view === at);
}

function view({ position, line = null }) {
  const { data, at } = found(position);
  const told = data.views[at];
  return { ...told, svg: joined(data, line ? data.moves[`${at} ${line}`] : told.svg) };
}

/** Return the picture of a position that stands by itself; it is light. */
async function drawn({ position }) {
  const { css } = await file("style");
  return { svg: view({ position }).svg.replace(">", `><style>${css}</style>`) };
}

/** Return the file with the tiles of a position. */
async function tilesOf(position) {
  const all = await file("set");
  const asked = JSON.stringify(position);
  return file(`tiles-${all.tiles.findIndex((one) => JSON.stringify(one) === asked) + 1}`);
}

async function tiles({ position }) {
  const data = await tilesOf(position);
  return { ...data, kinds: data.kinds.map((kind) => ({ ...kind, svg: joined(data, kind.svg) })) };
}

function turns({ position, tile, cell, rotation }) {
  const told = stopAt(position).turns[`${cell} ${rotation}`];
  if (!told) throw new Error(t("notThere", { tile }));
  return told;
}

/** Return an answer as it stands in the list of answers. */
function plain(answer) {
  const parts = answer.toLowerCase().split(",").map((part) => part.trim().replace(/\s+/g, " "));
  return /^-?\d+$/.test(parts[0]) ? String(Number(parts[0])) : parts.join(", ");
}

async function judged({ puzzle, answer, played }) {
  const data = await puzzleOf(puzzle);
  const stop = data.stops.find((one) => String(one.played) === String(played));
  if (stop.number && !stop.answers[answer] && !/^\s*-?\d+\s*$/.test(answer)) {
    throw new Error(t("answerWith", { form: data.puzzle.form }));
  }
  const told = stop.answers[answer] ?? stop.answers[plain(answer)] ?? stop.other;
  if (!told) throw new Error(t("cannotJudge"));
  const nothing = { lost: null, violations: [], more: false };
  return { ...nothing, ...told, steps: steps(data, told.steps ?? []) };
}

/** Return the rules that words find, as `burgrave rules` does. */
async function rules({ words }) {
  const { rules: all, cards, people } = await file("rules");
  const wanted = words.trim().toLowerCase().replace(/[.*]+$/, "");
  const list = (ones) => ({ rules: ones.map(({ id, sentence }) => ({ id, sentence })) });
  if (!wanted) return list(all);
  if (cards[wanted]) return list(all.filter((one) => cards[wanted].includes(one.id)));
  const family = all.filter((one) => `${one.id}.`.startsWith(`${wanted}.`));
  if (family.length) return list(family);
  const beginning = (word) => new RegExp(`\\b${word.replace(/[^\w\s]/g, "\\$&")}`, "i");
  const agreeing = (one, begins) => Math.max(...[one.text, ...one.cards.map((card) => card.title)]
    .map((text) => begins.filter((word) => word.test(text)).length));
  const begins = wanted.split(/\s+/).map(beginning);
  const speaking = all.filter((one) => agreeing(one, begins) === begins.length);
  const main = ({ id, sentence }) => `${id.replaceAll(".", " ")} ${sentence}`;
  const besides = (one) => Number(!begins.every((word) => word.test(main(one))));
  if (speaking.length) return list(speaking.sort((one, other) => besides(one) - besides(other)));
  const meant = (words.toLowerCase().match(/[\w-]+/g) ?? []).filter((word) => !people.fillers.includes(word))
    .map((word) => beginning((people.words[word] ?? word).replace(/(?<=\w{4})(?:ing|ed|es|s)$/, "")));
  const most = Math.max(...all.map((one) => agreeing(one, meant)));
  const inMain = (one) => meant.reduce((sum, word) => sum + (main(one).match(new RegExp(word, "gi")) ?? []).length, 0);
  return list(most ? all.filter((one) => agreeing(one, meant) === most).sort((one, other) => inMain(other) - inMain(one)).slice(0, NEAREST) : []);
}

async function rule(id) {
  const told = (await file("rules")).rules.find((one) => one.id === id);
  if (!told) throw new Error(t("noRule"));
  return told;
}

async function card(id) {
  const data = await file(`cases-${id.split("-")[0]}`);
  const told = data.cases[id];
  return { ...told, svg: joined(data, told.svg), small: joined(data, told.small) };
}

/** Return the pictures of a game: of its tiles, and of all else. */
async function stockOf(game) {
  const number = (await file("set")).games.indexOf(game) + 1;
  if (!number) throw new Error(t("badLink"));
  return { tiles: await tilesOf({ burgrave: 1, type: "position", game }), stock: await file(`stamps-${number}`) };
}

async function brought(id) {
  const number = (await file("set")).boards.findIndex((one) => one.id === id) + 1;
  if (!number) throw new Error(t("noSuchBoard"));
  return file(`board-${number}`);
}

/** Return a board that the copy or a link brings, with the positions before and after its turns. */
async function board(id) {
  const data = await (isPacked(id) ? drawing(id, stockOf) : brought(id));
  data.views.forEach((one, at) => kept.set(JSON.stringify(one.document), { data, at }));
  return { position: data.views[data.position].document, steps: steps(data, data.steps) };
}

const GET = [
  [/^\/api\/start$/, async () => ({ position: null, set: (await file("set")).id })],
  [/^\/api\/sets\/([^/]+)$/, setOf],
  [/^\/api\/sets\/[^/]+\/([^/]+)$/, async (id) => {
    const { puzzle, views } = await puzzleOf(id);
    return { ...puzzle, position: views[puzzle.position].document };
  }],
  [/^\/api\/sets\/[^/]+\/([^/]+)\/picture$/, async (id) => file(`picture-${await numberOf(id)}`)],
  [/^\/api\/sets\/[^/]+\/([^/]+)\/hints\/(\d+)$/, async (id, number) => ({ hint: (await puzzleOf(id)).hints[number] })],
  [/^\/api\/sets\/[^/]+\/([^/]+)\/solution$/, async (id) => {
    const data = await puzzleOf(id);
    return { ...data.solution, steps: steps(data, data.solution.steps) };
  }],
  [/^\/api\/boards$/, async () => file("set")],
  [/^\/api\/boards\/([^/]+)$/, board],
  [/^\/api\/rules\/([^/]+)$/, rule],
  [/^\/api\/cards\/([^/]+)$/, card],
];

const POST = {
  "/api/view": view,
  "/api/picture": drawn,
  "/api/tiles": tiles,
  "/api/places": ({ position }) => stopAt(position).places,
  "/api/fits": ({ position }) => stopAt(position).fits,
  "/api/turns": turns,
  "/api/rules": rules,
};

export async function get(path) {
  const [pattern, reply] = GET.find(([one]) => one.test(path)) ?? [];
  if (!pattern) throw new Error(t("needsServer"));
  return reply(...pattern.exec(path).slice(1).map(decodeURIComponent));
}

export async function post(path, data) {
  if (!POST[path]) throw new Error(t("needsServer"));
  return POST[path](data);
}

/** An attempt, which is judged by what the copy brings along. */
export class Solve {
  constructor(path, question) {
    this.question = question;
  }

  async run() {
    return { state: "done", answer: await judged(this.question) };
  }

  cancel() {}
}
