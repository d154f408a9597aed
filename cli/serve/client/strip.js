// The players in a strip: who moves, the score, and what each still has.

import { dot, el, fill } from "./dom.js";
import { count } from "./motion.js";
import { capital, t } from "./texts.js";
import { counted } from "./told.js";

const NUMBERS = { supply: "♟", keep: "♜", tokens: "◆", pieces: "▥" };
const LISTS = { wall_tiles: "▤", prisoners: "▨" };

export class Strip {
  constructor() {
    this.scores = new Map();
    this.root = el("ul", { class: "strip", "aria-label": t("players") });
  }

  /** The next position does not come of the one shown: no score counts up to it. */
  forget() {
    this.scores.clear();
  }

  /** Show what the players of a view have; scores count up. */
  draw(view) {
    this.root.hidden = !view.players;
    if (!view.players) return;
    const entries = Object.entries(view.players);
    fill(this.root, entries.map(([name, player]) => this.card(view, name, player)));
    this.scores = new Map(entries.map(([name, player]) => [name, player.score]));
  }

  card(view, name, player) {
    const mine = name === view.to_move && !view.over;
    const score = el("b", { class: "score", title: t("have_score") });
    count(score, this.scores.get(name), player.score);
    const has = (sign, key, value) => el("span", { class: "has", title: t(`have_${key}`) },
      el("span", { "aria-hidden": "true" }, sign), el("span", { class: "hidden" }, `${t(`have_${key}`)} `), String(value));
    return el(
      "li",
      { class: mine ? "card moving" : "card", id: `player-${name}` },
      dot(name),
      el("span", { class: "name" }, capital(name), mine ? el("span", { class: "hidden" }, ` ${t("toMove")}`) : null),
      score,
      el("span", { class: "stock" },
        Object.entries(NUMBERS).filter(([key]) => counted(view, player, key)).map(([key, sign]) => has(sign, key, player[key])),
        Object.entries(LISTS).filter(([key]) => player[key]?.length).map(([key, sign]) => has(sign, key, player[key].length))),
    );
  }
}
