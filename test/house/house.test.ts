/** The rules of the house, as tests. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entryPayloads, idSchema, proposalContentSchema } from '../../src/facts/schemas.ts';
import { BELOW_DOORS, ENTRIES, LAYERS, OPEN_ROOMS, SIDEWAYS } from './layers.ts';

const root = new URL('../../', import.meta.url).pathname;
const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort();
const text = (file: string) => readFileSync(join(root, file), 'utf8');

/** `src/ledger/tip.ts` is in `ledger`; files of `src/` itself are their own. */
const roomOf = (file: string) => file.split('/')[1]!;
const layerOf = (room: string) => LAYERS.findIndex((layer) => layer.includes(room));

function importsOf(file: string): string[] {
  const found = text(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, path]) => relative(root, join(root, dirname(file), path!)));
}

describe('layers', () => {
  test('every folder has its layer', () => {
    const rooms = [...new Set(sources.map(roomOf))].filter((room) => room !== 'version.ts');
    expect(rooms.filter((room) => layerOf(room) < 0)).toEqual([]);
  });

  test('imports only go down', () => {
    const wrong: string[] = [];
    for (const file of sources) {
      for (const target of importsOf(file)) {
        const [from, to] = [roomOf(file), roomOf(target)];
        if (from === to || to === 'version.ts' || !target.startsWith('src/')) continue;
        if (layerOf(to) < layerOf(from) || `${from} -> ${to}` in SIDEWAYS) continue;
        wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('a door imports use cases and what is needed to show, never a room', () => {
    const doors = ['cli', 'http', 'mcp', 'hook'];
    const wrong = sources
      .filter((file) => doors.includes(roomOf(file)) && !file.endsWith('.test-support.ts'))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => target.startsWith('src/') && roomOf(target) !== 'version.ts')
          .filter((target) => roomOf(target) !== roomOf(file) && !(roomOf(target) in BELOW_DOORS))
          .map((target) => `${file} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('a room is entered by its entries only', () => {
    // Support of tests looks behind the doors.
    const own = sources.filter((file) => !file.endsWith('.test-support.ts'));
    const wrong = own.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('src/') && roomOf(target) !== roomOf(file))
        .filter((target) => target.split('/').length > 2 && !(roomOf(target) in OPEN_ROOMS))
        .filter((target) => !ENTRIES.includes(basename(target)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the dashboard knows Hone by its contracts only', () => {
    const files = globSync('dashboard/**/*.{ts,tsx}', { cwd: root });
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('dashboard/'))
        .filter((target) => !target.startsWith('src/contracts/'))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
    // Types only: a schema would bring zod into the browser.
    const loading = files.filter((file) =>
      /^import (?!type )[^;]*src\/contracts/m.test(text(file)),
    );
    expect(loading).toEqual([]);
    expect(files.flatMap(importsOf)).toContain('src/contracts/proposal.ts');
  });

  test('the reading of imports finds them all', () => {
    expect(importsOf('src/main.ts')).toContain('src/cli/program.ts');
    expect(importsOf('src/ledger/tip.ts')).toContain('src/base/index.ts');
  });

  test('an exception that nobody uses is removed', () => {
    const used = new Set(
      sources.flatMap((file) =>
        importsOf(file).map((target) => `${roomOf(file)} -> ${roomOf(target)}`),
      ),
    );
    expect(Object.keys(SIDEWAYS).filter((pair) => !used.has(pair))).toEqual([]);
  });
});

describe('starting fast (ADR 005)', () => {
  /** What a module loads before it runs. Types are erased; what is imported when it is used is not loaded yet. */
  function loads(file: string): string[] {
    const found = text(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm);
    return [...found].map(([, path]) =>
      path!.startsWith('.') ? relative(root, join(root, dirname(file), path!)) : path!,
    );
  }
  function loadedBy(start: readonly string[]): Set<string> {
    const seen = new Set<string>();
    const open = [...start];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      if (file.startsWith('src/')) open.push(...loads(file));
    }
    return seen;
  }
  const STATUS = ['main.ts', 'cli/program.ts', 'compose/context.ts', 'cli/commands/status.ts'];
  const HEAVY = [
    ...['zod', 'yaml', 'hono', 'pg', 'croner'],
    ...[
      'facts/schemas.ts',
      'git/index.ts',
      'sanitise/index.ts',
      'config/index.ts',
      'loop/index.ts',
    ].map((file) => `src/${file}`),
  ];

  test('hone status loads no schemas, no git, no sanitiser and no loop', () => {
    const loaded = loadedBy(STATUS.map((file) => `src/${file}`));
    expect(HEAVY.filter((one) => loaded.has(one))).toEqual([]);
    expect(loaded).toContain('src/app/status.ts');
    expect(loadedBy(['src/cli/commands/proposals.ts'])).toContain('src/sanitise/index.ts');
  });

  test('a hook loads none of that either, and nothing that makes streams', () => {
    const loaded = loadedBy(['src/main.ts', 'src/compose/hook.ts']);
    const streams = ['node:assert', 'node:assert/strict', 'node:stream'];
    expect([...HEAVY, ...streams].filter((one) => loaded.has(one))).toEqual([]);
    expect(loaded).toContain('src/store/kept-reads.ts');
  });
});

describe('tables', () => {
  const tables = globSync('src/store/migrations/[0-9]*.ts', { cwd: root })
    .flatMap((file) => [...text(file).matchAll(/CREATE TABLE (\w+)/g)])
    .map(([, name]) => name!)
    .concat('store_migrations');

  test('every table has its room’s prefix', () => {
    const rooms = LAYERS.flat();
    expect(tables.filter((table) => !rooms.includes(table.split('_')[0]!))).toEqual([]);
  });

  test('no room names another room’s tables', () => {
    const wrong: string[] = [];
    for (const file of sources.filter((one) => !one.startsWith('src/store/migrations/'))) {
      const code = text(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      for (const table of tables) {
        if (!new RegExp(`\\b${table}\\b`).test(code)) continue;
        if (table.split('_')[0] !== roomOf(file)) wrong.push(`${file} names ${table}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('time and chance', () => {
  const BANNED =
    /\bDate\.now\(|new Date\(\)|Math\.random\(|\bset(?:Timeout|Interval)\(|performance\.now\(|AbortSignal\.timeout\(/;
  const PORTS = ['src/base/clock.ts', 'src/base/random.ts'];

  test('the clock, randomness and timers are used only behind their ports', () => {
    const wrong = sources
      .filter((file) => !PORTS.includes(file))
      .filter((file) => BANNED.test(text(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')));
    expect(wrong).toEqual([]);
  });

  test('the ban finds what it bans', () => {
    expect(PORTS.filter((file) => BANNED.test(text(file)))).toEqual(['src/base/clock.ts']);
  });
});

describe('recorded text', () => {
  /** Every field of every entry, also inside lists and where it may be null. */
  function fields(schema: Schema, path: string): [string, Schema][] {
    const { shape, element, innerType, options } = schema._zod.def;
    if (options !== undefined) return options.flatMap((one) => fields(one, path));
    if (shape !== undefined)
      return Object.entries(shape).flatMap(([key, inner]) => fields(inner, `${path}.${key}`));
    const inner = element ?? innerType;
    return inner === undefined ? [[path, schema]] : fields(inner, path);
  }
  interface Schema {
    readonly _zod: {
      readonly def: {
        readonly type: string;
        readonly checks?: readonly unknown[];
        readonly shape?: Readonly<Record<string, Schema>>;
        readonly element?: Schema;
        readonly innerType?: Schema;
        readonly options?: readonly Schema[];
      };
    };
    safeParse(value: unknown): { readonly success: boolean };
  }
  const all = Object.entries(entryPayloads).flatMap(([type, schema]) =>
    fields(schema as unknown as Schema, type),
  );

  test('OBS-5 a ledger entry takes a sentence only as clean text', () => {
    const takesSentences = ([, schema]: [string, Schema]) =>
      schema._zod.def.type !== 'custom' && schema.safeParse('two words').success;
    expect(all.filter(takesSentences).map(([path]) => path)).toEqual([]);
    expect(all.map(([path]) => path)).toContain('policy.stopped.reason');
  });

  test('a digest is called digest and an id id, in entries and in what is proposed', () => {
    const DIGEST = `sha256:${'0'.repeat(64)}`;
    const content = Object.entries(proposalContentSchema.shape).flatMap(([key, schema]) =>
      fields(schema as unknown as Schema, `proposal.content.${key}`),
    );
    for (const [path, schema] of [...all, ...content]) {
      const parts = path.split('.');
      const name = parts.at(-1)!;
      const isDigest = schema.safeParse(DIGEST).success && !schema.safeParse('plain').success;
      const isId = schema === (idSchema as unknown as Schema);
      expect([path, /Digests?$/.test(name)]).toEqual([path, isDigest]);
      expect([path, /Ids?$/.test(name)]).toEqual([path, isId]);
      // What an entry is about has its own word for each part: no bare noun stands for an id or a digest.
      const BARE = ['id', 'digest', 'proposal', 'pattern', 'cycle', 'attestation', 'token'];
      if (parts.length === 3) expect([path, BARE.includes(name)]).toEqual([path, false]);
    }
    expect(all.map(([path]) => path)).toContain('proposal.attested.evidenceDigest');
  });

  test('OBS-5 only the sanitiser makes clean text', () => {
    const CAST = /as (?:unknown as )?CleanText/;
    const makers = ['src/base/clean-text.ts', 'src/sanitise/recorded-text.ts'];
    expect(sources.filter((file) => CAST.test(text(file)))).toEqual(makers);
  });
});

describe('structured files', () => {
  test('only the room document reads YAML; others may write it', () => {
    const readers = sources.filter((file) =>
      [...text(file).matchAll(/import ([^;]*?) from 'yaml'/g)].some(
        ([, names]) => names !== '{ stringify }',
      ),
    );
    expect(readers.filter((file) => roomOf(file) !== 'document')).toEqual([]);
    expect(readers).toContain('src/document/formats/yaml/yaml.ts');
  });
});

describe('names', () => {
  test('no folder or file is a drawer for everything', () => {
    const drawers = /(^|\/)(utils?|helpers?|manager|common|misc)(\/|[.-])/;
    expect(
      globSync('{src,test,tools,bench,score,chaos}/**/*.ts', { cwd: root }).filter((file) =>
        drawers.test(file),
      ),
    ).toEqual([]);
  });

  test('the release is the same in the code and in package.json', () => {
    const { version } = JSON.parse(text('package.json'));
    expect(text('src/version.ts')).toContain(`'${version}'`);
  });
});
