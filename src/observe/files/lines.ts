/**
 * Bytes of a file to lines. A line without its end waits for it, unless it is already too long: then it
 * is reported once, and the rest up to its end is skipped, over as many reads as it takes.
 */

export const LINE_BYTES_MAX = 64 * 1024;
const NEWLINE = 10;
/** Of a line that is too long this much is looked at. */
const HEAD_BYTES = 8 * 1024;

export interface Line {
  /** Where it begins, from the beginning of the bytes. */
  readonly offset: number;
  /** Where the next one begins. */
  readonly end: number;
  /** How many lines end before it in the bytes. */
  readonly ended: number;
  readonly text: string;
  /** Only its beginning is here. */
  readonly tooLong: boolean;
}

export interface Lines {
  readonly lines: readonly Line[];
  /** Bytes that need not be read again. */
  readonly consumed: number;
  /** How many lines end in them. */
  readonly ended: number;
  /** Whether what follows is still part of a line that was too long. */
  readonly skipping: boolean;
}

export function splitLines(bytes: Uint8Array, skipping: boolean, linesMax: number): Lines {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Line[] = [];
  let at = 0;
  let ended = 0;
  if (skipping) {
    const end = buffer.indexOf(NEWLINE);
    if (end === -1) return { lines, consumed: buffer.length, ended, skipping: true };
    at = end + 1;
    ended = 1;
  }
  while (lines.length < linesMax && at < buffer.length) {
    const newline = buffer.indexOf(NEWLINE, at);
    const end = newline === -1 ? buffer.length : newline;
    const tooLong = end - at > LINE_BYTES_MAX;
    if (newline === -1 && !tooLong) break;
    const text = buffer.toString('utf8', at, tooLong ? at + HEAD_BYTES : end);
    if (tooLong || !isBlank(text)) lines.push({ offset: at, end: end + 1, ended, text, tooLong });
    if (newline === -1) return { lines, consumed: buffer.length, ended, skipping: true };
    at = newline + 1;
    ended += 1;
  }
  return { lines, consumed: at, ended, skipping: false };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
