/**
 * JSON of strangers: two characters are enough for an empty object, so a body within its limit of bytes could become
 * a tree of a gigabyte. What it would become is counted before it is parsed.
 */

/** Objects, lists and members. 16 MiB of real OTLP have fewer; so many take some hundred megabytes. */
const NODES_MAX = 3_000_000;
const DEPTH_MAX = 200;

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Undefined if it is not JSON, or would be too large or too deep. */
export function parseBounded(text: string): { readonly value: unknown } | undefined {
  if (!isBounded(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isBounded(text: string): boolean {
  let [nodes, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) [nodes, depth] = [nodes + 1, depth + 1];
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1;
    else if (code === COLON || code === COMMA) nodes += 1;
    if (nodes > NODES_MAX || depth > DEPTH_MAX) return false;
  }
  return true;
}

/** The place of the closing quote, or the end. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
