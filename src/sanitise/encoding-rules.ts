/**
 * Signs that somebody wrote as escapes although they need none: behind `\u0073k-ant-…` or `%73k-ant-…` no
 * other rule would see the key. They are written out, in place. What needs its escape keeps it.
 */
import type { Edit, Rule } from './types.ts';

/** A quote stays escaped, by the backslashes before it; a backslash and control signs stay as they are. */
const UNICODE = /\\u00([2-7][0-9A-Fa-f])/g;
/** RFC 3986, 2.3: letters, digits and these four mean the same with and without their escape. */
const PERCENT = /%([2-7][0-9A-Fa-f])/g;
const UNRESERVED = /[A-Za-z0-9._~-]/;
/** `%30s` alone is a format; inside something as long as an address or a key it is an escape. */
const LONG = /(?<![A-Za-z0-9%._~+/=&?:@-])[A-Za-z0-9%._~+/=&?:@-]{16,}/g;

export const unicodeEscapes: Rule = (text) => {
  const edits: Edit[] = [];
  if (!text.includes('\\u00')) return edits;
  for (const { 0: found, 1: code, index } of text.matchAll(UNICODE)) {
    const sign = String.fromCharCode(Number.parseInt(code!, 16));
    if (sign === '\\' || sign === '\u007f') continue;
    const end = index + found.length;
    if (sign === '"') edits.push({ kind: 'escape', start: index, end, mark: '\\"' });
    else {
      // Of several backslashes, those before this one go as well: they only escape each other.
      const start = beforeBackslashes(text, index, edits.at(-1)?.end ?? 0);
      edits.push({ kind: 'escape', start, end, mark: sign });
    }
  }
  return edits;
};

function beforeBackslashes(text: string, at: number, floor: number): number {
  let start = at;
  while (start > floor && text[start - 1] === '\\') start -= 1;
  return start;
}

export const percentEscapes: Rule = (text) => {
  const edits: Edit[] = [];
  if (!text.includes('%')) return edits;
  for (const { 0: run, index: from } of text.matchAll(LONG)) {
    for (const { 0: found, 1: code, index } of run.matchAll(PERCENT)) {
      const mark = String.fromCharCode(Number.parseInt(code!, 16));
      if (!UNRESERVED.test(mark)) continue;
      const start = from + index;
      edits.push({ kind: 'escape', start, end: start + found.length, mark });
    }
  }
  return edits;
};
