// Small pictures of what is put on the board: followers by their role, tower pieces, prisoners.

const STANDING = "M-4.5 -6.2A6.8 6.8 0 1 1 4.5 -6.2C12 -5 17 -2 17 2Q17 5 13 5H8L12 18H3L0 11L-3 18H-12L-8 5H-13Q-17 5 -17 2C-17 -2 -12 -5 -4.5 -6.2Z";
const ROBED = "M-4.5 -6.2A6.8 6.8 0 1 1 4.5 -6.2Q11 -1 13 18H-13Q-11 -1 -4.5 -6.2Z";
const LYING = "M-6.2 4.5A6.8 6.8 0 1 1 -6.2 -4.5C-5 -12 -2 -17 2 -17Q5 -17 5 -13V-8L18 -12V-3L11 0L18 3V12L5 8V13Q5 17 2 17C-2 17 -5 12 -6.2 4.5Z";
const PIECE = "M-14 -8H14V12H-14ZM-14 -8V-14H-8V-8M-3 -8V-14H3V-8M8 -8V-14H14V-8";
const RING = "M-17 0A17 17 0 1 0 17 0A17 17 0 1 0 -17 0M-11 -11L11 11M11 -11L-11 11";
const CROSS = "M-9 -9L9 9M9 -9L-9 9";
const BODIES = { farmer: LYING, merchant: LYING, monk: ROBED, preacher: ROBED };
const SIGNS = { piece: PIECE, capture: RING, denied: CROSS };

/**
 * Return the picture of what is put on the board.
 * @param {string} sort follower, guard, piece, capture or denied
 * @param {string} title the role of a follower
 */
export function pawn(sort, title = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  node.setAttribute("viewBox", "-21 -21 42 42");
  path.setAttribute("d", SIGNS[sort] ?? BODIES[title] ?? STANDING);
  node.append(path);
  return node;
}

/** Return a place of a kind of tile where it lies turned, in hundredths of its cell. */
export function turnedSpot([x, y], rotation) {
  return [[x, y], [100 - y, x], [100 - x, 100 - y], [y, 100 - x]][rotation];
}
