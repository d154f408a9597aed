// Links to what is on the board: to a published copy if the page knows one.

import { copied } from "./dom.js";
import { t } from "./texts.js";

let site = null;

/** Learn the address of the published copy that shows what links hold; null for none. */
export function learnSite(address) {
  site = address;
}

/** Tell whether there is a copy that shows what links hold. */
export function toSite() {
  return site !== null;
}

/** Hand a link to another program, or put it into the clipboard; `done` is the text to be said then. */
export async function passLink(url, title, say, done) {
  if (navigator.share) await navigator.share({ title, url }).catch(() => {}); // who changes his mind is no error
  else say(t(await copied(url) ? done : "copyThis", { url }));
}
