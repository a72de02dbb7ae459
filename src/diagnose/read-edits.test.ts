import { expect, test } from 'vitest';
import { memoryRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import { readEdits } from './read-edits.ts';

async function editsOf(old: Record<string, string>, now: Record<string, string>) {
  const repository = memoryRepository();
  const first = await commitFiles(repository, undefined, old);
  const second = await commitFiles(repository, first, now);
  const commit = { id: second, title: '', atMs: 5, paths: Object.keys(now) };
  return { repository, commit, first, edits: await readEdits(repository, [commit]) };
}

test('commits are read value by value, texts as texts, and what cannot be read is left out', async () => {
  const { repository, commit, first, edits } = await editsOf(
    { 'a.yaml': 'a: 1\nb: x\n', 'p.md': 'one\ntwo\n', 'code.py': 'x = 1\n' },
    { 'a.yaml': 'a: 2\nb: x\n', 'p.md': 'one\nthree\n', 'code.py': 'x = 2\n' },
  );
  expect(edits).toMatchObject([
    { kind: 'value', path: ['a'], before: 1, after: 2, commit: commit.id, parent: first },
    { kind: 'text', file: 'p.md', line: 2 },
    { kind: 'value', file: 'code.py', path: ['x'], before: 1, after: 2 },
  ]);
  expect(await readEdits(repository, [{ ...commit, id: 'f'.repeat(40) }])).toEqual([]);
});

test.each([
  ['a.yaml', 'hold: "45s"\n', 'hold: 45\n', '45s', 45],
  ['a.yaml', 'hold: 2m\n', 'hold: 2s\n', '2m', 2],
  ['a.json', '{ "hold": "1m30s" }', '{ "hold": "90" }', '1m30s', 90],
  ['a.toml', 'hold = 30\n', 'hold = "30s"\n', '30', 30],
  ['a.py', 'HOLD = "2 min"\n', 'HOLD = "2 s"\n', '2 min', 2],
  ['a.ts', "const HOLD = '800';\n", 'const HOLD = 800;\n', '800', 800],
])('a unit or quotes that were lost are a change: %s %s', async (file, old, now, before, after) => {
  const { edits } = await editsOf({ [file]: old }, { [file]: now });
  expect(edits).toMatchObject([{ kind: 'value', before, after }]);
});

test('lines that are no value of before: a key of another name, an item, a part of a program', async () => {
  const { edits } = await editsOf(
    {
      'a.toml': '[map]\npatience_s = 20\n',
      'b.yaml': 'tools:\n  - search\n  - read\n',
      'c.ts': 'export function run() {\n  go();\n}\n',
    },
    {
      'a.toml': '[map]\npatience_ms = 20\n',
      'b.yaml': 'tools:\n  - read\n',
      'c.ts': 'export function run() {\n}\n',
    },
  );
  expect(edits).toMatchObject([
    { kind: 'lines', file: 'a.toml', line: 2, settings: [{ value: 20 }, { value: 20 }] },
    { kind: 'lines', file: 'b.yaml', line: 2 },
    { kind: 'lines', file: 'c.ts', line: 2, words: new Set(['go']), settings: [] },
  ]);
});

test('a key of another name is a change of the values below it, also in the head of a text and beside a changed value', async () => {
  const old = '---\ntitle: A\nwaits:\n  map: 25s\n  mail: 6s\ntries: 2\n---\nYou answer.\n';
  const edits = async (from: string, to: string, text = old, file = 'a.md') =>
    (await editsOf({ [file]: text }, { [file]: text.replace(from, to) })).edits;
  const settings = [
    { path: ['waits', 'map'] },
    { path: ['waits', 'mail'] },
    { path: ['holds', 'map'] },
    { path: ['holds', 'mail'] },
  ];
  const whole = await edits('waits:', 'holds:');
  expect(whole).toMatchObject([{ kind: 'lines', line: 3, settings }]);
  expect(whole[0]).not.toHaveProperty('lines');
  expect(await edits('A\nwaits:', 'B\nholds:')).toMatchObject([
    { kind: 'value', path: ['title'], before: 'A', after: 'B' },
    { kind: 'lines', line: 3, lines: 1, settings },
  ]);
  const toml = 'title = "A"\n[waits]\nmap = 25\n';
  expect(await edits('[waits]', '[holds]', toml, 'a.toml')).toMatchObject([
    { kind: 'lines', line: 2, settings: [{ path: ['waits', 'map'] }, { path: ['holds', 'map'] }] },
  ]);
  // What is said to the agent is a text still; where lines came or went beside a value, only the value is known.
  expect(await edits('answer', 'ask')).toMatchObject([{ kind: 'text', line: 8 }]);
  expect(await edits('A\nwaits:', 'B\nmood: x\nholds:')).toMatchObject([{ kind: 'value' }]);
});

test('comments, blanks and another form of the same values change nothing', async () => {
  const { edits } = await editsOf(
    { 'a.yaml': '# old\na: { b: 1 }\n', 'c.py': 'x = 1\n', 'd.yaml': "m: 'x'\n" },
    { 'a.yaml': '# new\na:\n  b: 1\n', 'c.py': '# why\n\nx = 1\n', 'd.yaml': 'm: "x"\n' },
  );
  expect(edits).toEqual([]);
});

test('a list in another order with one new item changed only by that', async () => {
  const list = (...items: string[]) => ({
    'a.yaml': `tools:\n${items.map((one) => `  - ${one}\n`).join('')}`,
  });
  const of = async (...items: string[]) =>
    (await editsOf(list('scale', 'photo', 'map'), list(...items))).edits;
  expect(await of('map', 'photo', 'scales')).toMatchObject([
    { kind: 'value', path: ['tools', '2'], before: 'scale', after: 'scales' },
  ]);
  // The order itself may be what broke something.
  expect(await of('map', 'photo', 'scale')).toHaveLength(2);
  // Nobody knows which of two was which: place by place.
  expect(await of('maps', 'photo', 'scales')).toHaveLength(2);
  expect(await of('photo', 'map', 'scale', 'scales')).not.toMatchObject([{ kind: 'value' }]);
});
