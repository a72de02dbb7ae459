/** Fits texts, names and numbers of any size into the bounds of an event (`check-event.ts`). */
import { canonicalJson, type Json, sha256Hex } from '../../../base/index.ts';
import { NAME_MAX, NAMES_MAX } from '../../../facts/index.ts';

/** A little more than the room keeps of a text: sanitising what is cut off afterwards costs time for nothing. */
const TEXT_CHARS_MAX = 20_000;
/** Of arguments, of which only a hash is kept. */
const ARGUMENTS_CHARS_MAX = 60_000;
const MS_MAX = 1e9;
const COUNT_MAX = 1e12;

/**
 * A long text ends where a word does: half a secret may not look like one. A text without any end of a word is left out.
 */
export function boundedText(
  text: string | undefined,
  charsMax = TEXT_CHARS_MAX,
): string | undefined {
  if (text === undefined || text.length <= charsMax) return text || undefined;
  let end = charsMax;
  while (end > 0 && !/[\s",;{}]/.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end).toWellFormed() || undefined;
}

/** On one line by the room. A name that is too long ends where a word does. */
export function boundedName(name: string | undefined): string | undefined {
  const trimmed = name?.trim();
  if (trimmed === undefined || trimmed.length <= NAME_MAX) return trimmed || undefined;
  return boundedText(trimmed, NAME_MAX)?.trim() || undefined;
}

/** Ids are told apart whatever their length. */
export function boundedId(id: string | undefined): string | undefined {
  const trimmed = id?.trim();
  if (trimmed === undefined || trimmed.length <= NAME_MAX) return trimmed || undefined;
  return sha256Hex(trimmed).slice(0, 32);
}

export function boundedMs(ms: number | undefined): number | undefined {
  return ms === undefined || !(ms >= 0) ? undefined : Math.min(ms, MS_MAX);
}

/** A number of tokens, bytes, tries. */
export function boundedCount(count: number | undefined): number | undefined {
  return count === undefined || !(count >= 0) ? undefined : Math.min(Math.round(count), COUNT_MAX);
}

export interface Arguments {
  readonly argumentNames?: readonly string[];
  readonly arguments?: string;
  readonly inputBytes?: number;
}

/** What a tool was called with: an object, or one as JSON. Anything else has a size and no names. */
export function argumentsOf(given: Json | undefined): Arguments {
  if (given === undefined || given === null) return {};
  const text = typeof given === 'string' ? given : jsonOf(given);
  if (text === undefined) return {};
  const inputBytes = Buffer.byteLength(text);
  const parsed = namedOf(typeof given === 'string' ? parsedOf(given) : given);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return { inputBytes };
  const names = Object.keys(parsed).filter((name) => boundedName(name) === name);
  const canonical = jsonOf(parsed);
  const isShort = canonical !== undefined && canonical.length <= ARGUMENTS_CHARS_MAX;
  return {
    inputBytes,
    ...(names.length === 0 ? {} : { argumentNames: names.slice(0, NAMES_MAX) }),
    ...(isShort ? { arguments: canonical } : {}),
  };
}

/** Python's wrappers put the arguments that have names into `kwargs`. */
function namedOf(given: Json | undefined): Json | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { args, kwargs } = given as Readonly<Record<string, Json>>;
  const isWrapped = Array.isArray(args) && typeof kwargs === 'object' && kwargs !== null;
  return isWrapped && Object.keys(kwargs).length > 0 ? kwargs : given;
}

function parsedOf(text: string): Json | undefined {
  if (text.length > ARGUMENTS_CHARS_MAX || !/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Undefined for what canonical JSON cannot say, such as half a character. */
export function jsonOf(value: Json): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}

/** Leaves out what is undefined. */
export function known<T extends object>(given: { [K in keyof T]: T[K] | undefined }): T {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}
