/** The values of a document: one JSON value, or one in each line, whatever the file is called. */
import { parsedJson, withoutMark } from './values.ts';

export interface DocumentValues {
  readonly values: readonly unknown[];
  /** Lines that are no JSON. */
  readonly broken: number;
}

/** Without values it is no JSON at all. */
export function valuesOf(text: string): DocumentValues {
  const whole = parsedJson(text);
  if (whole !== undefined) return { values: [whole], broken: 0 };
  const values: unknown[] = [];
  let broken = 0;
  const body = withoutMark(text);
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf('\n', from);
    const line = body.slice(from, end === -1 ? body.length : end).trim();
    from = end === -1 ? body.length : end + 1;
    if (line === '') continue;
    const value = /^[{[]/.test(line) ? parsedJson(line) : undefined;
    if (value === undefined) broken++;
    else values.push(value);
  }
  return { values, broken };
}
