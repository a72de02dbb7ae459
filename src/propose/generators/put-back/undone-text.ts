/** A text without what one commit changed in it, by whole lines. Pure. */
import { changesBetween, splitLines } from '../../../git/index.ts';

export interface Texts {
  /** Before the commit, after it, and now. */
  readonly old: string;
  readonly changed: string;
  readonly now: string;
}

/** With a line of context on each side, because an empty part could be anywhere; without, where something stands beside it since. */
const CONTEXTS = [1, 0];

/** Undefined where the changed part is not there now exactly once. */
export function undoneText({ old, changed, now }: Texts): string | undefined {
  if (now === changed) return old;
  const [a, b] = [splitLines(old), splitLines(changed)];
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head += 1;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  for (const context of CONTEXTS) {
    const [from, to] = [Math.max(0, head - context), Math.max(0, tail - context)];
    const wanted = b.slice(from, b.length - to);
    const at = wanted.join('').trim() === '' ? [] : placesOf(wanted, splitLines(now));
    if (at.length > 1) return undefined;
    if (at.length === 1)
      return splitLines(now)
        .toSpliced(at[0]!, wanted.length, ...a.slice(from, a.length - to))
        .join('');
  }
  return undefined;
}

/**
 * The same of one part alone: the one that begins at this line of the changed text, from 1; or of so many lines of a part that has as
 * many as before.
 */
export function undonePart(texts: Texts, line: number, lines?: number): string | undefined {
  const [old, changed] = [splitLines(texts.old), splitLines(texts.changed)];
  const changes = changesBetween(old, changed);
  const part =
    lines === undefined
      ? changes.find(({ b }) => b === line - 1)
      : linesOf(changes, { from: line - 1, to: line - 1 + lines });
  if (part === undefined) return undefined;
  const { a, aEnd, b, bEnd } = part;
  const without = changed.toSpliced(b, bEnd - b, ...old.slice(a, aEnd));
  return undoneText({ ...texts, old: without.join('') });
}

function linesOf(
  changes: ReturnType<typeof changesBetween>,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const within = changes.find(({ b, bEnd }) => b <= from && to <= bEnd);
  if (within === undefined) return undefined;
  const { a, aEnd, b, bEnd } = within;
  return aEnd - a === bEnd - b
    ? { a: a + from - b, aEnd: a + to - b, b: from, bEnd: to }
    : undefined;
}

/** Where these lines stand, one after the other. */
function placesOf(wanted: readonly string[], lines: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at += 1)
    if (wanted.every((line, index) => line === lines[at + index])) found.push(at);
  return found;
}
