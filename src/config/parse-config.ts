/**
 * Reads `hone.yaml`: the configuration and its digest, or every problem at once. Never throws on
 * any text, never answers with half a configuration, and reads nothing but its arguments.
 */
import type { z } from 'zod';
import { type Digest, digestOf, errorMessage, type Json } from '../base/index.ts';
import { ConfigError } from './errors.ts';
import { formatProblems, ordered, problem } from './problem.ts';
import { schemaProblems } from './schema-problems.ts';
import { inner, keysOf, schemaAt } from './schema-walk.ts';
import { mask } from './secrets.ts';
import { decodeSource } from './source-text.ts';
import type { ParseResult, Problem } from './types.ts';
import { type Reading, readYaml } from './yaml-reader.ts';

export function parseConfig<S extends z.ZodObject>(
  source: string | Uint8Array,
  file: string,
  schema: S,
): ParseResult<z.output<S>> {
  const decoded = decodeSource(source, file);
  if (!decoded.ok) return { ok: false, problems: [decoded.problem] };
  const reading = readSafely(decoded.text, file);
  if ('code' in reading) return { ok: false, problems: [reading] };
  // Compiling the schema costs 20 ms and pays off from the second parse on; a process parses once.
  const parsed = schema.safeParse(withEmptySections(schema, reading.value), { jitless: true });
  if (parsed.success && reading.problems.length === 0)
    return { ok: true, config: parsed.data, digest: configDigest(parsed.data) };
  const issues = parsed.success ? [] : parsed.error.issues;
  const found = [...reading.problems, ...schemaProblems({ file, schema, reading }, issues)];
  return { ok: false, problems: ordered(found) };
}

/**
 * The sections without a mistake, with the defaults of the others: enough to look, watch and roll back while
 * nothing else may happen. Undefined where a mistake belongs to no section, as one of syntax.
 */
export function readableSections<S extends z.ZodObject>(
  text: string,
  { schema, problems }: { schema: S; problems: readonly Problem[] },
): { readonly config: z.output<S>; readonly unread: ReadonlySet<string> } | undefined {
  const unread = new Set(problems.map(({ key }) => /^[^.[]*/.exec(key)![0]));
  if (unread.has('')) return undefined;
  const { value } = readYaml(text, '');
  const left = Object.entries(value).filter(([key]) => !unread.has(key));
  const parsed = schema.safeParse(withEmptySections(schema, Object.fromEntries(left)), {
    jitless: true,
  });
  return parsed.success ? { config: parsed.data, unread } : undefined;
}

/** Over the meaning: comments, order, quoting and written-out defaults do not change it. */
export function configDigest(config: unknown): Digest {
  return digestOf(config as Json);
}

/** For callers that cannot go on without a configuration. */
export function expectConfig<C>(result: ParseResult<C>): {
  readonly config: C;
  readonly digest: Digest;
} {
  if (result.ok) return result;
  const count = result.problems.length === 1 ? 'a problem' : `${result.problems.length} problems`;
  throw new ConfigError(
    'invalid',
    `The configuration has ${count}:\n${formatProblems(result.problems)}`,
    {
      hint: 'Correct these lines; nothing was started.',
    },
  );
}

/** The parser is not ours: should it fail on a text, the reader still gets a problem. */
function readSafely(text: string, file: string): Reading | Problem {
  try {
    return readYaml(text, file);
  } catch (error) {
    const place = { line: 1, column: 1 };
    const found = `a file the parser gave up on (${mask(errorMessage(error)).slice(0, 80)})`;
    return problem(file, { code: 'syntax', place, path: [], expected: 'YAML', found });
  }
}

/** `lease:` with every key below it commented out means the defaults, not nothing. */
function withEmptySections(schema: z.core.$ZodType, value: unknown): unknown {
  const keys = keysOf(inner(schema));
  if (keys.length === 0) return value;
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const key of keys) {
    const child = schemaAt(schema, [key]);
    if (child !== undefined && Object.hasOwn(filled, key))
      filled[key] = withEmptySections(child, filled[key]);
  }
  return filled;
}
