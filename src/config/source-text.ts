/**
 * From bytes to text that is safe to parse: bounded, UTF-8, without a byte order mark and without
 * control characters. The bytes are hostile input: agents can write the file.
 */
import { Buffer } from 'node:buffer';
import { lineIndex } from '../document/at-start.ts';
import { FILE_BYTES_MAX } from './file-size.ts';
import { type Place, problem } from './problem.ts';
import type { Problem, ProblemCode } from './types.ts';

export type SourceText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: Problem };

export function decodeSource(source: string | Uint8Array, file: string): SourceText {
  const sizeBytes = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength;
  const refuse = (
    code: ProblemCode,
    expected: string,
    found: string,
    place: Place,
  ): SourceText => ({
    ok: false,
    problem: problem(file, { code, place, path: [], expected, found }),
  });
  const start = { line: 1, column: 1 };
  if (sizeBytes > FILE_BYTES_MAX)
    return refuse('too_large', 'a file of at most 256 KiB', sizeText(sizeBytes), start);
  const text = withoutMark(typeof source === 'string' ? source : Buffer.from(source).toString());
  const placeAt = lineIndex(text);
  const control = firstControl(text);
  if (control !== -1) return refuse('not_text', 'text', 'a control character', placeAt(control));
  // What is not UTF-8 was decoded to the replacement character, which no configuration needs.
  const broken = text.indexOf('\uFFFD');
  if (broken !== -1)
    return refuse('not_text', 'text in UTF-8', 'bytes of another encoding', placeAt(broken));
  return { ok: true, text };
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function firstControl(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  return text.search(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F]/);
}

/** Exact where it is close to the limit, so that "256 KiB expected, 256 KiB found" cannot happen. */
function sizeText(bytes: number): string {
  return `${bytes} bytes`;
}
