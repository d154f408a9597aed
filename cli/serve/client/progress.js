// What has been solved, kept in this browser alone.

const KEY = "burgrave.progress";

/** Return progress by id of the puzzle: `solved`, or `seen` once the solution was shown. */
export function progress() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** Remember how a puzzle went; who has solved it once has solved it. */
export function remember(id, how) {
  const known = progress();
  if (known[id] === "solved") return;
  localStorage.setItem(KEY, JSON.stringify({ ...known, [id]: how }));
}

export function forget() {
  localStorage.removeItem(KEY);
}
