// The players in a strip: who moves, the score, and what each still has.

import { colourOf, dot, el, fill } from "./dom.js";
import { count } from "./motion.js";
import { pawn } from "./pawns.js";
import { capital, t } from "./texts.js";
import { counted } from "./told.js";

const NUMBERS = { supply: "♟", keep: "♜", tokens: "◆", pieces: "▥" };

export class Strip {
  constructor() {
    this.scores = new Map();
    this.root = el("ul", { class: "strip", "aria-label": t("players") });
    this.view = null;
    this.bail = null; // what may be bought back: its `captors`, those `picked`, `owner` and `pick(captor)`
  }

  /** Let prisoners be tapped that the turn at hand may buy back; null ends it. */
  offer(bail) {
    const same = JSON.stringify(bail) === JSON.stringify(this.bail);
    this.bail = bail;
    if (this.view && !same) this.draw(this.view);
  }

  /** The next position does not come of the one shown: no score counts up to it. */
  forget() {
    this.scores.clear();
  }

  /** Show what the players of a view have; scores count up. */
  draw(view) {
    this.view = view;
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
        player.wall_tiles?.length ? has("▤", "wall_tiles", player.wall_tiles.length) : null,
        (player.prisoners ?? []).map((owner) => this.prisoner(name, owner))),
    );
  }

  /** Return the picture of a prisoner; one that the turn at hand may buy back is tapped. */
  prisoner(captor, owner) {
    const label = t("prisonerOf", { owner: capital(owner), captor: capital(captor) });
    const art = el("i", { class: `stand ${colourOf(owner)} picked`, "aria-hidden": "true" }, pawn("follower"));
    const { captors = [], picked = [] } = this.bail?.owner === owner ? this.bail : {};
    if (!captors.includes(captor)) return el("span", { class: "prisoner", title: label }, art, el("span", { class: "hidden" }, label));
    return el("button", {
      type: "button", class: "prisoner", title: label, "aria-label": t("buyBack", { prisoner: label }),
      "aria-pressed": String(picked.includes(captor)), on: { click: () => this.bail.pick(captor) },
    }, art);
  }
}
