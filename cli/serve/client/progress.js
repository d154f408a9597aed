// How the training goes: rating, days in a row, themes with their success; export and import.

import { button, download, el, field, fill } from "./dom.js";
import { t } from "./texts.js";
import { daysInARow, forget, PROVISIONAL, takeOver, themes, training } from "./training.js";

export class Progress {
  /** @param {function(): void} changed the training is another */
  constructor(changed) {
    this.changed = changed;
    this.root = el("div", { class: "progressing" });
  }

  draw() {
    const data = training();
    const tried = Object.values(data.puzzles);
    const { rating, deviation } = data.player;
    const number = (key, value) => el("div", { class: "figure" }, el("b", {}, value), el("span", { class: "faint" }, t(key)));
    const found = themes(data);
    const file = el("input", {
      type: "file",
      accept: ".json",
      on: {
        change: async (event) => {
          const [chosen] = event.target.files;
          event.target.value = "";
          if (!chosen) return;
          const fine = takeOver(await chosen.text());
          this.changed();
          if (!fine) this.root.append(el("p", { class: "bad", role: "alert" }, t("noTraining")));
        },
      },
    });
    fill(
      this.root,
      el("div", { class: "figures" },
        number(deviation > PROVISIONAL ? "provisional" : "rating", `${Math.round(rating)} ± ${Math.round(2 * deviation)}`),
        number("solvedCount", `${tried.filter((one) => one.solved).length} / ${tried.length}`),
        number("days", String(daysInARow(data))),
        number("run", String(data.run))),
      el("h3", {}, t("themesSurvey")),
      found.length
        ? el("table", { class: "survey" },
            el("thead", {}, el("tr", {}, ["theme", "tried", "atOnce"].map((key) => el("th", { scope: "col" }, t(`survey_${key}`))))),
            el("tbody", {}, found.map(([theme, one]) => el("tr", {},
              el("th", { scope: "row" }, theme.replaceAll("-", " ")),
              el("td", {}, String(one.tried)),
              el("td", {}, `${Math.round((100 * one.right) / one.tried)} %`)))))
        : el("p", { class: "faint" }, t("nothingTrained")),
      el("div", { class: "bar" },
        button(t("exportTraining"), () => this.export()),
        button(t("forgetProgress"), () => { if (confirm(t("sureForget"))) { forget(); this.changed(); } }, { class: "quiet" })),
      field(t("importTraining"), file),
    );
  }

  export() {
    download("burgrave-training.json", JSON.stringify(training()), "application/json");
  }
}
