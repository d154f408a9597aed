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
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Replace everything in an element. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
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

/** Return a button. */
export function button(text, listener, props = {}) {
  return el("button", { type: "button", on: { click: listener }, ...props }, text);
}

/** Return a labelled field; the label stands before its input. */
export function field(label, input, props = {}) {
  return el("label", { class: "field", ...props }, el("span", {}, label), input);
}

/** Return a choice; `options` are pairs of value and text. */
export function choice(options, value, listener, props = {}) {
  const select = el(
    "select",
    { on: { change: (event) => listener(event.target.value) }, ...props },
    options.map(([key, text]) => el("option", { value: key, selected: key === value }, text)),
  );
  return select;
}

const FIELDS = "input, select, textarea, button, summary";

/**
 * Draw parts anew without taking the focus, or what is being typed, from who works there.
 * @param {HTMLElement[]} parts
 * @param {function(): void} draw
 */
export function steady(parts, draw) {
  const focused = document.activeElement;
  const part = parts.find((one) => one.contains(focused));
  const place = part ? [...part.querySelectorAll(FIELDS)].indexOf(focused) : -1;
  const scrolled = part ? [...part.querySelectorAll("*")].map((one) => one.scrollTop) : [];
  draw();
  const after = place < 0 ? null : part.querySelectorAll(FIELDS)[place];
  if (!after || after === focused) return;
  [...part.querySelectorAll("*")].forEach((one, index) => {
    if (scrolled[index]) one.scrollTop = scrolled[index];
  });
  if (focused.matches("input") && after.type === focused.type && "text number".includes(after.type)) {
    after.value = focused.value;
    if (after.type === "text") after.setSelectionRange(focused.selectionStart, focused.selectionEnd);
  }
  after.focus({ preventScroll: true });
}
