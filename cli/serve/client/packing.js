// Texts in links: compressed, in letters that an address may hold.

const SIGN = "packed:";
export const MOST_PACKED = 8000; // letters that chat and mail leave whole
const MOST_TEXT = 512_000; // letters of what is unpacked, as many as the server takes

/** Tell whether a part of an address holds a text. */
export function isPacked(text) {
  return text.startsWith(SIGN);
}

/** Return a value as a part of an address. */
export async function packed(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return SIGN + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the value that a part of an address holds; throws if it holds none, or too large a one. */
export async function unpacked(text) {
  const letters = atob(text.slice(SIGN.length).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream()).getReader();
  let found = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(found);
    found += value;
    if (found.length > MOST_TEXT) throw new RangeError("the link holds too much");
  }
}
