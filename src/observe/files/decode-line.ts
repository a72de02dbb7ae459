/**
 * Runs lines through a decoder, whatever the decoder does: one that throws loses only that line, and its state
 * from line to line is sanitised and bounded when it is stored with the position.
 */
import type { Json } from '../../base/index.ts';
import type { Decoded, Decoder, StreamAbout } from '../types.ts';
import { LINE_BYTES_MAX, type Line } from './lines.ts';

/** As JSON. A decoder keeps records that wait for their other half, and drops the oldest. */
export const STATE_CHARS_MAX = 64 * 1024;

export function decodeLine(
  { text, tooLong }: Pick<Line, 'text' | 'tooLong'>,
  decoder: Decoder,
  {
    state,
    about,
    bytesMax = LINE_BYTES_MAX,
  }: { readonly state: Json; readonly about: StreamAbout; readonly bytesMax?: number },
): ReturnType<Decoder['decode']> {
  if (tooLong) {
    const detail = `The line is longer than ${bytesMax} bytes.`;
    return { records: [{ ok: false, reason: 'too_long', detail } satisfies Decoded], state };
  }
  try {
    return decoder.decode(text, state, about);
  } catch {
    const detail = 'Hone failed to decode it.';
    return { records: [{ ok: false, reason: 'not_an_event', detail }], state };
  }
}

/** What the state held back; undefined if it is nothing. */
export function flushState(
  decoder: Decoder,
  state: Json,
  about: StreamAbout,
): ReturnType<Decoder['decode']> | undefined {
  try {
    const flushed = decoder.flush?.(state, about);
    return flushed === undefined || flushed.records.length === 0 ? undefined : flushed;
  } catch {
    return undefined;
  }
}

/** The state as it may be stored; undefined when it is too large. */
export function storable(state: Json, clean: (text: string) => string): Json | undefined {
  const cleaned = cleanJson(state, clean);
  return JSON.stringify(cleaned).length <= STATE_CHARS_MAX ? cleaned : undefined;
}

function cleanJson(value: Json, clean: (text: string) => string): Json {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((one) => cleanJson(one, clean));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(entries.map(([key, one]) => [clean(key), cleanJson(one, clean)]));
}
