/**
 * Reads values of lines that somebody else wrote: whatever stands there, it gives what was expected or
 * nothing. Nothing here throws, and nothing takes longer than the value is long.
 */
import { canonicalJson, type Json, sha256 } from '../../../base/index.ts';
import { NAME_MAX, NAMES_MAX } from '../../../facts/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const VISIBLE = /[^\p{C}\s]/u;

/** What an event takes as a name. Hidden characters go before a state is stored, so one of nothing else is none. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > NAME_MAX) return undefined;
  return VISIBLE.test(value) ? value : undefined;
}

/** A count or a duration; what is negative or absurd is not known. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1e9 ? value : undefined;
}

/** Longer texts are no times, and nobody knows how long a date takes to be refused. */
const TIME_CHARS_MAX = 40;

export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > TIME_CHARS_MAX) return undefined;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** Undefined where a clock ran backwards. */
export function elapsedMs(fromMs: number | undefined, toMs: number | undefined) {
  return fromMs === undefined || toMs === undefined ? undefined : countOf(toMs - fromMs);
}

/**
 * Half a secret may not look like one: a long text ends after a whole word. The room keeps 16 384 characters of what is
 * left, and refuses more than 65 536.
 */
const TEXT_CHARS_MAX = 48 * 1024;

export function boundedText(text: string): string | undefined {
  if (text.length <= TEXT_CHARS_MAX) return text === '' ? undefined : text;
  const head = text.slice(0, TEXT_CHARS_MAX);
  const end = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n'), head.lastIndexOf('\t'));
  return end <= 0 ? undefined : head.slice(0, end);
}

/** The texts of content that is a text, or blocks of which some are. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts: string[] = [];
  let chars = 0;
  for (const block of listOf(content)) {
    const text = typeof block === 'string' ? block : textOf(fieldsOf(block)?.['text']);
    if (text === undefined) continue;
    texts.push(text);
    chars += text.length;
    if (chars > TEXT_CHARS_MAX) break;
  }
  return texts.join('\n');
}

/** In bytes of its texts and images; the signs around them are not counted. */
export function contentBytes(content: unknown): number | undefined {
  if (typeof content === 'string') return Buffer.byteLength(content);
  if (!Array.isArray(content)) return undefined;
  let bytes = 0;
  for (const block of content) {
    const fields = fieldsOf(block);
    const text = typeof block === 'string' ? block : fields?.['text'];
    const data = fieldsOf(fields?.['source'])?.['data'] ?? fields?.['image_url'];
    if (typeof text === 'string') bytes += Buffer.byteLength(text);
    else if (typeof data === 'string') bytes += data.length;
  }
  return bytes;
}

/**
 * Of an id or of arguments: what waits in a state is found again by a number, because a text in a state is
 * sanitised when it is stored and may then be equal to another.
 */
export function numberFor(text: string): number {
  return sha256(text).readUIntBE(0, 6);
}

export interface Arguments {
  readonly names: readonly string[];
  readonly bytes: number;
  readonly number: number;
}

/** Of a call's input, whatever it is; undefined if it cannot be written as JSON. */
export function argumentsOf(input: unknown): Arguments | undefined {
  if (input === undefined || input === null) return undefined;
  const text = typeof input === 'string' ? input : canonicalText(input);
  if (text === undefined) return undefined;
  const names: string[] = [];
  for (const key of Object.keys(fieldsOf(input) ?? {})) {
    if (names.length >= NAMES_MAX) break;
    if (nameOf(key) !== undefined) names.push(key);
  }
  return { names: names.sort(), bytes: Buffer.byteLength(text), number: numberFor(text) };
}

/** Nested too deeply, or with half of a pair of surrogates, it has no canonical form. */
function canonicalText(value: unknown): string | undefined {
  try {
    return canonicalJson(value as Json);
  } catch {
    return undefined;
  }
}

/** What an event's `arguments` say: equal for equal arguments. The arguments themselves never wait in a state. */
export function argumentsText(number: number): string {
  return `arguments ${number.toString(16)}`;
}

/** The server of `mcp__server__tool`. */
export function mcpServer(tool: string): string | undefined {
  if (!tool.startsWith('mcp__')) return undefined;
  const end = tool.indexOf('__', 5);
  return end > 5 ? tool.slice(5, end) : undefined;
}

/** Without the fields that are not known. */
export function known<T extends object>(fields: T): Known<T> {
  const given: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) given[key] = fields[key];
  return given as Known<T>;
}

type Known<T> = {
  [F in keyof T as undefined extends T[F] ? never : F]: T[F];
} & { [F in keyof T as undefined extends T[F] ? F : never]?: Exclude<T[F], undefined> };
