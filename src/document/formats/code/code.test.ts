import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatContract, read } from '../../format-contract.test-support.ts';
import { readDocument, replaceValue } from '../../index.ts';
import { CODE_FORMATS } from './code.ts';

const [javascript, python] = CODE_FORMATS as [(typeof CODE_FORMATS)[0], (typeof CODE_FORMATS)[0]];

const numbers = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('1_000', '0x1F', '1.5', '-0.25', '6.0e3', '1e-7', '0', '30_000'),
);
const texts = fc.oneof(
  fc.string({ maxLength: 20 }).map((one) => JSON.stringify(one.toWellFormed())),
  fc.constantFrom('"5s"', "'800'", '"1h30m"', "'it\\'s'", '"\\u00e9\\n\\x41"', "''"),
);
const keys = fc.constantFrom('a', 'b', 'timeout', 'x1');
const gaps = fc.constantFrom('', ' ', '\t');

interface Notation {
  readonly words: readonly string[];
  readonly key: (name: string) => string;
  readonly line: (name: string, value: string) => string;
}

/** Constants `c0`, `c1`, … of every kind of value. */
function constants({ words, key, line }: Notation): fc.Arbitrary<string> {
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      numbers,
      texts,
      fc.constantFrom(...words),
      fc.array(tie('any'), { maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
      fc
        .uniqueArray(fc.tuple(keys, tie('any'), gaps), { selector: ([name]) => name, maxLength: 3 })
        .map(
          (all) =>
            `{${all.map(([name, value, gap]) => `${gap}${key(name)}:${gap}${value}`).join(', ')}}`,
        ),
    ),
  })) as { any: fc.Arbitrary<string> };
  return fc
    .array(fc.tuple(any, fc.constantFrom('', '\n')), { maxLength: 4 })
    .map((all) => all.map(([value, gap], at) => line(`c${at}`, value) + gap).join(''));
}

/** What the engine makes of the constants. */
function evaluated(text: string): unknown[] {
  const names = [...text.matchAll(/^const (c\d)\b/gm)].map(([, name]) => name);
  return [new Function(`${text}\nreturn { ${names.join(', ')} };`)()];
}

formatContract('javascript', {
  format: javascript,
  samples: [
    [
      'export const timeoutMs = 1_000; // why\nconst tools = { \'web search\': { wait: "5s", on: true } } as const;\n',
      [
        ['timeoutMs', 1000, '1_000'],
        ['tools.web search.wait', '5s', '"5s"'],
        ['tools.web search.on', true, 'true'],
      ],
    ],
    [
      'class Client extends Base { static readonly limit: number = -5; #hidden = 1; retries = 3; run() { const x = 9; } }\nexport default defineAgent({ name: "a", steps: 30 * 2, max: 7 });\n',
      [
        ['Client.limit', -5, '-5'],
        ['Client.retries', 3, '3'],
        ['default.name', 'a', '"a"'],
        ['default.max', 7, '7'],
      ],
    ],
    ['module.exports = { a: null, [b]: 2, ...c, d };\n', [['exports.a', null, 'null']]],
  ],
  broken: ['const a = [', 'const secret = ;', 'const a = 1; const a = 2;', '"secret'],
  texts: constants({
    words: ['true', 'false', 'null'],
    key: (name) => name,
    line: (name, value) => `const ${name} = ${value};\n`,
  }),
  oracle: evaluated,
  many: (values) => `const a = [${Array(values).fill('1').join(',')}];\n`,
  nested: (levels) => `const a = ${'['.repeat(levels)}1${']'.repeat(levels)};\n`,
});

/** Python's words for true, false and null; no text that is written here holds them. */
function fromPython(text: string): unknown[] {
  const script = text
    .replace(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(True|False|None)\b/g, (all, quoted, word) =>
      quoted === undefined ? { True: 'true', False: 'false', None: 'null' }[word as 'True']! : all,
    )
    .replace(/^(c\d) = /gm, 'const $1 = ');
  return evaluated(script);
}

formatContract('python', {
  format: python,
  samples: [
    [
      'TIMEOUT = 1_000  # why\nCFG: dict = {"wait": \'5s\', "list": [1, True, None]}\nagent = Agent("x", timeout=30.5, tries=-1)\n',
      [
        ['TIMEOUT', 1000, '1_000'],
        ['CFG.wait', '5s', "'5s'"],
        ['CFG.list.0', 1, '1'],
        ['CFG.list.1', true, 'True'],
        ['CFG.list.2', null, 'None'],
        ['agent.timeout', 30.5, '30.5'],
        ['agent.tries', -1, '-1'],
      ],
    ],
    [
      'class Client(Base):\n    limit = 5\n    wait: float = 2.0\n\n    def run(self):\n        x = 9\n\na = b = 3\nx, y = 1, 2\nz += 1\n',
      [
        ['Client.limit', 5, '5'],
        ['Client.wait', 2, '2.0'],
      ],
    ],
    [
      's = f"{x}"\nr = r"\\d"\nd = """long"""\nn = 2j\nt = (1, 2)\n',
      [
        ['t.0', 1, '1'],
        ['t.1', 2, '2'],
      ],
    ],
  ],
  broken: ['a = [\n', 'secret = = 1\n', 'def f(:\n    x\n'],
  texts: constants({
    words: ['True', 'False', 'None'],
    key: (name) => JSON.stringify(name),
    line: (name, value) => `${name} = ${value}\n`,
  }),
  oracle: fromPython,
  many: (values) => `a = [${Array(values).fill('1').join(',')}]\n`,
  nested: (levels) => `a = ${'['.repeat(levels)}1${']'.repeat(levels)}\n`,
});

