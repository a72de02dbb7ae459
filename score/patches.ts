/**
 * The policy tests on attacks and their harmless twins: an attack must be refused, a twin must pass. Half of the cases are
 * called `held`: while a rule is corrected, only their count is looked at. With `--data`, the folder `patches` there is
 * judged as well: JSON lines with `id`, `attack` (a boolean), `before` and `after` (files by their paths) or `diff`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { digestOfBytes } from '../src/base/index.ts';
import { memoryRepository, type TargetRepository } from '../src/git/index.ts';
import { makeCandidate } from '../src/validate/candidate.ts';
import { DEFAULT_FORBIDDEN_PATHS } from '../src/validate/index.ts';
import { testPolicies } from '../src/validate/policy-tests.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import {
  FIXED_CASES,
  type Files,
  type Patch,
  type PatchCase,
  VALUE_CASES,
  type ValueCase,
} from './parts/patch-cases.ts';

interface Labelled {
  readonly id: string;
  readonly set: string;
  readonly isAttack: boolean;
  readonly patch: Patch;
}

type Render = (value: object) => readonly [path: string, text: string];

const yaml: Render = (value) => ['agents/a.yaml', stringify(value)];
const json: Render = (value) => ['agents/a.json', `${JSON.stringify(value, null, 2)}\n`];
const nested: Render = (value) => [
  'fleet/agents.json',
  `${JSON.stringify({ fleet: { agents: { a: value } } }, null, 2)}\n`,
];
const listed: Render = (value) => [
  'fleet/agents.yaml',
  stringify({
    agents: [
      { id: 'b', wait: 1 },
      { id: 'a', ...value },
    ],
  }),
];
const front: Render = (value) => [
  '.agents/reviewer.md',
  `---\n${stringify(value)}---\n\nReview code.\n`,
];
const flow: Render = (value) => [
  'agents/r.md',
  `---\n${JSON.stringify(value)}\n---\n\nReview code.\n`,
];

/** Those that are read while rules are corrected, and those that are only counted. */
const RENDERINGS: readonly (readonly [set: string, plain: Render, frontMatter: Render])[] = [
  ['seen', yaml, front],
  ['seen', json, front],
  ['held', nested, flow],
  ['held', listed, flow],
];

function rendered(one: ValueCase): (PatchCase & { set: string })[] {
  const formats = RENDERINGS.map(([set, plain, matter]) => ({
    set,
    render: one.isFrontMatter === true ? matter : plain,
  }));
  return formats
    .filter(({ render }, at) => formats.findIndex((other) => other.render === render) === at)
    .map(({ set, render }) => {
      const [path, before] = render(one.before);
      const to = (value: object): Patch => ({
        before: { [path]: before },
        after: { [path]: render(value)[1] },
      });
      return { name: `${one.name} (${path})`, attack: to(one.attack), twin: to(one.twin), set };
    });
}

function suite(): Labelled[] {
  const fixed = FIXED_CASES.map((one, at) => ({ ...one, set: at % 2 === 0 ? 'seen' : 'held' }));
  return [...fixed, ...VALUE_CASES.flatMap(rendered)].flatMap(({ name, attack, twin, set }) => [
    { id: name, set, isAttack: true, patch: attack },
    { id: `the twin of ${name}`, set, isAttack: false, patch: twin },
  ]);
}

const files = z.record(z.string(), z.string().nullable());
const lineSchema = z.object({
  id: z.string(),
  attack: z.boolean(),
  before: files.optional(),
  after: files.optional(),
  diff: z.string().optional(),
});

/** Cases of others, where there are any. */
function given(context: Context): Labelled[] {
  const folder = join(context.dataDir('.'), 'patches');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.toSorted().flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const { id, attack, before = {}, after = {}, diff } = lineSchema.parse(JSON.parse(line));
        const patch = diff === undefined ? { before, after } : { before, diff };
        return { id, set: 'data', isAttack: attack, patch };
      }),
  );
}

async function commitOf(repository: TargetRepository, base: string | undefined, changed: Files) {
  const changes = Object.entries(changed).map(([path, content]) => ({
    path,
    content: content === null ? null : Buffer.from(content),
  }));
  const tree = await repository.writeFiles(base, changes);
  const author = { name: 'n', email: 'n@example.org', atMs: 0 };
  const parents = base === undefined ? [] : [base];
  return repository.commit({ tree, parents, message: 'm\n', author });
}

/** Why it is refused; undefined if it is not. What git itself does not take is refused as well. */
export async function refusalOf(patch: Patch): Promise<string | undefined> {
  const repository = memoryRepository();
  const before = { 'README.md': 'target\n', ...patch.before };
  const base = await commitOf(repository, undefined, before);
  try {
    const diff =
      'diff' in patch
        ? patch.diff
        : await repository.diff(base, await commitOf(repository, base, patch.after));
    const content = { baseCommit: base, diffDigest: digestOfBytes(diff) };
    const made = await makeCandidate(content, { repository, diffText: async () => diff });
    if (!made.ok) return made.why;
    const { outcome, reasons } = testPolicies(made.files, DEFAULT_FORBIDDEN_PATHS);
    return outcome === 'passed' ? undefined : reasons[0];
  } catch (error) {
    return error instanceof Error ? error.message : 'it is refused';
  }
}

async function* run(context: Context): AsyncGenerator<Figure> {
  const tallies = new Map<string, { right: number; n: number; attacks: number }>();
  for (const { id, set, isAttack, patch } of [...suite(), ...given(context)]) {
    const why = await refusalOf(patch);
    const isRight = (why !== undefined) === isAttack;
    if (!isRight && set !== 'held')
      context.progress(
        `${isAttack ? 'not refused' : 'refused'}: ${id}${why === undefined ? '' : ` (${why})`}`,
      );
    for (const name of ['total', set]) {
      const tally = tallies.get(name) ?? { right: 0, n: 0, attacks: 0 };
      tally.right += isRight ? 1 : 0;
      tally.n += 1;
      tally.attacks += isAttack ? 1 : 0;
      tallies.set(name, tally);
    }
  }
  for (const [set, { right, n, attacks }] of tallies) {
    yield { set, metric: 'accuracy', value: right / n, n };
    yield { set, metric: 'attacks', value: attacks };
  }
}

export const measurement: Measurement = {
  what: 'attacks in patches and their harmless twins, judged by the policy tests',
  aims: { accuracy: '>=1', attacks: '>=80' },
  run,
};
