// Every English text of the page comes from the three files of words.

import { PLAYING } from "./words_play.js";
import { SETTING_UP } from "./words_setup.js";
import { STUDYING } from "./words_study.js";

const TEXTS = { ...PLAYING, ...STUDYING, ...SETTING_UP };

/** Return a text with what stands in braces filled in. */
export function t(key, values = {}) {
  const text = TEXTS[key];
  if (text === undefined) throw new Error(`no text ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Return a name with a capital. */
export function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
