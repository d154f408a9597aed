// The views of a page whose server answers.

import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { Home } from "./home.js";
import { Play } from "./play.js";
import { Review } from "./review.js";
import { Rules } from "./rules.js";
import { Session } from "./session.js";
import { t } from "./texts.js";
import { Trainer } from "./trainer.js";

/**
 * Return the views by name, the first of which opens, and the session of the user's own position.
 * @param {object} common what each of them gets
 */
export function allViews(common) {
  const table = new Session("table");
  const files = new Files(table, common.say, common.game, common.begun);
  return {
    table,
    views: {
      home: { title: t("viewHome"), view: new Home(table, common) },
      play: { title: t("viewPlay"), view: new Play(table, files, common) },
      edit: { title: t("viewEdit"), view: new Editor(table, files, common) },
      review: { title: t("viewReview"), view: new Review(new Session(), table, common) },
      train: { title: t("viewTrain"), view: new Trainer(new Session(), common) },
      rules: { title: t("viewRules"), view: new Rules(new Session(), table, common) },
    },
  };
}