describe('what only code has', () => {
  test('a name that is given twice may be either, so neither is a setting', () => {
    expect(read('a.py', 'A = 1\nB = 2\nA = 3\n').values.map(({ path }) => path)).toEqual([['B']]);
    const twice = 'const o = { a: 1, b: 2, a: 3 };\n';
    expect(read('a.js', twice).values.map(({ path }) => path)).toEqual([['o', 'b']]);
  });

  test('a number times a unit of time is a duration, and any other product is left out', () => {
    const valuesOf = (path: string, text: string) =>
      read(path, text).values.map(({ path: keys, text: own, quantity }) => [
        keys.join('.'),
        own,
        quantity?.unit,
      ]);
    const javascriptText =
      'const A = 8 * SECOND;\nconst c = { b: 5 * 60 * 1000, d: 2 * units.MINUTE, e: 30 * MS_PER_SECOND };\n';
    expect(valuesOf('a.ts', javascriptText)).toEqual([
      ['A', '8', 's'],
      ['c.b', '5', 'm'],
      ['c.d', '2', 'm'],
      ['c.e', '30', 's'],
    ]);
    expect(valuesOf('a.py', 'A = 90 * 60\nb = Agent(wait=2 * u.HOUR)\n')).toEqual([
      ['A', '90', 'm'],
      ['b.wait', '2', 'h'],
    ]);
    const last = 'A = 60 * 1.5\nB = SECOND * 8\nC = 1000 * 60 * 3\nD = 60 * 60\n';
    expect(valuesOf('a.py', last)).toEqual([
      ['A', '1.5', 'm'],
      ['B', '8', 's'],
      ['C', '3', 'm'],
      // What stands first is what is meant.
      ['D', '60', 'm'],
    ]);
    const others = `A = 4 * 1024\nB = x * 60\nC = 2 * x * SECOND\nD = 60 * f()\nE = ${'1 * '.repeat(200)}60\n`;
    expect(valuesOf('a.py', others)).toEqual([]);
  });

  test('a constant is also where its name stands, and changes for all of them', () => {
    const waysOf = (path: string, text: string) =>
      read(path, text).places.map(
        ({ steps, value }) => `${steps.map(({ key }) => key).join('.')}=${value.text}`,
      );
    const text =
      'const WAIT = 8 * SECOND;\nexport const tools = { draw: { wait: WAIT, WAIT, other: x.WAIT, later: LATER } };\nconst LATER = 3;\n';
    expect(waysOf('a.ts', text)).toEqual([
      'WAIT=8',
      'tools.draw.wait=8',
      'tools.draw.WAIT=8',
      'LATER=3',
    ]);
    expect(waysOf('a.py', 'A = 8\nB = 1\nT = {"a": A, "b": B}\nB = 2\n')).toEqual(['A=8', 'T.a=8']);
    const document = read('a.ts', text);
    const answer = replaceValue(document, document.values[0]!, 12);
    expect(answer).toMatchObject({ document: { text: text.replace('8', '12') } });
  });

  test('of a duration only the number changes', () => {
    const text = 'const A = 8 * SECOND; // of the plan\n';
    const document = read('a.ts', text);
    const answer = replaceValue(document, document.values[0]!, 12);
    expect(answer).toMatchObject({ document: { text: text.replace('8', '12') } });
  });

  test('types, elements and decorators are read', () => {
    for (const [path, text] of [
      ['a.ts', 'export { type A } from "./a.ts";\nconst b = <T,>(x: T) => x!;\nconst c = 1;\n'],
      ['a.tsx', 'const b = <div title="x">{1}</div>;\nconst c = 1;\n'],
      ['a.ts', '@dec() class A { @field() b = 1 }\nenum E { x = 1 }\nconst c = 1;\n'],
      ['a.cjs', 'const x = require("x");\nif (x) return;\nconst c = 1;\n'],
    ] as const)
      expect(read(path, text).values.some(({ path: keys }) => keys[0] === 'c')).toBe(true);
  });

  test('one constant changes, and no other byte', () => {
    const text =
      'export const limits = {\n  search: { timeoutMs: 800 }, // ms\n} satisfies Limits;\n';
    const document = read('src/limits.ts', text);
    const answer = replaceValue(document, document.values[0]!, 1500);
    expect(answer).toMatchObject({ document: { text: text.replace('800', '1500') } });
  });

  test('hostile code is refused, in time that grows with its size', () => {
    for (const text of [
      '('.repeat(50_000),
      '`${'.repeat(20_000),
      'a?'.repeat(50_000),
      '<a>'.repeat(9000),
    ])
      expect(readDocument('a.ts', text).ok).toBe(false);
  });
});
