// Pictures of positions to pass on: as SVG and as PNG, and with a heading for the daily result.

import { post } from "./api.js";
import { download } from "./dom.js";

const WIDTH = 1200; // pixels of a picture
const SQUARE = 640; // units of a card
const HEAD = 96; // of them above the board, for two lines

/** Return the picture of a position with its players, as SVG text, in light or dark colours. */
export async function drawing(position, theme) {
  const { svg } = await post("/api/picture", { position, theme });
  return svg;
}

/** Return a square picture with two lines above the board of a position. */
export async function card(position, heading, line) {
  const { svg } = await post("/api/picture", { position, theme: "light", plain: true });
  const board = svg.replace(/^(<svg[^>]*?) width="[\d.]+" height="[\d.]+"/, `$1 x="16" y="${HEAD}" width="${SQUARE - 32}" height="${SQUARE - HEAD - 16}"`);
  const words = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SQUARE} ${SQUARE}" width="${SQUARE}" height="${SQUARE}" font-family="sans-serif">`
    + `<rect width="${SQUARE}" height="${SQUARE}" fill="#efede8"/><g fill="#2a2825"><text x="20" y="40" font-size="28" font-weight="700">${words(heading)}</text>`
    + `<text x="20" y="76" font-size="24">${words(line)}</text></g>${board}</svg>`;
}

/** Return a picture as PNG. */
export async function png(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * image.naturalHeight) / image.naturalWidth);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

/** Save a picture as SVG or PNG. */
export async function savePicture(name, svg, format) {
  if (format === "svg") download(`${name}.svg`, svg, "image/svg+xml");
  else download(`${name}.png`, await png(svg), "image/png");
}

/** Hand a picture with a text to another program; return false where the browser cannot. */
export async function passOn(name, svg, text) {
  const files = [new File([await png(svg)], `${name}.png`, { type: "image/png" })];
  if (!navigator.canShare?.({ files })) return false;
  await navigator.share({ files, text }).catch(() => {}); // who changes his mind is no error
  return true;
}
