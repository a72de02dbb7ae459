/**
 * Bytes of a file to lines. A line without its end waits for it, unless it is already too long: then it
 * is reported once, and the rest up to its end is skipped, over as many reads as it takes.
 */
import { type Encoding, NEWLINE, newlineIn, textOf } from './text-encoding.ts';

/** Unless a format says otherwise. */
export const LINE_BYTES_MAX = 64 * 1024;
/** Of a line that is too long this much is looked at. */
const HEAD_BYTES = 8 * 1024;

export interface Line {
  /** Where it begins, from the beginning of the bytes. */
  readonly offset: number;
  /** Where the next one begins. */
  readonly end: number;
  /** How many lines end before it in the bytes. */
  readonly ended: number;
  /** Without its line break. */
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

export interface SplitOptions {
  readonly lineBytesMax?: number;
  readonly encoding?: Encoding;
  /** Nothing follows the bytes: the last line needs no end. */
  readonly isFinal?: boolean;
}

export function splitLines(
  bytes: Uint8Array,
  skipping: boolean,
  linesMax: number,
  { lineBytesMax = LINE_BYTES_MAX, encoding = 'utf8', isFinal = false }: SplitOptions = {},
): Lines {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Half a character of two bytes waits for its other half.
  const buffer = encoding === 'utf8' ? whole : whole.subarray(0, whole.length & ~1);
  const width = NEWLINE[encoding];
  const lines: Line[] = [];
  let at = 0;
  let ended = 0;
  if (skipping) {
    const end = newlineIn(buffer, 0, encoding);
    if (end === -1) return { lines, consumed: buffer.length, ended, skipping: !isFinal };
    at = end + width;
    ended = 1;
  }
  while (lines.length < linesMax && at < buffer.length) {
    if (encoding === 'utf8') at = behindZeros(buffer, at);
    const newline = newlineIn(buffer, at, encoding);
    const end = newline === -1 ? buffer.length : newline;
    const tooLong = end - at > lineBytesMax;
    if (newline === -1 && !tooLong && !isFinal) break;
    const text = textOf(buffer, at, tooLong ? at + HEAD_BYTES : end, encoding);
    const next = newline === -1 ? end : newline + width;
    if (tooLong || !isBlank(text)) lines.push({ offset: at, end: next, ended, text, tooLong });
    at = next;
    if (newline === -1) return { lines, consumed: at, ended, skipping: !isFinal };
    ended += 1;
  }
  return { lines, consumed: at, ended, skipping: false };
}

/**
 * A program that goes on writing at its old place after its file was cut leaves zeros before it. They are no part of
 * the line that follows.
 */
function behindZeros(buffer: Buffer, from: number): number {
  let at = from;
  while (buffer[at] === 0) at += 1;
  return at;
}

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every line begins with a character that says so.
  return !(first > 32 && first < 127) && text.trim() === '';
}
