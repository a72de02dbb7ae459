import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { CodeIndex, checkText, claimsIn, findClaims, planCheck, refusedInARow } from './index.ts';
import { projectEntry } from './rebuild.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/retry.ts': `/** Formerly \`retryWithBackoff(fn)\`. */
export function retry<T>(fn: () => Promise<T>, tries = 3): Promise<T> { return fn(); }
export class Policy extends Base { get isOpen() { return true; } #close() {} }
const HINT = 'use oldRetry of before';
import { Base, pick } from './base.ts';`,
  'src/base.ts': 'export class Base { wait(ms: number): void {} }\nexport const pick = () => 1;',
  'src/broken.js': 'function (',
  'lib/jobs.py': 'def run(a, *, b=2):\n    """mentions nothing_here"""\n    return a\n',
  'lib/limit.go': 'package lib\n\nfunc Take(n int) (int, error) { return n, nil }\n',
  'db/001.sql': 'CREATE TABLE old_jobs (id INT);\nALTER TABLE old_jobs RENAME TO jobs;',
};

const whole = Object.fromEntries(
  Object.entries(FILES).filter(([path]) => path !== 'src/broken.js'),
);
const indexOf = (files: Readonly<Record<string, string>> = whole) =>
  CodeIndex.of({ paths: async () => Object.keys(files), read: async (path) => files[path] });

async function verdicts(text: string, files = whole): Promise<string[]> {
  return checkText(text, await indexOf(files)).map(
    ({ claim, verdict }) => `${claim.level} ${verdict}`,
  );
}

describe('CHK-1 what an agent says about code', () => {
  test.each([
    ['a file', 'See `src/retry.ts`.', 'file confirmed'],
    ['a file that is not there', 'See test/retry.test.ts.', 'file refused'],
    ['a symbol', 'I use `retry`.', 'symbol confirmed'],
    ['a symbol that only a comment names', 'I use `retryWithBackoff`.', 'symbol refused'],
    ['a symbol that only a sentence in a string names', 'I use `oldRetry`.', 'symbol refused'],
    ['a member', '`Policy.isOpen` tells.', 'symbol confirmed'],
    ['a member of its base', '`Policy.wait` waits.', 'symbol confirmed'],
    ['a member that is not there', '`Policy.reopen` opens.', 'symbol refused'],
    ['a signature', '`retry(fn, tries = 3)` tries.', 'signature confirmed'],
    ['a signature with another order', '`retry(tries, fn)` tries.', 'signature refused'],
    ['a signature of Python', '`run(a, *, b=2)` runs.', 'signature confirmed'],
    ['another default', '`run(a, *, b=3)` runs.', 'signature refused'],
    ['a signature of Go', '`Take(n int) (int, error)`', 'signature confirmed'],
    ['another type', '`Take(n string) (int, error)`', 'signature refused'],
    ['a call on the reader’s variable', '`waiter.wait(ms)` waits.', 'signature confirmed'],
    ['one with more than it takes', '`waiter.wait(ms, unit)` waits.', 'signature refused'],
    ['one of nobody’s members', '`waiter.halt(ms)` halts.', 'signature refused'],
    ['the way to a module', 'It stands in `lib.jobs`.', 'symbol confirmed'],
    ['the way to no module', 'It stands in `lib.queues`.', 'symbol refused'],
    ['a table', 'It reads the table `jobs`.', 'table confirmed'],
    ['a table of before', 'It reads the table `old_jobs`.', 'table refused'],
    ['code', '```ts\nconst a = 1;\n```', 'snippet confirmed'],
    ['code that is broken', '```py\ndef f(:\n  pass\n```', 'snippet refused'],
    ['code of a language that is not read', '```rust\nfn (\n```', 'snippet unknown'],
  ])('%s', async (_, text, expected) => {
    expect(await verdicts(text)).toEqual([expected]);
  });

  test('what a text ties to a file must be declared there', async () => {
    expect(await verdicts('I added `pick` to `src/retry.ts`.')).toEqual([
      'symbol refused',
      'file confirmed',
    ]);
    expect(await verdicts('`pick` in src/base.ts')).toEqual(['symbol confirmed', 'file confirmed']);
    expect(await verdicts('`retry` calls `pick` (src/retry.ts).')).toEqual([
      'symbol confirmed',
      'symbol unknown',
      'file confirmed',
    ]);
  });

  test('tables that code maps, and those whose names may be made from a type', async () => {
    const files = {
      'models.py': 'class CustomerRow(Base):\n    __tablename__ = "billing_customers"\n',
      'order.go': 'package shop\n\nfunc (Order) TableName() string { return "shop.orders" }\n',
      'user.ts': "// tableName = 'ghosts'\nexport class UserGroup { static tableName = 'groups'; }",
    };
    const of = (name: string) => verdicts(`It is in the table \`${name}\`.`, files);
    for (const name of ['billing_customers', 'orders', 'groups'])
      expect(await of(name)).toEqual(['table confirmed']);
    for (const name of ['customers', 'ghosts']) expect(await of(name)).toEqual(['table refused']);
    expect(await of('user_groups')).toEqual(['table unknown']);
  });

  test('what is said to be gone is not looked for, and no product is a file', async () => {
    expect(await verdicts('I removed `src/legacy.ts` and deleted `oldRetry`.')).toEqual([]);
    expect(await verdicts('It runs on Node.js, see https://example.org/a/b.html.')).toEqual([]);
  });

  test('a file that cannot be read leaves names open, and nothing throws', async () => {
    expect(await verdicts('I use `somewhereElse`.', FILES)).toEqual(['symbol unknown']);
    for (const text of ['`', '```', '`(`', '`a(b`', '``` ts\n', '`::`', '`a.b.c.d.e`', '\0'])
      expect(Array.isArray(await verdicts(text))).toBe(true);
  });

  test('CHK-2 results by file: structured claims and a summary', async () => {
    const result = JSON.stringify({
      summary: 'See `src/retry.ts`.',
      claims: [
        { file: 'src/none.ts' },
        { symbol: 'retry', file: 'src/base.ts' },
        { signature: 'retry(fn, tries = 3)' },
        { table: 'jobs' },
      ],
    });
    expect(claimsIn(result).map(({ level }) => level)).toEqual([
      'file',
      'file',
      'file',
      'symbol',
      'signature',
      'table',
    ]);
    expect(findClaims('no claims')).toEqual(claimsIn('no claims'));
  });
});

