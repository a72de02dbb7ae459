import { describe, expect, test } from 'vitest';
import { type EvidenceCase, harmless, invalidating } from './evidence-cases.test-support.ts';
import { judgingTouch } from './judging.ts';
import { type Files, makeTarget, touchedBy } from './validate.test-support.ts';

const titleOf = ({ path, movedFrom, commands, after, heldOut }: EvidenceCase) =>
  [
    heldOut ? 'held out' : 'seen',
    movedFrom === undefined ? path : `${movedFrom} to ${path}`,
    ...(commands ?? []).map((words) => `(${words.join(' ')})`),
    after?.replace(/\s+/g, ' ') ?? '',
  ].join(' ');

async function reasonFor(one: EvidenceCase, more: Files = {}): Promise<string | undefined> {
  const { path, movedFrom, before = 'a: 1\n', after = 'a: 2\n', commands = [] } = one;
  const from = movedFrom ?? path;
  const target = await makeTarget(
    { ...more, [from]: before },
    movedFrom === undefined ? { [path]: after } : { [from]: null, [path]: after },
  );
  return judgingTouch(await touchedBy(target), {
    base: target.base,
    repository: target.repository,
    commands,
    evidence: 'replay',
    agentFiles: ['agents/**'],
  });
}

describe('VAL-6: a change that touches its judge proves nothing', () => {
  test.each(invalidating.map((one) => [titleOf(one), one] as const))('%s', async (_, one) => {
    expect(await reasonFor(one)).toContain('(rule 10)');
  });
});

describe('VAL-6: a change beside its judges keeps its evidence', () => {
  test.each(harmless.map((one) => [titleOf(one), one] as const))('%s', async (_, one) => {
    expect(await reasonFor(one)).toBeUndefined();
  });
});

describe('what a change can hide behind', () => {
  const npm = (scripts: Record<string, string>) => ({
    'package.json': `${JSON.stringify({ scripts })}\n`,
  });
  const run = (path: string, command: string[], more: Files = {}) =>
    reasonFor({ path, commands: [command], heldOut: false }, more);

  test('a script of the package, and the scripts it calls', async () => {
    const scripts = npm({
      'test:all': 'npm run -s score -- --strict',
      score: 'node lib/score.mjs',
      prescore: 'lib/prepare.sh',
      other: 'node lib/other.mjs',
    });
    for (const path of ['lib/score.mjs', 'lib/prepare.sh'])
      expect(await run(path, ['npm', 'run', 'test:all'], scripts)).toContain('the replay runs');
    expect(await run('lib/other.mjs', ['npm', 'run', 'test:all'], scripts)).toBeUndefined();
  });

  test('scripts that call each other in circles end', async () => {
    const scripts = npm({ test: 'npm run again', again: 'npm test && lib/a.sh' });
    expect(await run('lib/a.sh', ['npm', 'test'], scripts)).toContain('the replay runs');
  });

  test.each<[string, string, string[], Record<string, string>]>([
    ['a program without an ending', 'verify', ['sh', 'verify'], {}],
    ['the same behind a script', 'verify', ['npm', 'test'], { test: './verify' }],
    ['a module right behind its flag', 'marks/__main__.py', ['python3', '-mmarks'], {}],
    ['a program that is named without its ending', 'ops/run.mjs', ['node', 'ops/run'], {}],
    [
      'scripts that are called by a pattern',
      'lib/marks.js',
      ['npm', 'test'],
      { test: 'run-s check:*', 'check:all': 'node lib/marks.js' },
    ],
  ])('%s', async (_, path, command, scripts) => {
    expect(await run(path, command, npm(scripts))).toContain('rule 10');
  });

  test('words that commands are given make no judges of what has such an ending, or lies in such a folder', async () => {
    const command = ['npm', 'run', 'check', '--', 'verify', 'lib/'];
    for (const path of ['src/verify.js', 'verify/a.js', 'config/lib.yaml', 'marks.py'])
      expect(await run(path, command, npm({ check: 'lint:* check' }))).toBeUndefined();
  });

  test('an agent file that the command is given is its subject, the program never is', async () => {
    const command = ['agents/run.sh', '--agent', 'agents/a.yaml', '--sessions', 'data/a.jsonl'];
    expect(await run('agents/a.yaml', command)).toBeUndefined();
    expect(await run('data/a.jsonl', command)).toContain('the replay is given');
    expect(await run('agents/run.sh', command)).toContain('the replay runs');
  });

  test('a manifest is read by its fields, and unreadable it judges', async () => {
    const one = (before: string, after: string) =>
      reasonFor({ path: 'a/Package.JSON', before, after, heldOut: false });
    expect(await one('{"description":"a"}', '{"description":"b"}')).toBeUndefined();
    expect(await one('{"version":"1.0.0"}', '{"version":"1.0.1"}')).toBeUndefined();
    for (const after of [
      '{"type":"module"}',
      '{"description":"a","bin":"x"}',
      '{"description":"a","c8":{"lines":0}}',
      '{"description":"a","description":"b"}',
      '[]',
      '{',
    ])
      expect([after, await one('{"description":"a"}', after)]).toEqual([
        after,
        expect.stringContaining('rule 10'),
      ]);
  });
});

