// Elements made in one line, and SVG text turned into elements.

/**
 * Make an element.
 * @param {string} tag
 * @param {object} props `class`, `on` (listeners), `data` (data attributes), properties the element
 *   has, and attributes for the rest; what is null, undefined or false is left out.
 * @param {...(Node|string|null|Array)} children
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "data") Object.assign(node.dataset, value);
    else if (name in node && !name.startsWith("aria")) node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return node;
}

/** Replace everything in an element. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return node;
}

const parsed = new Map();
const KEPT = 300;

/** Return SVG text as an element; the same text is parsed once. */
export function picture(text) {
  let svg = parsed.get(text);
  if (!svg) {
    svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (parsed.size >= KEPT) parsed.delete(parsed.keys().next().value);
    parsed.set(text, svg);
  }
  return document.importNode(svg, true);
}

/** Return the picture of a tile that lies at a rotation; its symbols stay upright. */
export function turned(svg, rotation) {
  return el("span", { class: `turned r${rotation}` }, picture(svg));
}

/** Return a button. */
export function button(text, listener, props = {}) {
  return el("button", { type: "button", on: { click: listener }, ...props }, text);
}

const COLOURS = ["white", "black", "red", "blue", "green", "yellow", "grey"]; // as pictures know them
const colours = new Map();

/** Learn in which colours pictures show the players: those in their names, or by their seats. */
export function learnColours(names) {
  names.forEach((name, seat) => colours.set(name, COLOURS.includes(name) ? name : COLOURS[seat % COLOURS.length]));
}

/** Return the colour of a player. */
export function colourOf(player) {
  return colours.get(player) ?? player;
}

/** Return a dot in the colour of a player. */
export function dot(player) {
  return el("i", { class: `dot ${colourOf(player)}` });
}

/** Return a labelled field; the label stands before its input. */
export function field(label, input, props = {}) {
  return el("label", { class: "field", ...props }, el("span", {}, label), input);
}

/** Return a choice; `options` are pairs of value and text, with true for one that cannot be chosen, and a title. */
export function choice(options, value, listener, props = {}) {
  const select = el(
    "select",
    { on: { change: (event) => listener(event.target.value) }, ...props },
    options.map(([key, text, disabled, title]) => el("option", { value: key, selected: key === value, disabled, title }, text)),
  );
  return select;
}

const FIELDS = "input, select, textarea, button, summary";
const TYPED = "input[type=text], input[type=number], textarea";

/**
 * Draw a part anew without taking the focus from who works there. While somebody types in it, it
 * waits until he leaves: what is typed, or only selected, cannot be carried into another field.
 * @param {HTMLElement} part
 * @param {function(): void} draw
 */
export function steady(part, draw) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  part.onfocusout = null;
  if (focused?.matches(TYPED)) {
    part.onfocusout = ({ relatedTarget }) => {
      if (!part.contains(relatedTarget)) steady(part, draw);
    };
    return;
  }
  const before = [...part.querySelectorAll(FIELDS)];
  const place = before.indexOf(focused);
  const scrolled = [...part.querySelectorAll("*")].map((one) => one.scrollTop);
  draw();
  if (place < 0) return;
  [...part.querySelectorAll("*")].forEach((one, index) => {
    if (scrolled[index]) one.scrollTop = scrolled[index];
  });
  const now = [...part.querySelectorAll(FIELDS)];
  // The words of a button may change when it is pressed. It is another one where others come or go.
  const same = now.length === before.length && now[place].tagName === focused.tagName ? now[place] : null;
  const alike = (one) => one?.tagName === focused.tagName && named(one) === named(focused);
  ([now[place], ...now].find(alike) ?? same)?.focus({ preventScroll: true });
}

/** Return the words by which people know a control. */
function named(control) {
  return control.getAttribute("aria-label") ?? (control.closest("label") ?? control).textContent;
}

/** Let the browser save a text as a file. */
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Return a title as the name of a file. */
export function fileName(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** Put a text into the clipboard; false where the browser has none, as on a page of the network. */
export async function copied(text) {
  if (!navigator.clipboard) return false;
  await navigator.clipboard.writeText(text);
  return true;
}
