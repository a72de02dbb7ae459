/** A text without what one commit changed in it, by whole lines. Pure. */

export interface Texts {
  /** Before the commit, after it, and now. */
  readonly old: string;
  readonly changed: string;
  readonly now: string;
}

/** Undefined where the changed part is not there now exactly once. */
export function undoneText({ old, changed, now }: Texts): string | undefined {
  if (now === changed) return old;
  const [a, b] = [linesOf(old), linesOf(changed)];
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head += 1;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  // A line of context on each side: an empty part could be anywhere.
  const [from, to] = [Math.max(0, head - 1), Math.max(0, tail - 1)];
  const wanted = b.slice(from, b.length - to).join('');
  const wants = a.slice(from, a.length - to).join('');
  const at = wanted === '' ? -1 : now.indexOf(wanted);
  if (at < 0 || now.indexOf(wanted, at + 1) >= 0) return undefined;
  return now.slice(0, at) + wants + now.slice(at + wanted.length);
}

/** Each with its line end. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}