describe('VAL-6: a declared file whose name says that it judges', () => {
  const gate = 'agents/toll/gate.yaml';
  const config = { 'eval/promptfoo.yaml': 'assert: file://agents/toll/gate.yaml\n' };

  test('keeps its evidence, unless what the commands are given names it', async () => {
    const run = (...command: string[]) =>
      reasonFor({ path: gate, commands: [command], heldOut: false }, config);
    expect(await run('node', 'run.mjs')).toBeUndefined();
    expect(await run('node', 'run.mjs', '--agent', gate)).toBeUndefined();
    expect(await run('promptfoo', '-c', 'eval/promptfoo.yaml')).toContain('the replay is given');
  });

  test('a target of a Makefile is followed, another is not', async () => {
    const makefile = { Makefile: 'check: all\n\tpython lib/marks.py\n\nrun:\n\tlib/run.sh\n' };
    const run = (path: string) =>
      reasonFor({ path, commands: [['make', 'check']], heldOut: false }, makefile);
    expect(await run('lib/marks.py')).toContain('the replay runs');
    expect(await run('lib/run.sh')).toBeUndefined();
  });
});

describe('a link of a judge', () => {
  const links: Readonly<Record<string, string>> = {
    tests: 'quality',
    'lib/golden.json': '../data/wanted.json',
    evals: 'nowhere/../deep/er/',
    docs: 'texts',
    specs: '/etc',
    golden: '../outside',
    mocks: 'near',
    near: 'far',
    self: '.',
  };
  const throughLinks = async (path: string, commands: string[][] = []) => {
    const target = await makeTarget({ [path]: 'a\n' }, { [path]: 'b\n' });
    const { base, repository } = target;
    return judgingTouch(await touchedBy(target), {
      base,
      repository: {
        readFile: repository.readFile.bind(repository),
        readLink: async (_, at) => links[at],
        listFiles: async () =>
          Object.keys(links).map((at) => ({ path: at, kind: 'symlink', sizeBytes: 1 })),
      },
      commands,
      evidence: 'replay',
      agentFiles: [],
    });
  };

  test.each(['quality/a.py', 'Quality/b/c.py', 'data/wanted.json', 'deep/er/x'])(
    '%s judges through it',
    async (path) => {
      expect(await throughLinks(path)).toContain('by the link');
    },
  );

  test.each(['texts/a.md', 'etc/a', 'outside/a', 'data/other.json', 'x/quality/a.py'])(
    '%s does not',
    async (path) => {
      expect(await throughLinks(path)).toBeUndefined();
    },
  );

  test('a link that the command names, or goes through', async () => {
    expect(await throughLinks('texts/a.md', [['node', 'run.mjs', 'docs/']])).toContain('is given');
    expect(await throughLinks('texts/run.mjs', [['node', 'docs/run.mjs']])).toContain('runs');
    expect(await throughLinks('texts/a.md', [['node', 'docs/run.mjs']])).toBeUndefined();
  });

  test('a link to a link, and one to its own folder', async () => {
    expect(await throughLinks('far/a.txt')).toContain('by the link "mocks/a.txt"');
    expect(await throughLinks('plain.txt')).toBeUndefined();
  });
});