describe.each(['memory', 'postgres'] as const)('checks on %s', (kind) => {
  const open = storePerTest(kind);

  test('CHK-2 refusals in a row are counted, and the rows come from the ledger', async () => {
    const { store, clock } = open();
    const index = await indexOf();
    const check = async (id: string, text: string, agent: string | null = null) => {
      clock.advance(1);
      const { plan } = planCheck(
        {
          ...{ id, taskId: 't', commit: 'c', agent, result: text },
          checked: checkText(text, index),
          ...{ actor: { kind: 'agent', id: 'a', verified: 'local' }, nowMs: await store.nowMs() },
        },
        (words) => words,
      );
      await store.commit(plan);
      return refusedInARow(store, { taskId: 't', agent });
    };
    const counts = [
      await check('1', 'See `no.ts`.'),
      await check('2', 'See `no.ts`.'),
      await check('3', 'See `src/base.ts`.'),
      await check('4', 'See `no.ts`.'),
      await check('5', 'See `no.ts`.', 'reviewer'),
      await check('6', 'See `src/base.ts`.'),
      await check('7', 'See `no.ts`.', 'reviewer'),
    ];
    expect(counts).toEqual([1, 2, 0, 1, 1, 0, 2]);
    const rows = await store.all('SELECT * FROM claim_checks ORDER BY id');
    for (const { id } of rows)
      await store.commit({ writes: [{ delete: 'claim_checks', where: { id: id! } }] });
    for (const entry of await recorded(store)) await store.commit({ writes: projectEntry(entry) });
    expect(await store.all('SELECT * FROM claim_checks ORDER BY id')).toEqual(rows);
  });
});
