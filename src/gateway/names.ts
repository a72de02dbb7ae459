/**
 * Names of servers and tools, and patterns of them. A name is attacker-controlled: one that could be taken for
 * another by a person or a pattern (other scripts, invisible characters, spaces, a second slash) is not compared
 * but refused.
 */

/** What MCP allows in a tool's name, without the dots and slashes that would make another path of it. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

export function isPlainToolName(name: string): boolean {
  return PLAIN.test(name);
}

export const fullName = (server: string, tool: string): string => `${server}/${tool}`;

/** Whether a text matches a pattern in which `*` stands for anything. Linear: the pieces are looked for in turn. */
export function matchesPattern(text: string, pattern: string): boolean {
  const pieces = pattern.split('*');
  if (pieces.length === 1) return text === pattern;
  const first = pieces[0]!;
  const last = pieces.at(-1)!;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Case counts: a server's `Send` is another tool than its `send`. */
export function matchesTool(name: string, pattern: string): boolean {
  return matchesPattern(name, pattern);
}

/** For what forbids: no spelling of a name gets around it. */
export function matchesAnyCase(name: string, pattern: string): boolean {
  return matchesPattern(name.toLowerCase(), pattern.toLowerCase());
}
