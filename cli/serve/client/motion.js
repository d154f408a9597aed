// Motion that explains: a tile lands, a follower comes home, points count up.

import { colourOf } from "./dom.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const LAND = 280;
const HOME = 520;
const COUNT = 600;

/** Let a tile come down onto its cell. */
export function land(node) {
  if (calm.matches) {
    node.remove();
    return;
  }
  const frames = [
    { transform: `${turn(node)} scale(1.5)`, opacity: 0.2 },
    { transform: `${turn(node)} scale(1)`, opacity: 1 },
  ];
  node.animate(frames, { duration: LAND, easing: "cubic-bezier(.2,.8,.3,1)" }).finished.finally(() => node.remove());
}

function turn(node) {
  const found = /\br([123])\b/.exec(node.className);
  return `rotate(${found ? 90 * Number(found[1]) : 0}deg)`;
}

/** Let a follower go from where he stood to his player's card. */
export function home(from, player) {
  const card = document.getElementById(`player-${player}`);
  if (calm.matches || !card) return;
  const to = card.getBoundingClientRect();
  const pawn = document.createElement("i");
  pawn.className = `dot ${colourOf(player)} flying`;
  document.body.append(pawn);
  const at = (box) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px)`;
  const frames = [
    { transform: `${at(from)} scale(1.6)`, opacity: 1 },
    { transform: `${at({ left: to.left, top: to.top, width: 32, height: to.height })} scale(1)`, opacity: 0.6 },
  ];
  pawn.animate(frames, { duration: HOME, easing: "ease-in-out" }).finished.finally(() => pawn.remove());
}

/** Count a number up or down to another. */
export function count(node, from, to) {
  node.textContent = String(to);
  if (calm.matches || from === to || from === undefined) return;
  const start = performance.now();
  const tick = (now) => {
    if (!node.isConnected) return;
    const done = Math.min(1, (now - start) / COUNT);
    node.textContent = String(Math.round(from + (to - from) * done));
    if (done < 1) requestAnimationFrame(tick);
  };
  node.classList.add("counting");
  setTimeout(() => node.classList.remove("counting"), COUNT);
  requestAnimationFrame(tick);
}
