/** The beginning of a file, looked at by those who recognise a format. Linear, and nothing throws. */
import type { Sample } from '../types.ts';
import { type Fields, fieldsIn, isFields, parsedJson, withoutMark } from './values.ts';

const LINES_MAX = 200;
const DEPTH_MAX = 200;

/** The lines that are there as a whole, without blank ones. */
export function linesOf({ head, isWhole }: Pick<Sample, 'head' | 'isWhole'>): readonly string[] {
  const all = withoutMark(head).split('\n', LINES_MAX + 1);
  if (!isWhole && all.length <= LINES_MAX) all.pop();
  return all
    .slice(0, LINES_MAX)
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line.trim() !== '');
}

/** The objects of a file with one of them in each line; undefined if it is none. */
export function recordsOf(sample: Pick<Sample, 'head' | 'isWhole'>): readonly Fields[] | undefined {
  const start = withoutMark(sample.head).trimStart();
  if (!start.startsWith('{')) return undefined;
  const lines = linesOf(sample);
  const records = lines.map(fieldsIn).filter((one) => one !== undefined);
  return records.length > 0 && records.length >= 0.8 * lines.length ? records : undefined;
}

/**
 * The value of a JSON document, also of one of which only the beginning is there: what was begun and not ended is
 * left out, and what is open is closed. Undefined if it is no JSON.
 */
export function documentOf({ head, isWhole }: Pick<Sample, 'head' | 'isWhole'>): unknown {
  const text = withoutMark(head).trim();
  if (!/^[{[]/.test(text)) return undefined;
  const whole = parsedJson(text);
  if (whole !== undefined || isWhole) return whole;
  return parsedJson(closed(text));
}

function closed(text: string): string {
  const open: string[] = [];
  let end = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (inString) {
      if (sign === '\\') at++;
      else if (sign === '"') inString = false;
      continue;
    }
    if (sign === '"') inString = true;
    else if (sign === '{' || sign === '[') {
      if (open.length === DEPTH_MAX) break;
      open.push(sign === '{' ? '}' : ']');
      end = at + 1;
    } else if (sign === '}' || sign === ']') {
      open.pop();
      end = at + 1;
    } else if (sign === ',') end = at;
  }
  return text.slice(0, end) + open.reverse().join('');
}

/** The objects of a document: itself, or those of its list, or of the list under one of these keys. */
export function objectsOf(value: unknown, ...keys: readonly string[]): readonly Fields[] {
  if (Array.isArray(value)) return value.filter(isFields);
  if (!isFields(value)) return [];
  for (const key of keys) {
    const list = value[key];
    if (Array.isArray(list)) return list.filter(isFields);
  }
  return [value];
}
