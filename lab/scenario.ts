/**
 * Reading a scenario file: all that is wrong with it at once, each with its line. The schema itself is in
 * `scenario-schema.ts`; `scenario.schema.json` says the same for editors.
 */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { z } from 'zod';
import { errorMessage } from '../src/base/index.ts';
import { type Scenario, scenarioSchema } from './scenario-schema.ts';

export type { Scenario } from './scenario-schema.ts';

const FILE_CHARS_MAX = 1_000_000;

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Scenario }
  /** One line each: file, line, key, what is wrong. */
  | { readonly ok: false; readonly problems: readonly string[] };

export function readScenario(text: string, file: string): ScenarioReading {
  if (text.length > FILE_CHARS_MAX)
    return { ok: false, problems: [`${file}: longer than ${FILE_CHARS_MAX} characters`] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  if (document.errors.length > 0)
    return {
      ok: false,
      problems: document.errors.map(({ pos, message }) => `${lineAt(pos[0])}: ${message}`),
    };
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    return { ok: false, problems: [`${file}: ${errorMessage(error)}`] };
  }
  const result = scenarioSchema.safeParse(value);
  if (result.success) return { ok: true, scenario: result.data };
  const problems = result.error.issues.map((issue) => {
    const keys = issue.path.map(String);
    const at = issue.code === 'unrecognized_keys' ? [...keys, issue.keys[0]!] : keys;
    const place = lineAt(offsetOf(document.contents, at));
    return `${place}: ${keys.join('.') || 'the file'}: ${issue.message}`;
  });
  return { ok: false, problems };
}

/** Where a key stands; its nearest parent's place where the file does not have it. */
function offsetOf(root: Node | null, path: readonly string[]): number {
  let offset = root?.range?.[0] ?? 0;
  let at: unknown = root;
  for (const key of path) {
    if (isMap(at)) {
      const pair = at.items.find((one) => isScalar(one.key) && String(one.key.value) === key);
      if (!isScalar(pair?.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      at = pair.value;
    } else if (isSeq(at)) {
      at = at.items[Number(key)];
      offset = (at as Node | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

/** The first files of the target, as the fleet takes them. */
export function firstFiles({ files }: Scenario): ReadonlyMap<string, string> {
  return new Map(Object.entries(files));
}

/** What `scenario.schema.json` holds. */
export function scenarioJsonSchema(): unknown {
  return z.toJSONSchema(scenarioSchema, { io: 'input', reused: 'ref' });
}
