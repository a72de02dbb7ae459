/** The lines that a change adds to a file, with their line numbers. */
import type { FilePatch } from '../git/index.ts';

export interface AddedLine {
  readonly number: number;
  readonly text: string;
}

export function addedLines(patch: FilePatch): AddedLine[] {
  const added: AddedLine[] = [];
  for (const { newStart, lines } of patch.hunks) {
    let number = newStart;
    for (const [sign, bytes] of lines) {
      if (sign === '-') continue;
      if (sign === '+') {
        const text = Buffer.from(bytes, 'latin1')
          .toString('utf8')
          .replace(/\r?\n$/, '');
        added.push({ number, text });
      }
      number++;
    }
  }
  return added;
}
