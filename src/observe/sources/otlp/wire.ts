/**
 * Reads values of an OTLP request, decoded from JSON or from protobuf: the same names, ids as hexadecimal text or as
 * bytes, 64-bit numbers as texts or numbers (OTLP specification, "JSON Protobuf Encoding"). Everything is hostile:
 * nothing here throws, and what is not as the definitions say counts as absent.
 */
import type { Json } from '../../../base/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};
/** Of a value that attributes nest in each other. Real ones have two or three levels. */
const VALUE_DEPTH_MAX = 16;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : NONE;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined if it is not a text, or an empty one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** 64-bit integers are written as texts. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 40 || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** `success` is written as a text by some clients. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' || value.length > 5) return undefined;
  const word = value.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** In lower case; undefined for an id of zeros, which means none. */
export function idOf(value: unknown): string | undefined {
  const text = value instanceof Uint8Array ? hexOf(value) : textOf(value);
  if (text === undefined || !/^(?:0x)?[0-9a-f]{1,64}$/i.test(text)) return undefined;
  const id = text.replace(/^0x/i, '').toLowerCase();
  return /^0*$/.test(id) ? undefined : id;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 33)).toString('hex');
}

/** Milliseconds of nanoseconds since 1970; undefined for 0, which means unknown. */
export function msOfNanos(value: unknown): number | undefined {
  // A text is cut, not divided: 19 digits are more than a number holds.
  if (typeof value === 'string' && /^\d{7,20}$/.test(value)) {
    const ms = Number(value.slice(0, -6));
    return ms > 0 ? ms : undefined;
  }
  const nanos = numberOf(value);
  return nanos === undefined || nanos < 1e6 ? undefined : Math.floor(nanos / 1e6);
}

/** What an `AnyValue` holds, as JSON; undefined if it holds nothing. Deeper values are left out. */
export function jsonValue(any: unknown, depth = 0): Json | undefined {
  const given = fieldsOf(any);
  if (given['stringValue'] !== undefined) return asText(given['stringValue']);
  if (given['boolValue'] !== undefined) return given['boolValue'] === true;
  if (given['intValue'] !== undefined) return numberOf(given['intValue']);
  if (given['doubleValue'] !== undefined) return doubleOf(given['doubleValue']);
  if (depth >= VALUE_DEPTH_MAX) return undefined;
  if (given['arrayValue'] !== undefined)
    return listOf(fieldsOf(given['arrayValue'])['values']).map(
      (one) => jsonValue(one, depth + 1) ?? null,
    );
  if (given['kvlistValue'] === undefined) return undefined;
  const entries = listOf(fieldsOf(given['kvlistValue'])['values']).flatMap((one) => {
    const { key, value } = fieldsOf(one);
    const inner = typeof key === 'string' ? jsonValue(value, depth + 1) : undefined;
    return inner === undefined ? [] : [[key as string, inner] as const];
  });
  return Object.fromEntries(entries);
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** JSON has no infinity: protobuf's JSON writes a word, and a figure that is none says nothing. */
function doubleOf(value: unknown): number | undefined {
  return numberOf(value);
}
