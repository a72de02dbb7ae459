import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryRepository, type TargetRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import { readSettings } from './index.ts';
import { settingsOf } from './settings-of.ts';
import type { Setting } from './types.ts';

const GLOBS = ['agents/**', 'config/?.json'];

async function read(files: Record<string, string | Uint8Array>, globs: readonly string[] = GLOBS) {
  const repository = memoryRepository();
  const commit = await commitFiles(repository, undefined, files);
  return readSettings(repository, commit, globs);
}

function settings(text: string, file = 'a.yaml'): readonly Setting[] {
  const found = settingsOf(file, text);
  if ('refused' in found) throw new Error(found.refused);
  return found.settings;
}

const numbers = (text: string) => settings(text).filter(({ value }) => typeof value === 'number');

const brief = (text: string) =>
  numbers(text).map(({ path, value, line, start, end }) => [
    path.join('.'),
    value,
    line,
    text.slice(start, end),
  ]);

describe('settings of the target', () => {
  test('are the values of YAML and JSON files that match a glob', async () => {
    const found = await read({
      'agents/a.yaml': 'timeout_ms: 800\n',
      'agents/deep/b.yml': 'tools:\n  - waitSeconds: 2.5\n',
      'config/c.json': '{\n\t"retries": 3\n}\n',
      'config/long.json': '{"retries": 9}',
      'agents/notes.md': 'timeout_ms: 1',
      'other/d.yaml': 'timeout_ms: 1',
    });
    expect(found.problems).toEqual([]);
    expect(found.settings).toMatchObject([
      { file: 'agents/a.yaml', line: 1, path: ['timeout_ms'], value: 800, unit: 'ms' },
      { file: 'agents/deep/b.yml', line: 2, path: ['tools', '0', 'waitSeconds'], unit: 's' },
      { file: 'config/c.json', line: 2, path: ['retries'], value: 3, unit: null },
    ]);
  });

  test('keep the words around them: names in the path, and what the document calls itself', () => {
    const text =
      'name: researcher\ntools:\n  - name: web_search\n    limits: { timeout_ms: 800 }\n';
    expect(numbers(text)).toMatchObject([
      {
        documentName: 'researcher',
        steps: [
          { key: 'tools', name: null },
          { key: '0', name: 'web_search' },
          { key: 'limits', name: null },
          { key: 'timeout_ms', name: null },
        ],
      },
    ]);
  });

  test('have exact places under a byte order mark, CRLF, comments and several documents', () => {
    const text =
      '\uFEFFa: 1 # one\r\nb:\r\n  - 22   # two\r\n---\r\n{"c": 333, "d": [4.5]}\r\n...\r\n---\r\ne: 6';
    expect(brief(text)).toEqual([
      ['a', 1, 1, '1'],
      ['b.0', 22, 3, '22'],
      ['c', 333, 5, '333'],
      ['d.0', 4.5, 5, '4.5'],
      ['e', 6, 8, '6'],
    ]);
  });

  test.each([
    ['1e3', 1000],
    ['0x10', 16],
    ['0o17', 15],
    ['.5', 0.5],
    ['-1', -1],
    ['+7', 7],
    ['1_000', 1000],
    ['10s', 10],
    ['1h30m', 90],
    ['"5s"', 5],
  ])('%s is a number', (source, value) => {
    expect(brief(`a: ${source}\n`)).toEqual([['a', value, 1, source]]);
  });

  test.each([
    '"0800"',
    "'1234567890'",
    '.nan',
    '.inf',
    '-.inf',
    '1:30',
    '!!int "3"',
    '!!float 3',
    '5 MB',
    '2d',
    '017s',
    '~',
  ])('%s is none', (source) => {
    expect(brief(`a: ${source}\n`)).toEqual([]);
  });

  test('are texts, true and false too, but no prompts and nothing without a value', () => {
    const text = `model: gpt-5\nstrict: true\nzip: "08001"\nnone:\nprompt: ${'x '.repeat(2000)}\n`;
    expect(settings(text).map(({ path, value, unit }) => [path[0], value, unit])).toEqual([
      ['model', 'gpt-5', null],
      ['strict', true, null],
      ['zip', '08001', null],
    ]);
  });

  test.each([
    ['10s', 's'],
    ['500ms', 'ms'],
    ['10m', 'min'],
    ['1h30m', 'min'],
    ['"2h"', 'h'],
  ])('%s has its unit with it', (source, unit) => {
    expect(settings(`wait_ms: ${source}\n`)).toMatchObject([{ unit }]);
    expect(
      settings(`{"wait": ${JSON.stringify(source.replaceAll('"', ''))}}`, 'a.json'),
    ).toMatchObject([{ unit }]);
  });

  test('of a merge key are asked for by the map around it, unless that has its own', () => {
    const text = 'x: &x { a_ms: 1, b_ms: 2 }\ntools:\n  t: { <<: *x, b_ms: 3 }\n';
    expect(
      settings(text).map(({ steps, value }) => [steps.map(({ key }) => key).join('.'), value]),
    ).toEqual([
      ['x.a_ms', 1],
      ['x.b_ms', 2],
      ['tools.t.b_ms', 3],
      ['tools.t.a_ms', 1],
    ]);
  });

  test('behind an alias stand where the anchor is, under the name that leads there', () => {
    const text =
      'defaults: &d\n  timeout_ms: 800\ntools:\n  search: *d\n  fetch: { timeout_ms: &t 5 }\n  crawl: { timeout_ms: *t }\n';
    const found = numbers(text).map(({ path, line, steps }) => [
      path.join('.'),
      line,
      steps.map(({ key }) => key).join('.'),
    ]);
    expect(found).toEqual([
      ['defaults.timeout_ms', 2, 'defaults.timeout_ms'],
      ['defaults.timeout_ms', 2, 'tools.search.timeout_ms'],
      ['tools.fetch.timeout_ms', 5, 'tools.fetch.timeout_ms'],
      ['tools.fetch.timeout_ms', 5, 'tools.crawl.timeout_ms'],
    ]);
  });

  test('an alias means the last anchor of its name above it', () => {
    expect(brief('a: &x 1\nb: &x 2\nc: *x\n').map(([path]) => path)).toEqual(['a', 'b', 'b']);
    // What an alias leads to is not written again there.
    const nested = 'a: &x [&y 1]\nb: &y 2\nc: *x\nd: *y\n';
    expect(brief(nested).map(([path]) => path)).toEqual(['a.0', 'b', 'a.0', 'b']);
  });

  test.each([
    ['timeout_ms', 'ms'],
    ['timeoutMs', 'ms'],
    ['timeout-milliseconds', 'ms'],
    ['wait_s', 's'],
    ['WAIT_SECONDS', 's'],
    ['deadlineMinutes', 'min'],
    ['ttl_hours', 'h'],
    ['ms', 'ms'],
    ['timeouts', null],
    ['items', null],
    ['constructor', null],
  ])('the unit of %s is %s', (key, unit) => {
    expect(numbers(`${key}: 1\n`)).toMatchObject([{ unit }]);
  });

  test('the source range cuts exactly the number out, whatever is around it', () => {
    const key = fc.stringMatching(/^[a-z]{1,5}$/);
    const line = fc.record({
      key,
      number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      comment: fc.constantFrom('', ' # é 1', '   # x: 2', '\t'),
      end: fc.constantFrom('\n', '\r\n', '\n\n# c\n'),
    });
    const lines = fc.uniqueArray(line, { selector: (one) => one.key, maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.boolean(), (all, mark) => {
        const body = all.map(
          ({ key: k, number, comment, end }) => `${k}: ${number}${comment}${end}`,
        );
        const text = (mark ? '\uFEFF' : '') + body.join('');
        const found = brief(text);
        expect(found.map(([path, value, , source]) => [path, value, source])).toEqual(
          all.map(({ key: k, number }) => [k, Number(String(number)), String(number)]),
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe('hostile files', () => {
  const bomb = `a: &a [1, 2]\n${'bcdefghij'
    .split('')
    .map((name, at) => `${name}: &${name} [${`*${'abcdefghij'[at]}, `.repeat(9)}]`)
    .join('\n')}\n`;

  test.each([
    ['an alias bomb', bomb, /more than 200000 values, counting aliases/],
    ['an alias of itself', 'a: &a [*a]\n', /^line 1: an alias refers/],
    ['an alias without anchor', 'a: *b\n', /^line 1: an alias has no anchor/],
    ['a broken file', 'a: [1\nb: 2\n', /^line \d: expected a closing/],
    ['equal keys', 'a: 1\nb: 2\na: 3\n', /^line 3: a key appears twice/],
    ['a key that is a list', '? [1, 2]\n: 3\n', /^line 1: a key is not a plain string/],
    ['a very long key', `${'k'.repeat(500)}: 1\n`, /key of more than 200/],
    ['deep lists', `${'['.repeat(100)}1${']'.repeat(100)}`, /nested too deeply/],
    ['very deep lists', '['.repeat(20_000), /expected|nested/],
  ])('%s is refused', (_, text, why) => {
    expect(settingsOf('a.yaml', text)).toEqual({ refused: expect.stringMatching(why) });
  });

  test('thousands of errors or keys cost no more than their number', () => {
    // Quadratic, these took minutes; linear, a fraction of a second.
    expect(settingsOf('a.yaml', `[${','.repeat(50_000)}]`)).toHaveProperty('refused');
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: ${at}`).join('\n');
    expect(numbers(keys)).toHaveLength(20_000);
  });

  test('become sentences, and the other files are read all the same', async () => {
    const found = await read({
      'agents/a.yaml': 'a: [1',
      'agents/b.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xff]),
      'agents/c.yaml': 'c: 1',
      'agents/d.yaml': `# ${'x'.repeat(1024 * 1024)}`,
      'agents/e.yaml': '',
    });
    expect(found.settings).toMatchObject([{ file: 'agents/c.yaml' }]);
    expect(found.problems).toEqual([
      'The file agents/d.yaml was not read: it is larger than 1048576 bytes.',
      expect.stringMatching(
        /^The file agents\/a\.yaml was not read: line 1: expected a closing .*\.$/,
      ),
      'The file agents/b.yaml was not read: it is not UTF-8 text.',
    ]);
  });

  test('a name that nobody could read is not read, and not repeated as it is', async () => {
    const repository = {
      listFiles: async () => [
        { path: 'agents/a\u202egpj.yaml', kind: 'file', sizeBytes: 5 },
        { path: `agents/${'x'.repeat(500)}.yaml`, kind: 'file', sizeBytes: 5 },
        { path: 'agents/link.yaml', kind: 'symlink', sizeBytes: 5 },
        { path: 'agents/gone.yaml', kind: 'file', sizeBytes: 5 },
        { path: 'agents/away.yaml', kind: 'file', sizeBytes: 5 },
      ],
      readFile: async (_, path) => {
        if (path.includes('away')) throw new Error('disk\u001b[31m on fire');
        return undefined;
      },
    } satisfies Pick<TargetRepository, 'listFiles' | 'readFile'>;
    const { settings, problems } = await readSettings(repository, 'c', GLOBS);
    expect(settings).toEqual([]);
    expect(problems).toHaveLength(4);
    expect(problems.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(problems.join('\n')).toContain('disk [31m on fire');
  });

  test('there is a limit on files, on their size together and on values', async () => {
    const many = (count: number, sizeBytes: number) => ({
      listFiles: async () =>
        Array.from({ length: count }, (_, at) => ({
          path: `agents/${at}.yaml`,
          kind: 'file' as const,
          sizeBytes,
        })),
      readFile: async () => Buffer.from('[1, 2]'),
    });
    const files = await readSettings(many(600, 6), 'c', GLOBS);
    expect(files.settings).toHaveLength(1000);
    expect(files.problems).toEqual(['Of 600 agent files the first 500 were read.']);
    const size = await readSettings(many(10, 1024 * 1024), 'c', GLOBS);
    expect(size.settings).toHaveLength(16);
    expect(size.problems[0]).toMatch(/larger than 8388608 bytes/);
    const list = Buffer.from(`[${'1,'.repeat(15_000)}]`);
    const wide = { ...many(4, 6), readFile: async () => list };
    const valuesMax = await readSettings(wide, 'c', GLOBS);
    expect(valuesMax.settings).toHaveLength(50_000);
    expect(valuesMax.problems[0]).toMatch(/50000 values or more/);
  });
});
