/**
 * A unified diff as people may see it: secrets and personal data hidden, the lines and their signs as they
 * are. The diff's bytes are attacker-controlled, and they are not changed: only what is shown is.
 *
 * A sign at the start of a line must not hide a secret, nor may a secret that runs over lines get through
 * because removed and added lines are between its own. So each hunk is read as the two texts it is made
 * of, the old and the new one, without signs.
 */
import { keyLines } from './key-lines.ts';
import { spansOrAll, withMarks } from './mask.ts';
import type { Edit, ReplacedKind } from './types.ts';

export interface HiddenInDiff {
  /** Of the diff, from 1; the first one, where it runs over several. */
  readonly line: number;
  readonly kind: ReplacedKind;
  /**
   * It touches something that the change brings in: an added line, or a line outside of the hunks. Else it
   * only surrounds the change, or is taken out by it.
   */
  readonly incoming: boolean;
}

export interface MaskedDiff {
  readonly text: string;
  readonly hidden: readonly HiddenInDiff[];
}

type Sign = '+' | '-' | ' ' | 'outside';

interface Line {
  readonly index: number;
  readonly sign: Sign;
  /** Where its content begins, behind the sign. */
  readonly from: number;
}

export function maskDiff(diff: string): MaskedDiff {
  const lines = diff.split('\n');
  const edits = lines.map((): Edit[] => []);
  const hidden = new Map<string, HiddenInDiff>();
  for (const view of viewsOf(lines)) {
    for (const { kind, parts } of secretsOf(view, lines)) {
      const [first] = parts;
      for (const { line, ...edit } of parts) edits[line.index]!.push(edit);
      const incoming = parts.some(({ line: { sign } }) => sign === '+' || sign === 'outside');
      // A line that stays is in both texts; what is found in both is one secret.
      const key = `${first!.line.index}:${first!.start}`;
      const known = hidden.get(key)?.incoming ?? false;
      hidden.set(key, { line: first!.line.index + 1, kind, incoming: incoming || known });
    }
  }
  const text = lines.map((line, index) => withMarks(line, united(edits[index]!)));
  return { text: text.join('\n'), hidden: [...hidden.values()].sort((a, b) => a.line - b.line) };
}

const HUNK = /^(@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@)/;

/** The texts that a diff is made of: the old and the new one of each hunk, and the lines between hunks. */
function viewsOf(lines: readonly string[]): Line[][] {
  const views: Line[][] = [];
  let between: Line[] = [];
  for (let index = 0; index < lines.length; ) {
    const header = HUNK.exec(lines[index]!);
    if (header === null) {
      // Bytes that are not a valid diff may hold lines with a + or - here.
      const from = /^[-+ ]/.test(lines[index]!) ? 1 : 0;
      between.push({ index: index++, sign: 'outside', from });
      continue;
    }
    // Behind the header git repeats a line from further above: it surrounds the change like the others.
    views.push(between, [{ index, sign: ' ', from: header[1]!.length }]);
    between = [];
    const counts = { old: Number(header[2] ?? 1), new: Number(header[3] ?? 1) };
    const hunk = linesOfHunk(lines, index + 1, counts);
    views.push(
      hunk.filter(({ sign }) => sign !== '+'),
      hunk.filter(({ sign }) => sign !== '-'),
    );
    index = (hunk.at(-1)?.index ?? index) + 1;
  }
  views.push(between);
  return views.filter((view) => view.length > 0);
}

/** As many as the header says; `\ No newline at end of file` is not a line of either text. */
function linesOfHunk(
  lines: readonly string[],
  start: number,
  counts: { old: number; new: number },
): Line[] {
  const hunk: Line[] = [];
  const left = { ...counts };
  for (let index = start; index < lines.length && (left.old > 0 || left.new > 0); index++) {
    const line = lines[index]!;
    if (line.startsWith('\\')) continue;
    const sign = line === '' ? ' ' : line[0]!;
    if (sign !== '+' && sign !== '-' && sign !== ' ') break;
    if (sign !== '+') left.old -= 1;
    if (sign !== '-') left.new -= 1;
    hunk.push({ index, sign, from: line === '' ? 0 : 1 });
  }
  return hunk;
}

interface Found {
  readonly kind: ReplacedKind;
  /** One for each line that it runs over, in positions of that line. */
  readonly parts: readonly (Edit & { readonly line: Line })[];
}

function secretsOf(view: readonly Line[], lines: readonly string[]): Found[] {
  const contents = view.map(({ index, from }) => lines[index]!.slice(from));
  const text = contents.join('\n');
  const spans = united([...spansOrAll(text), ...keyLines(text)]);
  const found: Found[] = [];
  let [at, start] = [0, 0];
  for (const span of spans) {
    while (start + contents[at]!.length < span.start) start += contents[at++]!.length + 1;
    const parts: Found['parts'][number][] = [];
    for (let [line, from] = [at, start]; line < view.length && from < span.end; line++) {
      const length = contents[line]!.length;
      const offset = view[line]!.from - from;
      const part = {
        ...span,
        line: view[line]!,
        start: Math.max(span.start, from) + offset,
        end: Math.min(span.end, from + length) + offset,
      };
      if (part.end > part.start) parts.push(part);
      from += length + 1;
    }
    if (parts.length > 0) found.push({ kind: span.kind, parts });
  }
  return found;
}

/** In order, and joined where they overlap: two texts of a hunk may see one secret in different lengths. */
function united(edits: readonly Edit[]): Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Edit[] = [];
  for (const edit of sorted) {
    const last = result.at(-1);
    if (last === undefined || edit.start >= last.end) result.push(edit);
    else result[result.length - 1] = { ...last, end: Math.max(last.end, edit.end) };
  }
  return result;
}
