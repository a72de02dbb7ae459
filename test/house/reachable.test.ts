/** Nothing lies in the house that the product cannot reach, but for what a list names with its reason. */
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NOT_REACHED } from './not-reached.ts';
import { reachableFrom } from './reachable.ts';

const root = new URL('../../', import.meta.url).pathname;

describe('reachability', () => {
  const reached = reachableFrom(root, 'src/main.ts');
  const unreached = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.ts$|\.test-support\.ts$/.test(file) && !reached.has(file))
    .sort();
  const isNamedBy = (pattern: string, file: string) =>
    pattern.endsWith('/') ? file.startsWith(pattern) : file === pattern;
  const patterns = Object.keys(NOT_REACHED);

  test('every module is reached from main.ts, or the list says why not', () => {
    const unnamed = unreached.filter((file) => !patterns.some((one) => isNamedBy(one, file)));
    expect(unnamed).toEqual([]);
  });

  test('what is reached, or gone, does not stand in the list', () => {
    const needless = patterns.filter((one) => !unreached.some((file) => isNamedBy(one, file)));
    expect(needless).toEqual([]);
  });

  test('a name that nobody asks for leads nowhere, in every form of import', () => {
    const files = {
      'main.ts': `import { a, type T } from './one/index.ts';
import * as two from './two/index.ts';
export const go = async () => {
  const { b: renamed } = await import('./three/index.ts');
  return [a, renamed, two.c, (await import('./four.ts')).d] as T[];
};`,
      'one/index.ts': `export { a } from './a.ts';
export { z } from './z.ts';
export { type T } from './t.ts';`,
      'two/index.ts': `export { inner as c } from './c.ts';\nexport { y } from './y.ts';`,
      'three/index.ts': `export { b } from './b.ts';\nexport { x } from './x.ts';`,
      'four.ts': `/* import { no } from './commented.ts' */\nimport './effect.ts';\nexport const d = 1;`,
      'effect.ts': '',
      'commented.ts': '',
      ...Object.fromEntries(
        ['one/a', 'one/z', 'one/t', 'two/c', 'two/y', 'three/b', 'three/x'].map((name) => [
          `${name}.ts`,
          '',
        ]),
      ),
    };
    const folder = mkdtempSync(join(tmpdir(), 'hone-reachable-'));
    try {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      const missed = Object.keys(files).filter((one) => !reachableFrom(folder, 'main.ts').has(one));
      expect(missed.sort()).toEqual(['commented.ts', 'one/z.ts', 'three/x.ts', 'two/y.ts']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
