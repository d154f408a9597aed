// A move written by hand: judged with every rule, or played.

import { post } from "./api.js";
import { button, el, field, fill } from "./dom.js";
import { t } from "./texts.js";
import { findings, notation, refused } from "./told.js";

export class Typed {
  /**
   * @param {Session} session
   * @param {function(string): void} play
   */
  constructor(session, play) {
    this.session = session;
    this.verdict = el("div", { "aria-live": "polite" });
    this.text = el("input", { type: "text", spellcheck: false, autocomplete: "off", placeholder: t("moveExample") });
    const judge = (event) => {
      event.preventDefault();
      this.judge();
    };
    this.root = el(
      "details",
      { class: "typed" },
      el("summary", {}, t("writeMove")),
      el(
        "form",
        { class: "row-form", on: { submit: judge } },
        field(t("moveInNotation"), this.text),
        el("button", { type: "submit" }, t("judge")),
        button(t("playTurn"), () => this.text.value.trim() && play(this.text.value)),
      ),
      this.verdict,
    );
  }

  async judge() {
    if (!this.text.value.trim()) return;
    try {
      const verdict = await post("/api/judge", { position: this.session.position, move: this.text.value });
      fill(
        this.verdict,
        el("p", { class: verdict.legal ? "good" : "bad" }, t(verdict.legal ? "isLegal" : "isIllegal"), " ", notation(verdict.move)),
        findings(verdict.violations),
        verdict.notes.length ? findings(verdict.notes, { kind: "allowed" }) : null,
      );
    } catch (error) {
      fill(this.verdict, refused(error));
    }
  }
}
