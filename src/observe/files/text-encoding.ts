/**
 * How a file's bytes become text: UTF-8, or UTF-16 where a byte order mark says so, as tools of Windows write it.
 * What is not valid becomes U+FFFD. And whether a file is text at all.
 */
import { isUtf8 } from 'node:buffer';

export type Encoding = 'utf8' | 'utf16le' | 'utf16be';

/** The bytes of a line break. */
export const NEWLINE: Readonly<Record<Encoding, number>> = { utf8: 1, utf16le: 2, utf16be: 2 };

/** Of a file's beginning, to tell text from anything else. */
export const JUDGED_BYTES = 8 * 1024;
/** Compressed or encrypted data has 11 %, programs and databases more; text has none. */
const STRANGE_SHARE = 0.05;
const LF = 10;

export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf16be';
  return 'utf8';
}

/** Where the next line break begins; -1 if there is none. `from` is the beginning of a character. */
export function newlineIn(buffer: Buffer, from: number, encoding: Encoding): number {
  if (encoding === 'utf8') return buffer.indexOf(LF, from);
  const lowFirst = encoding === 'utf16le';
  for (let at = buffer.indexOf(LF, from); at !== -1; at = buffer.indexOf(LF, at + 1)) {
    const isLow = (at - from) % 2 === (lowFirst ? 0 : 1);
    if (isLow && buffer[lowFirst ? at + 1 : at - 1] === 0) return lowFirst ? at : at - 1;
  }
  return -1;
}

/** Without a byte order mark before it and a carriage return behind it. */
export function textOf(buffer: Buffer, from: number, to: number, encoding: Encoding): string {
  const text = decoded(buffer, from, to, encoding);
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const end = text.charCodeAt(text.length - 1) === 13 ? text.length - 1 : text.length;
  return start === 0 && end === text.length ? text : text.slice(start, Math.max(start, end));
}

function decoded(buffer: Buffer, from: number, to: number, encoding: Encoding): string {
  if (encoding === 'utf8') return buffer.toString('utf8', from, to);
  if (encoding === 'utf16le') return buffer.toString('utf16le', from, to).toWellFormed();
  const even = from + ((Math.min(to, buffer.length) - from) & ~1);
  return Buffer.from(buffer.subarray(from, even)).swap16().toString('utf16le').toWellFormed();
}

/** Whether all of it is text in its encoding; U+FFFD stands for what is not. */
export function isValid(bytes: Uint8Array, encoding: Encoding): boolean {
  return encoding !== 'utf8' || isUtf8(bytes);
}

/**
 * Whether a file is a picture, a program, an archive: its first line holds what no text holds, and so does much of
 * what follows. A log with some odd lines is text. A file of zeros only has a hole.
 */
export function isBinary(head: Uint8Array): boolean {
  if (encodingOf(head) !== 'utf8') return false;
  const from = head.findIndex((byte) => byte !== 0);
  if (from === -1) return false;
  const judged = head.subarray(from, from + JUDGED_BYTES);
  if (Buffer.from(judged.subarray(0, 5)).toString('latin1') === '%PDF-') return true;
  const newline = judged.indexOf(LF);
  const first = newline === -1 ? judged : judged.subarray(0, newline);
  return isStrange(first) && strange(judged) > judged.length * STRANGE_SHARE;
}

function isStrange(bytes: Uint8Array): boolean {
  // A character may be torn at the end of what was read.
  return strange(bytes) > 0 || !isUtf8(bytes.subarray(0, Math.max(0, bytes.length - 3)));
}

/** Control characters that text does not have: not those from backspace to carriage return, nor escape. */
function strange(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) count += 1;
  return count;
}
