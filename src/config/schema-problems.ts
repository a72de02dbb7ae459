/** Turns what zod says about a configuration into problems with places, words and suggestions. */
import type { z } from 'zod';
import { keyText, problem } from './problem.ts';
import { expectedOf, homesOf, keysOf, type Path, schemaAt, valueAt } from './schema-walk.ts';
import { shown, shownKey } from './secrets.ts';
import { nearest } from './spelling.ts';
import type { Problem, ProblemCode } from './types.ts';
import type { Reading } from './yaml-reader.ts';

export interface Judged {
  readonly file: string;
  readonly schema: z.ZodObject;
  readonly reading: Reading;
}

type Issue = z.core.$ZodIssue;
type Homes = ReturnType<typeof homesOf>;

export function schemaProblems(judged: Judged, issues: readonly Issue[]): readonly Problem[] {
  const homes = homesOf(judged.schema);
  return issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    if (issue.code === 'unrecognized_keys')
      return issue.keys.flatMap((key) => unknownKey(judged, homes, [...path, key]));
    return badValue(judged, issue, path);
  });
}

function unknownKey({ file, schema, reading }: Judged, homes: Homes, path: Path): Problem[] {
  const { key: place, trusted } = reading.spotOf(path);
  if (!trusted) return [];
  const known = keysOf(schemaAt(schema, path.slice(0, -1)));
  const expected =
    known.length === 1 ? `the key ${known[0]}` : `one of the keys ${known.join(', ')}`;
  const found = `the unknown key "${shownKey(String(path.at(-1)))}"`;
  const advice = suggestion(homes, path, known);
  return [problem(file, { code: 'unknown_key', place, path, expected, found, advice })];
}

function suggestion(homes: Homes, path: Path, known: readonly string[]): string | undefined {
  const key = String(path.at(-1));
  const near = nearest(key, known);
  if (near !== undefined) return `Did you mean "${keyText([...path.slice(0, -1), near])}"?`;
  const elsewhere = homes.get(key)?.slice(0, 3).map(keyText);
  return elsewhere === undefined ? undefined : `There is such a key at ${elsewhere.join(' and ')}.`;
}

function badValue({ file, schema, reading }: Judged, issue: Issue, path: Path): Problem[] {
  const { value: place, trusted } = reading.spotOf(path);
  if (!trusted || reading.isReported(path)) return [];
  const at = schemaAt(schema, path);
  const value = valueAt(reading.value, path);
  const expected = at === undefined ? 'something else' : expectedOf(at);
  const found = shown(value, String(path.findLast((step) => typeof step === 'string') ?? ''));
  const advice = adviceFor(issue, at, value);
  return [problem(file, { code: codeOf(issue), place, path, expected, found, advice })];
}

function codeOf(issue: Issue): ProblemCode {
  switch (issue.code) {
    case 'invalid_type':
      return 'wrong_type';
    case 'too_big':
    case 'too_small':
      return 'out_of_range';
    case 'invalid_value':
      return 'not_allowed';
    case 'custom':
      return issue.params?.['problem'] === 'out_of_range' ? 'out_of_range' : 'bad_form';
    default:
      return 'bad_form';
  }
}

function adviceFor(
  issue: Issue,
  at: z.core.$ZodType | undefined,
  value: unknown,
): string | undefined {
  const why = issue.code === 'custom' ? issue.params?.['why'] : undefined;
  if (typeof why === 'string') return why;
  if (keysOf(at).length > 0 && typeof value === 'string' && /^\w{1,40}:(?!\/\/)\S/.test(value))
    return 'Put a space after the colon.';
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const words = issue.values.filter((word) => typeof word === 'string');
    const near = nearest(value, words);
    return near === undefined ? undefined : `Did you mean "${near}"?`;
  }
  return undefined;
}
