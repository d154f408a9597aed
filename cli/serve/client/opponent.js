// An opponent who answers each turn of the user with the move of a level.

import { Solve } from "./api.js";
import { button, choice, el, field, fill } from "./dom.js";
import { capital, t } from "./texts.js";
import { refused, working } from "./told.js";

const LEVELS = ["1", "2", "3", "4", "5"];

export class Opponent {
  /**
   * @param {Session} session
   * @param {function(string): Promise<void>} play plays a move and lets `reply` be called again
   */
  constructor(session, play) {
    this.session = session;
    this.play = play;
    this.level = "";
    this.user = null; // the player whom the user plays
    this.solve = null;
    this.said = el("div", { "aria-live": "polite" });
    const levels = [["", t("noOpponent")], ...LEVELS.map((level) => [level, t("levelOf", { level })])];
    this.root = el(
      "section",
      { class: "opponent" },
      field(t("opponent"), choice(levels, "", (level) => this.choose(level))),
      this.said,
    );
  }

  /** Whether it is the turn of a player for whom a level plays. */
  get due() {
    const { view } = this.session;
    return Boolean(this.level) && !view.over && !view.problems.length && view.to_move !== this.user;
  }

  choose(level) {
    this.level = level;
    this.user = this.session.view.to_move;
    this.refresh();
  }

  stop() {
    this.solve?.cancel();
    this.solve = null;
  }

  /** The position is another: stop thinking, and offer to move where the user came by going back. */
  refresh() {
    this.stop();
    const { players, to_move: toMove } = this.session.view;
    if (players && !(this.user in players)) this.user = toMove; // a game with other players was opened
    const player = capital(toMove ?? "");
    fill(
      this.said,
      this.level ? el("p", { class: "faint" }, t("aboutOpponent")) : null,
      this.due ? button(t("opponentMove", { player }), () => this.reply()) : null,
    );
  }

  /** Play a move if it is the opponent's turn. */
  async reply() {
    if (!this.due) return;
    const { position, view } = this.session;
    const thinks = working(t("opponentThinks", { player: capital(view.to_move) }), button(t("cancel"), () => this.refresh()));
    fill(this.said, thinks.root);
    const solve = new Solve("/api/replies", { position, level: Number(this.level) }, ({ stage }) => thinks.tell(stage));
    this.solve = solve;
    let failed = null;
    try {
      const job = await solve.run();
      if (this.solve !== solve) return;
      if (job.state === "done") await this.play(job.answer.move);
      else failed = el("p", { class: "bad", role: "alert" }, job.message || t(`state_${job.state}`));
    } catch (error) {
      if (this.solve !== solve) return;
      failed = refused(error);
    }
    if (!failed) return;
    this.refresh();
    this.said.append(failed);
  }
}
