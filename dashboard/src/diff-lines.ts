/** A unified diff, read line by line: what stands in the text and nothing else. */

export interface DiffLine {
  readonly kind: 'add' | 'remove' | 'same' | 'hunk' | 'file';
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let left = { before: 0, after: 0 };
  const source = diff.endsWith('\n') ? diff.slice(0, -1) : diff;
  for (const text of source.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    const isInside = left.before > 0 || left.after > 0;
    if (hunk !== null && !isInside) {
      before = Number(hunk[1]);
      after = Number(hunk[3]);
      left = { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) };
      lines.push({ kind: 'hunk', text });
    } else if (!isInside || text.startsWith('\\')) {
      lines.push({ kind: 'file', text });
    } else if (text.startsWith('+')) {
      lines.push({ kind: 'add', text: text.slice(1), after: after++ });
      left.after--;
    } else if (text.startsWith('-')) {
      lines.push({ kind: 'remove', text: text.slice(1), before: before++ });
      left.before--;
    } else {
      lines.push({ kind: 'same', text: text.slice(1), before: before++, after: after++ });
      left.before--;
      left.after--;
    }
  }
  return lines;
}

export interface Pair {
  readonly left?: DiffLine;
  readonly right?: DiffLine;
  /** A line over both sides. */
  readonly across?: DiffLine;
}

/** Side by side: removed lines beside those that were added in their place. */
export function pairs(lines: readonly DiffLine[]): Pair[] {
  const result: Pair[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (line.kind === 'same') {
      result.push({ left: line, right: line });
      at++;
    } else if (line.kind === 'hunk' || line.kind === 'file') {
      result.push({ across: line });
      at++;
    } else {
      const take = (kind: DiffLine['kind']) => {
        const taken: DiffLine[] = [];
        while (lines[at]?.kind === kind) taken.push(lines[at++]!);
        return taken;
      };
      const removed = take('remove');
      const added = take('add');
      for (let row = 0; row < Math.max(removed.length, added.length); row++) {
        const [left, right] = [removed[row], added[row]];
        result.push({ ...(left && { left }), ...(right && { right }) });
      }
    }
  }
  return result;
}
