/**
 * Base64 and hexadecimal stretches that decode to text. Random bytes of 12 or more are printable with
 * a chance below 1e-5, so hashes, keys, images, identifiers and paths drop out by themselves.
 */
import type { Encoding } from './types.ts';

export interface Decoded {
  readonly encoding: Encoding;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Sentences, as opposed to JSON, markup or a short value. */
  readonly prose: boolean;
  /** Written with backslashes, as programs write characters that they mean to show. */
  readonly inCode?: boolean;
  /** Why somebody should look, when the way of encoding alone says so. */
  readonly alarm?: string;
}

const STRETCH = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const HEX_PAIRS = /(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ ,:;]{1,2}){7,}(?:0x|\\x)?[0-9A-Fa-f]{2}/g;
const WRAPPED_LINE = /\r?\n[ \t]*([A-Za-z0-9+/]{4,}={0,2})(?=[\s"'`<)]|$)/y;
const WRAPPED_UNITS_MIN = 40;

export function decodeBlobs(text: string, unitsMax: number): Decoded[] {
  const found: Decoded[] = [];
  STRETCH.lastIndex = 0;
  for (let match = STRETCH.exec(text); match !== null; match = STRETCH.exec(text)) {
    const start = match.index;
    const { body, end } = unwrap(text, start, match[0]);
    STRETCH.lastIndex = end;
    const whole = decodeStretch(body, unitsMax);
    if (whole !== undefined) found.push({ ...whole, start, end });
    else found.push(...decodeSegments(body, start, unitsMax));
  }
  HEX_PAIRS.lastIndex = 0;
  for (let match = HEX_PAIRS.exec(text); match !== null; match = HEX_PAIRS.exec(text)) {
    const digits = match[0].replace(/0x|\\x|[^0-9A-Fa-f]/g, '').slice(0, 2 * unitsMax);
    const decoded = readable(Buffer.from(digits, 'hex'));
    if (decoded !== undefined)
      found.push({
        encoding: 'hex',
        start: match.index,
        end: match.index + match[0].length,
        text: decoded,
        prose: isProse(decoded),
      });
  }
  return found;
}

/** Joins the lines of a wrapped stretch, as mail and PEM files have it. */
function unwrap(text: string, start: number, first: string): { body: string; end: number } {
  const parts = [first];
  let end = start + first.length;
  let last = first.length;
  while (last >= WRAPPED_UNITS_MIN && !parts[parts.length - 1]!.endsWith('=')) {
    WRAPPED_LINE.lastIndex = end;
    const next = WRAPPED_LINE.exec(text);
    if (next === null) break;
    parts.push(next[1]!);
    last = next[1]!.length;
    end += next[0].length;
  }
  return { body: parts.join(''), end };
}

/** A path or an address in front shifts the alphabet, so its parts are tried alone, once each. */
function decodeSegments(body: string, start: number, unitsMax: number): Decoded[] {
  const found: Decoded[] = [];
  for (const separator of ['/', /[_-]/]) {
    let at = 0;
    for (const segment of body.split(separator)) {
      if (segment.length >= 16 && segment.length < body.length) {
        const decoded = decodeStretch(segment, unitsMax);
        if (decoded !== undefined)
          found.push({ ...decoded, start: start + at, end: start + at + segment.length });
      }
      at += segment.length + 1;
    }
    if (found.length > 0) return found;
  }
  return found;
}

function decodeStretch(
  stretch: string,
  unitsMax: number,
): Omit<Decoded, 'start' | 'end'> | undefined {
  const body = stretch.slice(0, 2 * unitsMax);
  if (/^[0-9a-fA-F]+$/.test(body)) {
    if (body.length % 2 === 1 || /^\d+$/.test(body)) return undefined;
    const text = readable(Buffer.from(body, 'hex'));
    return text === undefined ? undefined : { encoding: 'hex', text, prose: isProse(text) };
  }
  // A long word or a path in one case is not base64.
  if (!/[a-z]/.test(body) || !/[A-Z]/.test(body)) return undefined;
  const letters = body.replace(/=+$/, '');
  const whole = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
  const text = readable(Buffer.from(whole, 'base64'));
  return text === undefined ? undefined : { encoding: 'base64', text, prose: isProse(text) };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UTF16 = new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true });

/** The bytes as text when they are text: UTF-8, or UTF-16 as PowerShell encodes its commands. */
function readable(bytes: Uint8Array): string | undefined {
  if (bytes.length < 8) return undefined;
  const sample = bytes.subarray(0, 64);
  let zeros = 0;
  for (let at = 1; at < sample.length; at += 2) if (sample[at] === 0) zeros += 1;
  const wide = zeros >= sample.length * 0.4;
  try {
    const text = wide
      ? UTF16.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
      : UTF8.decode(cutToCharacter(bytes));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
    if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text)) return undefined;
    const letters = text.match(/[\p{L}\p{N} ]/gu)?.length ?? 0;
    const hidden = text.match(/\p{Default_Ignorable_Code_Point}/gu)?.length ?? 0;
    return /\p{L}/u.test(text) && letters + hidden >= [...text].length * 0.5 ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Without the incomplete character that a cut may leave at the end. */
function cutToCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  for (let back = 1; back <= 3 && back <= end; back += 1) {
    const byte = bytes[end - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      if (needed > back) end -= back;
      break;
    }
  }
  return bytes.subarray(0, end);
}

function isProse(text: string): boolean {
  if (/^\s*[{[<]/.test(text)) return false;
  return (text.slice(0, 4_096).match(/(?:^|\s)\p{L}{2,}(?=[\s.,:;!?'"]|$)/gu)?.length ?? 0) >= 3;
}
