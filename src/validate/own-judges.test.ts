import { describe, expect, test } from 'vitest';
import { unit } from './modes/unit/unit.ts';
import { readOf } from './own-judges.ts';
import {
  type Files,
  modeCase,
  type ScriptedRun,
  SETTINGS,
  scriptedRunner,
  touched,
} from './validate.test-support.ts';

const AGENT = 'agents/search.yaml';
const DATA = 'service/answers.json';
const CODE = 'service/compare.js';
const never = new AbortController().signal;

const BASE: Files = {
  [AGENT]: 'n: 1\n',
  [DATA]: '{"a":1}\n',
  [CODE]: 'one()\n',
  'docs/use.md': 'a\n',
};
const TUNED = { [AGENT]: 'n: 2\n' };
const EASIER = { [DATA]: '{"a":2}\n' };

interface Judged {
  readonly after: Files;
  /** What the command reads on the base; what the candidate's runs read is what the files say. */
  readonly read?: readonly string[];
  readonly passes?: (files: ReadonlyMap<string, string>) => boolean;
}

/** The tests of the target, which pass on the base. */
async function judged({ after, read = [AGENT, DATA, CODE], passes = () => true }: Judged) {
  const ran: ScriptedRun[] = [];
  const seen: ReadonlyMap<string, string>[] = [];
  const { change, ports } = await modeCase(BASE, after, ({ repository, base }) => ({
    settings: { ...SETTINGS, test: ['npm', 'test'] },
    runner: {
      ...scriptedRunner(() => ({})),
      async open({ commit }) {
        const files = new Map<string, string>();
        for (const { path } of await repository.listFiles(commit, ''))
          files.set(path, Buffer.from((await repository.readFile(commit, path))!).toString());
        seen.push(files);
        const runner = scriptedRunner((run) => {
          ran.push(run);
          const watched = run.command.watched ?? [];
          return {
            exitCode: commit === base || passes(files) ? 0 : 1,
            read: new Set(watched.filter((path) => read.includes(path))),
          };
        });
        return runner.open({ commit, base }, never);
      },
    },
  }));
  const verdict = await unit.judge(change, ports, never);
  if ('pending' in verdict) throw new Error('it waits');
  return { ...verdict, runs: ran.length, last: seen.at(-1)! };
}

describe('VAL-6 what the commands really read of a change', () => {
  test('an agent’s file alone is the subject, and run once', async () => {
    expect(await judged({ after: TUNED })).toMatchObject({ verdict: 'passed', runs: 3 });
  });

  test('data that they read beside it is put back, and the verdict is kept', async () => {
    const { verdict, runs, reasons, last } = await judged({ after: { ...TUNED, ...EASIER } });
    expect([verdict, runs]).toEqual(['passed', 6]);
    expect(reasons.at(-1)).toBe(`The verdict is the same with the base’s own "${DATA}".`);
    expect([last.get(AGENT), last.get(DATA)]).toEqual(['n: 2\n', '{"a":1}\n']);
  });

  test.each([
    ['data', DATA, EASIER],
    ['a program', CODE, { [CODE]: 'two()\n' }],
    ['a file that was not there', 'service/more.json', { 'service/more.json': '{}\n' }],
  ])('a change that passes only with its own %s proves nothing', async (_, path, own) => {
    const { verdict, reasons, unjudged } = await judged({
      after: { ...TUNED, ...own },
      read: [AGENT, path],
      passes: (files) => files.get(path) === Object.values(own)[0],
    });
    expect([verdict, unjudged]).toEqual(['inconclusive', 'touches_judge']);
    expect(reasons[0]).toMatch(
      `It is proven only together with its own "${path}", which the command reads`,
    );
  });

  test('data alone is what they may measure by; where they do not read it, it is not', async () => {
    const alone = await judged({ after: EASIER });
    expect([alone.verdict, alone.runs]).toEqual(['inconclusive', 3]);
    expect(alone.reasons[0]).toContain(`"${DATA}"`);
    const beside = { ...EASIER, 'docs/use.md': 'b\n' };
    expect(await judged({ after: beside })).toMatchObject({ verdict: 'inconclusive', runs: 3 });
    expect(await judged({ after: { 'docs/use.md': 'b\n' } })).toMatchObject({
      ...{ verdict: 'passed', runs: 3 },
    });
    const added = await judged({ after: { 'docs/new.md': 'b\n' } });
    expect(added.verdict).toBe('passed');
    expect(added.reasons.at(-1)).toContain('The command read none of the files that the change');
  });

  test('code is what tests test: it is not put back, but the data beside it is', async () => {
    const code = { [CODE]: 'two()\n' };
    expect(await judged({ after: code })).toMatchObject({ verdict: 'passed', runs: 3 });
    const both = await judged({
      after: { ...code, ...EASIER },
      passes: (files) => files.get(DATA) === EASIER[DATA],
    });
    expect(both.verdict).toBe('inconclusive');
    expect(both.last.get(CODE)).toBe('two()\n');
  });

  test('a change that fails fails, whatever it brings along', async () => {
    const { verdict, runs } = await judged({
      after: { ...TUNED, ...EASIER },
      passes: () => false,
    });
    expect([verdict, runs]).toEqual(['failed', 4]);
  });

  test('what is not known counts as read; of data alone the candidate’s run is believed', async () => {
    const paths = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);
    const unknown = { onBase: undefined, onCandidate: undefined };
    const none = { onBase: new Set<string>(), onCandidate: new Set<string>() };
    const both = await touched(BASE, { ...TUNED, ...EASIER });
    expect(paths(readOf(both, unknown, ['agents/**']).judges)).toEqual([DATA]);
    expect(paths(readOf(both, none, ['agents/**']).judges)).toEqual([]);
    const added = await touched(BASE, { 'service/new.json': '{}\n' });
    expect(paths(readOf(added, none, ['agents/**']).judges)).toEqual([]);
    const withCode = await touched(BASE, { 'service/new.json': '{}\n', [CODE]: 'two()\n' });
    expect(paths(readOf(withCode, none, ['agents/**']).judges)).toEqual(['service/new.json']);
  });
});
