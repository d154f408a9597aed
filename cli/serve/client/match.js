// A game that is played from its start to its end: who sits where, its moves, whose turn is next.

import { post, Solve } from "./api.js";
import { button, el, fill } from "./dom.js";
import { keep, kept } from "./store.js";
import { capital, t } from "./texts.js";
import { refused, working } from "./told.js";

const SEEDS = 2 ** 32;

/**
 * The deal follows from start, seed and moves, and only the server looks at it. The position at
 * hand belongs to the game if it is the one after some of its moves; going back takes moves back.
 */
export class Match extends EventTarget {
  /** @param {Session} session */
  constructor(session) {
    super();
    this.session = session;
    this.game = kept("match"); // start, seed, seats, moves, and the lines of the positions
    this.solve = null;
    this.reached = null; // the position to which a move led that was just played
    this.root = el("section", { class: "match", "aria-live": "polite" });
  }

  /** What the position at hand is known by. */
  get line() {
    return this.session.line ?? JSON.stringify(this.session.position);
  }

  /** How many moves led to the position at hand; -1 if it is none of the game's. */
  get at() {
    return this.game && this.session.view ? this.game.lines.lastIndexOf(this.line) : -1;
  }

  get going() {
    return this.at >= 0;
  }

  get moves() {
    return this.game.moves.slice(0, this.at);
  }

  /** How many steps lead back to the last turn of a person; 1 if there is none. */
  get back() {
    const { past } = this.session;
    const steps = past.findLastIndex(({ line, position }) => this.game.lines.includes(line) && !this.level(position.to_move));
    return steps < 0 ? 1 : past.length - steps;
  }

  /** The level that plays for a player; 0 for a person. */
  level(player) {
    return this.game.seats[player] ?? 0;
  }

  /** Whether a level is to move. */
  get due() {
    const { view } = this.session;
    return this.going && !view.over && !view.problems.length && this.level(view.to_move) > 0;
  }

  /**
   * Begin a game.
   * @param {object} start the position before its first move
   * @param {object} seats the level for each player, 0 for a person
   */
  async begin(start, seats) {
    this.stop();
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    const game = { start, seed: seed % SEEDS, seats, moves: [], lines: [] };
    const { position } = await post("/api/matches", { position: start, seed: game.seed });
    await this.arrive(position, game, 0);
    await this.goOn();
  }

  /** Play the same game anew, with other tiles to come. */
  async rematch() {
    await this.begin(this.game.start, this.game.seats);
  }

  /** Play a move; return what the server says of it. */
  async play(notation) {
    const { game, moves } = this;
    const told = await post("/api/matches", { position: game.start, seed: game.seed, moves, move: notation });
    if (told.legal) await this.arrive(told.position, { ...game, moves: [...moves, told.turn.notation] }, moves.length + 1);
    return told;
  }

  /** Put a position of the game in place, which is then known by its line. */
  async arrive(position, game, at) {
    const arrived = () => {
      this.game = { ...game, lines: [...game.lines.slice(0, at), this.line] };
      this.reached = this.session.position;
      keep("match", this.game);
    };
    await this.session.set(position, { arrived });
  }

  /** Let levels move until a person is to move. */
  async goOn() {
    while (this.due) if (!await this.reply()) return;
    this.draw();
  }

  stop() {
    this.solve?.cancel();
    this.solve = null;
  }

  /** The position is another one: a level that was about to move thinks no longer. */
  refresh() {
    this.stop();
    this.draw();
  }

  draw() {
    fill(this.root, this.due ? button(t("letMove", { player: capital(this.session.view.to_move) }), () => this.goOn(), { class: "main" }) : null);
  }

  /** Let the level move that is due; return whether it did. */
  async reply() {
    const { game, moves } = this;
    const player = this.session.view.to_move;
    const thinks = working(t("thinks", { player: capital(player) }), button(t("stop"), () => this.refresh()));
    fill(this.root, thinks.root);
    const solve = new Solve("/api/replies", {
      position: game.start, seed: game.seed, moves, level: this.level(player),
    }, ({ stage }) => thinks.tell(stage));
    this.solve = solve;
    try {
      const job = await solve.run();
      if (this.solve !== solve) return false;
      if (job.state !== "done") throw new Error(job.message || t(`state_${job.state}`));
      this.solve = null;
      const told = await this.play(job.answer.move);
      this.dispatchEvent(new CustomEvent("replied", { detail: { ...told.turn, seconds: job.answer.seconds } }));
      return true;
    } catch (error) {
      if (this.solve && this.solve !== solve) return false;
      this.refresh();
      this.root.append(refused(error));
      return false;
    }
  }

  /** Return the game as the text of a record. */
  async record() {
    const { game, moves } = this;
    const { text } = await post("/api/matches/record", { position: game.start, seed: game.seed, moves });
    return text;
  }
}
