// The views of a published copy: what needs no server.

import { Boards } from "./boards.js";
import { Rules } from "./rules.js";
import { Session } from "./session.js";
import { t } from "./texts.js";
import { Trainer } from "./trainer.js";

export function allViews(common) {
  const home = document.documentElement.dataset.set;
  return {
    table: null,
    views: {
      train: { title: t("viewTrain"), view: new Trainer(new Session(), { ...common, home, recorded: true }) },
      boards: { title: t("viewBoards"), view: new Boards(new Session(), common) },
      rules: { title: t("viewRules"), view: new Rules(new Session(), null, common) },
    },
  };
}
