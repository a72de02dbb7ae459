/**
 * Which lines two texts share, in order (Myers 1986, greedy, after common ends are set aside), and the
 * unified form of the difference as git prints it. For the repository in memory; where repeated lines
 * leave several shortest answers, git may choose another one, and both are right.
 */
import { splitLines } from './patch-apply.ts';

/** Lines `a` to `aEnd` of the old text became lines `b` to `bEnd` of the new one. */
export interface Change {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** Beyond this many edits the rest counts as rewritten: the trace grows with the square of it. */
const EDITS_MAX = 2_000;

export function changesBetween(old: readonly string[], now: readonly string[]): Change[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const shorter = Math.min(old.length, now.length) - head;
  while (tail < shorter && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const a = old.slice(head, old.length - tail);
  const b = now.slice(head, now.length - tail);
  const changes: Change[] = [];
  let [x, y] = [0, 0];
  for (const [matchX, matchY] of [...shared(a, b), [a.length, b.length] as const]) {
    if (matchX > x || matchY > y) {
      changes.push({ a: head + x, aEnd: head + matchX, b: head + y, bEnd: head + matchY });
    }
    [x, y] = [matchX + 1, matchY + 1];
  }
  return changes;
}

/** Pairs of positions whose lines are the same, rising in both. */
function shared(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const edits = Math.min(a.length + b.length, EDITS_MAX);
  const trace: Int32Array[] = [];
  const furthest = new Int32Array(2 * edits + 3);
  const middle = edits + 1;
  for (let d = 0; d <= edits; d++) {
    trace.push(furthest.slice());
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest[middle + k - 1]! < furthest[middle + k + 1]!);
      let x = down ? furthest[middle + k + 1]! : furthest[middle + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return wayBack(trace, middle, a.length, b.length);
    }
  }
  return [];
}

function wayBack(trace: readonly Int32Array[], middle: number, endX: number, endY: number) {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [endX, endY];
  for (let d = trace.length - 1; d >= 0; d--) {
    const furthest = trace[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && furthest[middle + k - 1]! < furthest[middle + k + 1]!);
    const fromX = d === 0 ? 0 : furthest[middle + (down ? k + 1 : k - 1)]!;
    const fromY = d === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}

const CONTEXT = 3;

/** Hunks as git prints them, without the name of the function. */
export function unifiedHunks(oldText: string, newText: string): string {
  const [old, now] = [splitLines(oldText), splitLines(newText)];
  const groups: Change[][] = [];
  for (const change of changesBetween(old, now)) {
    const last = groups.at(-1);
    if (last !== undefined && change.a - last.at(-1)!.aEnd <= 2 * CONTEXT) last.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => hunk(old, now, group)).join('');
}

function hunk(old: readonly string[], now: readonly string[], group: readonly Change[]): string {
  const [first, last] = [group[0]!, group.at(-1)!];
  const before = Math.min(CONTEXT, first.a);
  const after = Math.min(CONTEXT, old.length - last.aEnd);
  const [a, aEnd] = [first.a - before, last.aEnd + after];
  const [b, bEnd] = [first.b - before, last.bEnd + after];
  const out = [`@@ -${range(a, aEnd)} +${range(b, bEnd)} @@\n`];
  let at = a;
  for (const change of group) {
    for (; at < change.a; at++) out.push(printed(' ', old[at]!));
    for (; at < change.aEnd; at++) out.push(printed('-', old[at]!));
    for (let other = change.b; other < change.bEnd; other++) out.push(printed('+', now[other]!));
  }
  for (; at < aEnd; at++) out.push(printed(' ', old[at]!));
  return out.join('');
}

/** No lines are named by the line before them; a count of one is left out. */
function range(start: number, end: number): string {
  if (end === start) return `${start},0`;
  return end - start === 1 ? `${start + 1}` : `${start + 1},${end - start}`;
}

function printed(sign: string, line: string): string {
  return line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}
