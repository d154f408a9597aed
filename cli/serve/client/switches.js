// Points on which the rules are silent, as questions with answers in words.

import { choice, el, field } from "./dom.js";
import { capital, t } from "./texts.js";

/** Return the edition whose rules hold in a position. */
export function editionOf(position, editions) {
  return editions.find(({ name }) => name === position.edition) ?? editions[0];
}

/** Return the value of a switch in a position; `game` and `editions` are those of the catalogue. */
export function inForce(one, position, game, editions) {
  const said = position.switches?.[one.name];
  return said ?? ((game.plane && editionOf(position, editions).switches[one.name]) || one.default);
}

/**
 * Return a switch as a question.
 * @param {object} one the switch
 * @param {string|null} now the value in force; null where nothing is played
 * @param {function(string): void} [answer] is called with another value; without it nothing is chosen
 */
export function question(one, now, answer = null) {
  const chip = ({ value, says }) => el("button", {
    type: "button", class: "answer-of", disabled: !answer,
    "aria-pressed": String(value === (now ?? one.default)),
    on: { click: () => answer(value) },
  }, capital(says), value === one.default ? el("small", { class: "faint" }, ` ${t("usual")}`) : null);
  return el("fieldset", { class: "question", data: { switch: one.name } },
    el("legend", { title: one.name }, one.question),
    one.values.map(chip),
    one.why ? el("small", { class: "faint" }, capital(one.why)) : null);
}

/** Return the choice of the box whose rules hold. */
export function boxes(editions, now, choose) {
  const options = editions.map(({ name, title }) => [name, t(`edition_${name}`), false, title]);
  return field(t("edition"), choice(options, now, choose));
}
