// Addresses: `#/view/rest`. The rest is the view's own, as a position in one line.

/** Return the view and the rest that the address names; both may be empty. */
export function here() {
  const [, view = "", ...rest] = location.hash.replace(/^#/, "").split("/");
  try {
    return { view, rest: decodeURIComponent(rest.join("/")) };
  } catch {
    return { view, rest: "" };
  }
}

/** Tell whether the address of this page is of use on this machine alone. */
export function aloneHere() {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]|)$/.test(location.hostname);
}

/** Return the address of a view with a rest. */
export function address(view, rest = "") {
  return `#/${view}${rest ? `/${encodeURI(rest)}` : ""}`;
}

/** Show an address without reading it: a new step of the browser's history, or in its place. */
export function write(view, rest, { replace = false } = {}) {
  const to = address(view, rest);
  if (to === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
}

/** Hear of every address that the user goes to: back, forward, a link, one that is typed. */
export function listen(heard) {
  addEventListener("popstate", () => heard(here()));
}
