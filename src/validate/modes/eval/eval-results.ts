/**
 * What an evaluation wrote about its cases, in the forms that common tools write: promptfoo's JSON, the JSON of pytest's
 * report plugin, and JUnit XML (pytest and most others). The bytes come from the target's commands and are not trusted:
 * what cannot be read is no report. A case is known by what was asked, never by what was answered.
 */
import { z } from 'zod';
import { sha256Hex } from '../../../base/index.ts';
import type { ReplayOutcome } from '../../types.ts';
import { junitTests } from '../unit/junit.ts';

const CASES_MAX = 20_000;
const NAME_MAX = 200;

/** As `promptfoo eval --output results.json` writes it; older versions lack the outer `results`. */
const promptfooResult = z.object({
  success: z.boolean(),
  latencyMs: z.number().nonnegative().nullish(),
  cost: z.number().nonnegative().nullish(),
  error: z.string().nullish(),
  promptIdx: z.int().nullish(),
  vars: z.unknown(),
  testCase: z.object({ description: z.string().nullish() }).nullish(),
  provider: z.union([z.string(), z.object({ id: z.string().nullish() })]).nullish(),
});
const results = z.array(promptfooResult).min(1).max(CASES_MAX);
const promptfoo = z.union([
  z.object({ results: z.object({ results }) }).transform((file) => file.results.results),
  z.object({ results }).transform((file) => file.results),
]);

/** As `pytest --json-report` writes it. */
const pytest = z.object({
  tests: z
    .array(
      z.object({
        nodeid: z.string(),
        outcome: z.string(),
      }),
    )
    .min(1)
    .max(CASES_MAX),
});

/** One outcome for each case; undefined where there is none that can be read. */
export function evalOutcomes(bytes: Uint8Array): readonly ReplayOutcome[] | undefined {
  const text = Buffer.from(bytes)
    .toString()
    .replace(/^\ufeff/, '')
    .trim();
  const found = text.startsWith('<') ? fromJunit(bytes) : fromJson(text);
  return found === undefined || found.length === 0 ? undefined : merged(found);
}

function fromJunit(bytes: Uint8Array): ReplayOutcome[] | undefined {
  const tests = junitTests(bytes);
  return tests && [...tests].map(([name, ok]) => outcome(name, ok));
}

function fromJson(text: string): ReplayOutcome[] | undefined {
  const file = parsed(text);
  const asked = promptfoo.safeParse(file);
  if (asked.success) return asked.data.map(promptfooOutcome);
  const tested = pytest.safeParse(file);
  if (!tested.success) return undefined;
  return (
    tested.data.tests
      .filter(({ outcome: said }) => !['skipped', 'xfailed', 'deselected'].includes(said))
      // How long a test took is the machine's affair, not the agent's.
      .map(({ nodeid, outcome: said }) => outcome(nodeid, said === 'passed' || said === 'xpassed'))
  );
}

function promptfooOutcome(one: z.output<typeof promptfooResult>): ReplayOutcome {
  const { success, latencyMs, cost, error, provider, promptIdx, vars, testCase } = one;
  const by = typeof provider === 'string' ? provider : (provider?.id ?? '');
  // The prompt's own text is what a change may be about: its place stands for it.
  const asked = sha256Hex(JSON.stringify(vars ?? null)).slice(0, 12);
  const name = [testCase?.description ?? 'case', asked, by, `prompt ${promptIdx ?? 0}`].join(' · ');
  return {
    ...outcome(name, success, error ?? null),
    ...(latencyMs == null ? {} : { latencyMs }),
    ...(cost == null ? {} : { costUsd: cost }),
  };
}

function outcome(name: string, ok: boolean, error: string | null = null): ReplayOutcome {
  const plain = name.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  const session =
    plain.length <= NAME_MAX
      ? plain
      : `${plain.slice(0, NAME_MAX - 17).toWellFormed()} ${sha256Hex(name.toWellFormed()).slice(0, 16)}`;
  return { session, ok, error: ok ? null : (error ?? 'failed') };
}

/** Cases of one name are told apart by nothing, such as repetitions: all of them have to pass. */
function merged(all: readonly ReplayOutcome[]): ReplayOutcome[] {
  const byName = new Map<string, ReplayOutcome>();
  for (const one of all) {
    const before = byName.get(one.session);
    if (before === undefined || before.ok) byName.set(one.session, one);
  }
  return [...byName.values()];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
