// The choice of a game to play: which one, how many players, and who sits where.

import { get, post } from "./api.js";
import { button, choice, dot, el, field, fill } from "./dom.js";
import { keep, kept } from "./store.js";
import { boxes } from "./switches.js";
import { capital, t } from "./texts.js";
import { refused } from "./told.js";

const LEVELS = [1, 2, 3, 4, 5];
const FIRST = { game: "carcassonne", players: 2, edition: "today", seats: [0, 3, 3, 3, 3, 3] };

export class Seats {
  /**
   * @param {Match} match
   * @param {function(): void} begun is called when a game has begun
   */
  constructor(match, begun) {
    this.match = match;
    this.begun = begun;
    this.chosen = { ...FIRST, ...kept("seats") };
    this.fresh = el("section", {});
    this.going = el("section", {});
    this.said = el("div", { "aria-live": "polite" });
    this.root = el("div", { class: "seats" }, this.fresh, this.said, this.going);
  }

  async open() {
    this.games ??= await get("/api/games");
    this.draw();
  }

  choose(change) {
    Object.assign(this.chosen, change);
    keep("seats", this.chosen);
    this.draw();
  }

  get game() {
    return this.games.games.find(({ id }) => id === this.chosen.game);
  }

  /** The players of the game that is chosen. */
  get players() {
    return this.game.plane ? this.games.colours.slice(0, this.chosen.players) : this.game.players;
  }

  seat(player, index, seats, change) {
    const options = [["0", t("person")], ...LEVELS.map((level) => [String(level), t(`level_${level}`)])];
    return el("label", { class: "seat" },
      dot(player), el("span", {}, capital(player)),
      choice(options, String(seats[index] ?? 0), (level) => change(Number(level))));
  }

  draw() {
    const { chosen, games } = this;
    const pick = (label, key, options, read = String) => field(label, choice(options, String(chosen[key]), (value) => this.choose({ [key]: read(value) })));
    const { plane } = this.game;
    fill(
      this.fresh,
      el("h2", {}, t("newGame")),
      el("p", { class: "faint" }, t("aboutGame")),
      el("div", { class: "fields" },
        pick(t("game"), "game", games.games.map(({ id, title }) => [id, title])),
        plane ? pick(t("howMany"), "players", [2, 3, 4, 5, 6].map((number) => [String(number), String(number)]), Number) : null,
        plane ? boxes(games.editions, chosen.edition, (edition) => this.choose({ edition })) : null),
      el("div", { class: "table-seats", role: "group", "aria-label": t("whoSits") }, this.players.map((player, index) =>
        this.seat(player, index, chosen.seats, (level) => this.choose({ seats: chosen.seats.with(index, level) })))),
      el("div", { class: "bar" }, button(t("beginGame"), () => this.begin(), { class: "main" })),
    );
    this.drawGoing();
  }

  /** Offer what can be done with the game at hand, or a game from the position at hand. */
  drawGoing() {
    const { match } = this;
    const { view } = match.session;
    if (!this.games || !view?.players || view.over) {
      fill(this.going);
      return;
    }
    const names = Object.keys(view.players);
    if (!match.going) {
      fill(
        this.going,
        el("h3", {}, t("playHere")),
        el("p", { class: "faint" }, t("aboutPlayHere")),
        el("div", { class: "bar" }, button(t("playOn"), () => this.start(match.session.position, names))),
      );
      return;
    }
    fill(
      this.going,
      el("h3", {}, t("gameGoing")),
      el("div", { class: "table-seats", role: "group", "aria-label": t("whoSits") }, names.map((name) =>
        this.seat(name, name, match.game.seats, (level) => {
          match.game.seats = { ...match.game.seats, [name]: level };
          keep("match", match.game);
          match.refresh();
        }))),
    );
  }

  async begin() {
    const { chosen, players } = this;
    const asked = { game: chosen.game, unknown: true };
    if (this.game.plane) Object.assign(asked, { players: chosen.players, edition: chosen.edition });
    const { position } = await post("/api/new", asked);
    await this.start({ ...position, title: this.game.title }, players);
  }

  async start(position, players) {
    const seats = Object.fromEntries(players.map((name, index) => [name, this.chosen.seats[index]]));
    fill(this.said);
    try {
      this.begun();
      await this.match.begin(position, seats);
    } catch (error) {
      fill(this.said, refused(error));
    }
  }
}
