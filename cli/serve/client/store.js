// What this browser keeps. Without its storage the page works, and warns before it is left.

const PREFIX = "burgrave.";

/** Return what is kept under a name, or null. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

/** Keep a value under a name; return whether the browser did. */
export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function drop(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // There is nothing to drop.
  }
}
