// The lead of the first player after each turn as a graph; its colours are those of the page.

import { picture } from "./dom.js";
import { capital, t } from "./texts.js";

const WIDTH = 640;
const HEIGHT = 120;
const RIM = 16;
const LEAST = 5; // points of lead that fill half the height at least

/**
 * Return the graph.
 * @param {string[]} players
 * @param {number} length turns of the game
 * @param {object[]} reviewed turns with their values
 * @param {number} at the turn that is shown
 */
export function graph(players, length, reviewed, at) {
  const leads = reviewed.map((one) => (one.player === 0 ? one.after : -one.after));
  const most = Math.max(LEAST, ...leads.map(Math.abs));
  const x = (number) => RIM + ((number - 1) * (WIDTH - 2 * RIM)) / Math.max(1, length - 1);
  const y = (lead) => HEIGHT / 2 - (lead / most) * (HEIGHT / 2 - RIM);
  const points = reviewed.map((one, index) => `${x(one.number).toFixed(1)},${y(leads[index]).toFixed(1)}`);
  const marks = reviewed.map((one, index) => (one.mark
    ? `<circle class="${one.mark === "!" ? "fine" : "slip"}" cx="${x(one.number)}" cy="${y(leads[index])}" r="5"/>`
    : ""));
  const name = capital(players[0]);
  return picture(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" class="graph">`
    + `<title>${t("leadOf", { player: name })}</title>`
    + `<line class="zero" x1="${RIM}" y1="${HEIGHT / 2}" x2="${WIDTH - RIM}" y2="${HEIGHT / 2}"/>`
    + (at ? `<line class="now" x1="${x(at)}" y1="0" x2="${x(at)}" y2="${HEIGHT}"/>` : "")
    + `<polyline points="${points.join(" ")}"/>${marks.join("")}`
    + `<text x="${RIM}" y="14">${name} +${most.toFixed(0)}</text>`
    + `<text x="${RIM}" y="${HEIGHT - 4}">${name} −${most.toFixed(0)}</text></svg>`,
  );
}

/** Return the turn of a graph that was clicked. */
export function turnAt(event, chart, length) {
  const box = chart.getBoundingClientRect();
  const share = ((event.clientX - box.left) / box.width) * WIDTH;
  return Math.round(((share - RIM) / (WIDTH - 2 * RIM)) * (length - 1)) + 1;
}
