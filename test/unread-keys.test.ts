/**
 * CONFIG-1: a key of `hone.yaml` that nothing reads does not exist.
 *
 * The type checker says what is read. In a copy of the sources the sections' types lose every key, so each place
 * that reads one no longer compiles, and the error names the key and, by a mark in the type, its section. Keys that
 * were found are put back and it is checked again, because one error can hide another. A key with the same name in
 * another section, a word in a text or a comment does not count.
 *
 * What it can miss: a key that is passed on with its whole section to an interface that asks for it, and that
 * nothing behind the interface uses. What counts as no reading: a spread, a digest, JSON.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { composeSections, leavesOf } from '../src/config/index.ts';
import { honeSections } from '../src/loop/sections.ts';

const root = new URL('../', import.meta.url).pathname;
const keys = leavesOf(composeSections(honeSections)).map(({ path }) => path.join('.'));

/** What `section()` gives in the copy: groups stay, keys go, and a mark says which section it was. */
const WITHOUT_KEYS = `
type Without<S extends Shape, P extends string> = z.ZodObject<
  {
    -readonly [K in keyof S & string as S[K] extends InnerGroup
      ? K
      : \`\${P}.\${K}\` extends Seen
        ? K
        : never]: S[K] extends z.ZodPrefault<z.ZodObject<infer G extends Shape, z.core.$strict>>
      ? z.ZodPrefault<Without<G, \`\${P}.\${K}\`>>
      : S[K];
  } & { [M in \`in \${P}\`]: z.ZodType<Marked> },
  z.core.$strict
>;
type InnerGroup = z.ZodPrefault<z.ZodObject<Shape, z.core.$strict>>;
interface Marked {
  readonly marked: true;
}
`;

const GIVES = '): Section<K, Group<S>> {';
const MADE = 'return { key, title, schema: strict(shape) };';

/** The errors of the sources without the keys, but for those that were seen to be read. */
function errorsWithout(folder: string, seen: ReadonlySet<string>): string {
  const fields = readFileSync(join(root, 'src/config/fields.ts'), 'utf8');
  expect([fields.includes(GIVES), fields.includes(MADE)]).toEqual([true, true]);
  const words = [...seen].map((key) => `'${key}'`).join(' | ') || 'never';
  const changed = fields
    .replace(GIVES, '): Section<K, Without<S, K>> {')
    .replace(MADE, `${MADE.slice(0, -1)} as never;`);
  writeFileSync(
    join(folder, 'src/config/fields.ts'),
    `${changed}${WITHOUT_KEYS}type Seen = ${words};\n`,
  );
  const tsc = join(root, 'node_modules/typescript/lib/tsc.js');
  // What the change of the sections does not reach is checked once. Several checkers repeat each other's work.
  const given = [tsc, '-p', folder, '--pretty', 'false', '--noErrorTruncation', '--checkers', '1'];
  const ran = spawnSync(process.execPath, given, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return ran.stdout;
}

/** The sections that a printed type is, not those that it has somewhere inside. */
function sectionsOf(type: string): string[] {
  let flat = type;
  for (let before = ''; before !== flat; ) {
    before = flat;
    flat = flat.replace(/(?<=\{[^{}]*)\{[^{}]*\}/g, '');
  }
  return [...flat.matchAll(/"in ([\w.]+)"/g)].map(([, section]) => section!);
}

/** One error a line: the key that is not there, or those that an interface asks for. */
function readKeys(errors: string): string[] {
  return errors.split('\n').flatMap((line) => {
    const absent = /Property '(\w+)' does not exist on type '(.*)'\./.exec(line);
    if (absent !== null) return sectionsOf(absent[2]!).map((one) => `${one}.${absent[1]}`);
    const missing = /Property '(\w+)' is missing in type '(.*)' but required in/.exec(line);
    if (missing !== null) return sectionsOf(missing[2]!).map((one) => `${one}.${missing[1]}`);
    const several =
      /Type '(.*)' is missing the following properties from type '.*': ([\w, ]+)/.exec(line);
    if (several !== null) {
      const names = several[2]!.split(', ');
      return sectionsOf(several[1]!).flatMap((one) => names.map((name) => `${one}.${name}`));
    }
    // Read by names that are only known when it runs.
    const indexed = /Property '"in ([\w.]+)"' is incompatible with index signature/.exec(line);
    return indexed === null ? [] : keys.filter((key) => key.startsWith(`${indexed[1]}.`));
  });
}

function findRead(): ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hone-keys-'));
  try {
    const isTest = (path: string) => /\.(?:test|test-support)\.ts$/.test(path);
    cpSync(join(root, 'src'), join(folder, 'src'), {
      recursive: true,
      filter: (path) => !isTest(path),
    });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    // What was checked is remembered here, not in the place of the real sources.
    const remembered = { incremental: true, tsBuildInfoFile: join(folder, 'checked.tsbuildinfo') };
    const own = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: remembered,
      include: ['src'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(own));
    let seen: ReadonlySet<string> = new Set<string>();
    for (;;) {
      const found = readKeys(errorsWithout(folder, seen)).filter((key) => keys.includes(key));
      const next = new Set([...seen, ...found]);
      if (next.size === seen.size || next.size === keys.length) return next;
      seen = next;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('CONFIG-1 the keys of hone.yaml', () => {
  test('each is read by something', () => {
    const read = findRead();
    expect(keys.filter((key) => !read.has(key)).sort()).toEqual([]);
  });

  test('an error’s words name the key and its section', () => {
    const type = '{ ttl: number; part: { "in lease.part": Marked; }; "in lease": Marked; }';
    expect(sectionsOf(type)).toEqual(['lease']);
    expect(
      readKeys(`a.ts(1,2): error TS2339: Property 'x' does not exist on type '${type}'.`),
    ).toEqual(['lease.x']);
    expect(readKeys(`Property 'x' does not exist on type '{ a: ${type}; }'.`)).toEqual([]);
  });
});
