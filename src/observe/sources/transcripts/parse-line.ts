/** One line of a transcript: an object, something else, or no JSON at all. */
import type { Decoded } from '../../types.ts';
import { type Fields, fieldsOf } from './values.ts';

/** Some editors and languages begin a file with it. */
const BYTE_ORDER_MARK = '\ufeff';

export const NOT_JSON: Decoded = {
  ok: false,
  reason: 'not_json',
  detail: 'The line is not JSON: expected one object on one line.',
};

/** `undefined` if it is not JSON, `null` if it is JSON, but no object. */
export function parseLine(line: string): Fields | null | undefined {
  try {
    return fieldsOf(JSON.parse(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line)) ?? null;
  } catch {
    return undefined;
  }
}
