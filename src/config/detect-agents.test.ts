import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FRESH, HELD_OUT, type LayoutCase, SEEN } from './detect-cases.test-support.ts';
import { detectProject } from './detect-project.ts';
import type { ReadOnlyTree } from './types.ts';

function treeOf(files: Readonly<Record<string, string>>): ReadOnlyTree {
  const below = (path: string) => (path === '' ? '' : `${path}/`);
  return {
    list: (path, max) => {
      const names = Object.keys(files).filter((one) => one.startsWith(below(path)));
      const entries = new Map(
        names.map((one) => {
          const [name, ...rest] = one.slice(below(path).length).split('/');
          return [name!, rest.length === 0 ? ('file' as const) : ('folder' as const)];
        }),
      );
      return [...entries].map(([name, kind]) => ({ name, kind })).slice(0, max);
    },
    read: (path, max) => files[path]?.slice(0, max),
  };
}

const found = async (files: Readonly<Record<string, string>>) =>
  (await detectProject(treeOf(files))).agentFiles;

describe.each([
  ['seen', SEEN],
  ['held out', HELD_OUT],
  ['fresh', FRESH],
] as const)('CONFIG-2: the agent files of a layout (%s)', (_, cases) => {
  test.each(cases.map((one) => [one.name, one] as const))(
    '%s',
    async (_name, layout: LayoutCase) => {
      const globs = await found({ ...layout.agents, ...layout.others });
      const isMatched = (path: string) => globs.some((glob) => posix.matchesGlob(path, glob));
      expect(Object.keys(layout.others).filter(isMatched)).toEqual([]);
      expect(Object.keys(layout.agents).filter((path) => !isMatched(path))).toEqual([]);
    },
  );
});

test('structure cannot tell a figure of a game from an agent: the list that hone init shows can', async () => {
  const npc = { model: 'orc_02', prompt: 'Press E to talk to him', tools: ['axe', 'bow'] };
  expect(await found({ 'assets/npc.json': JSON.stringify(npc) })).toEqual(['assets/*.json']);
});

describe('the globs', () => {
  const AGENT = 'system_prompt: You help people.\nmodel: gpt-4o\n';

  test('cover a folder where all of its kind are agents, else name the file, and never the root', async () => {
    expect(await found({ 'a/x.yaml': AGENT, 'a/y.yaml': AGENT, 'a/z.json': '{}' })).toEqual([
      'a/*.yaml',
    ]);
    expect(await found({ 'a/x.yaml': AGENT, 'a/y.yaml': 'port: 1\n' })).toEqual(['a/x.yaml']);
    expect(await found({ 'x.yaml': AGENT })).toEqual(['x.yaml']);
    expect(await found({ 'hone.yaml': AGENT, 'node_modules/a/agents/x.yaml': AGENT })).toEqual([]);
  });

  test('never become wider by a name that a glob cannot hold', async () => {
    expect(await found({ 'a/[x].yaml': AGENT, 'a/y.yaml': 'port: 1\n' })).toEqual([]);
    expect(await found({ 'a/[x].yaml': AGENT })).toEqual(['a/*.yaml']);
  });

  test('of agents/ with texts leave code and manifests there alone', async () => {
    expect(await found({ 'agents/a.md': '', 'agents/package.json': '{}' })).toEqual([
      'agents/**/*.md',
    ]);
    expect(await found({ 'packages/agents/README.md': '', 'packages/agents/x.ts': '' })).toEqual(
      [],
    );
  });
});

describe('hostile content', () => {
  const aliases = `a: &a [x,x]\n${[...'bcdefgh'].map((one, at) => `${one}: &${one} [${Array(9).fill(`*${'abcdefg'[at]}`)}]`).join('\n')}\n`;

  test.each([
    ['many aliases', 'agents/a.yaml', aliases],
    ['deep nesting', 'agents/a.json', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['deep nesting in YAML', 'agents/a.yaml', '['.repeat(30_000)],
    ['a prototype', 'agents/a.json', '{"__proto__":{"x":1}}'],
    [
      'a prototype in TOML',
      'agents/a.toml',
      '[__proto__]\nx = 1\n[constructor.prototype]\nx = 1\n',
    ],
    ['too many bytes', 'agents/a.yaml', `model: gpt-4o\n${'# x\n'.repeat(20_000)}`],
    ['no text of its kind', 'agents/a.json', '\u0000\ufffd{'],
  ])('%s is no agent and does no harm', async (_, path, text) => {
    expect(await found({ [path]: text })).toEqual([]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('however many files there are, a bounded number of bytes is read', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1500 }, (_, at) => [`agents/${at}.json`, `"${'x'.repeat(10_000)}"`]),
    );
    const tree = treeOf(files);
    let bytes = 0;
    const read = (path: string, max: number) => {
      const text = tree.read(path, max);
      bytes += text?.length ?? 0;
      return text;
    };
    expect((await detectProject({ ...tree, read })).agentFiles).toEqual([]);
    expect(bytes).toBeLessThan(1024 * 1024 + 64 * 1024);
  });
});
