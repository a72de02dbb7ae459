/** Any plans, one after the other, do on every engine what a few lines over two maps do. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTestStore, STORE_KINDS } from '../../test/stores.ts';
import type {
  BulkWrite,
  Expectation,
  Increment,
  Match,
  Merging,
  Plan,
  Row,
  Store,
  Value,
  Write,
} from './types.ts';

/** Two tables of the schema, each with a key, a number, and what else a row needs. */
const TABLES = {
  ledger_cursors: { key: 'consumer', number: 'position', rest: {} },
  lease_leases: {
    key: 'name',
    number: 'token',
    rest: { holder: null, expires_at_ms: 0, ttl_ms: 0, contended: 0 },
  },
} as const;
type Table = keyof typeof TABLES;
const tables = Object.keys(TABLES) as Table[];

type Model = Record<Table, Map<string, number>>;
const copied = (model: Model): Model => ({
  ledger_cursors: new Map(model.ledger_cursors),
  lease_leases: new Map(model.lease_leases),
});

function matches(table: Table, where: Match, [key, number]: [string, number]): boolean {
  const row: Row = { [TABLES[table].key]: key, [TABLES[table].number]: number };
  return Object.entries(where).every(([column, value]) => row[column] === value);
}

const found = (model: Model, table: Table, where: Match) =>
  [...model[table]].filter((row) => matches(table, where, row));

function mergedNumber(there: number | undefined, given: number | Increment): number {
  if (typeof given === 'number') return given;
  if ('add' in given) return (there ?? 0) + given.add;
  return 'least' in given
    ? Math.min(there ?? given.least, given.least)
    : Math.max(there ?? given.most, given.most);
}

function rowsOf(values: readonly Value[], width: number): Value[][] {
  const count = values.length / width;
  return Array.from({ length: count }, (_, at) => values.slice(at * width, (at + 1) * width));
}

/** What a bulk write does is what its rows do one after the other. */
function singles(one: BulkWrite): Write[] {
  if ('insertRows' in one) {
    const { insertRows: insert, columns, values, onConflict } = one;
    const named = (row: Value[]) => Object.fromEntries(columns.map((name, at) => [name, row[at]!]));
    const conflict = onConflict === undefined ? {} : { onConflict };
    return rowsOf(values, columns.length).map((row) => ({ insert, row: named(row), ...conflict }));
  }
  const [number, how] = Object.entries(one.merge)[0]!;
  const width = 1 + Object.keys(one.merge).length;
  return rowsOf(one.values, width).map(([name, value]) => ({
    upsert: one.upsertRows,
    key: { [one.key[0]!]: name! },
    row: { [number]: how === 'replace' ? value! : ({ [how]: value } as unknown as Increment) },
  }));
}

/** Throws where a key is there already. */
function write(model: Model, one: Write): void {
  if ('values' in one) for (const single of singles(one)) write(model, single);
  else if ('insert' in one) {
    const { key, number } = TABLES[one.insert as Table];
    const rows = model[one.insert as Table];
    const name = one.row[key] as string;
    if (!rows.has(name)) rows.set(name, one.row[number] as number);
    else if (one.onConflict !== 'ignore') throw new Error('taken');
  } else if ('upsert' in one) {
    const { key, number } = TABLES[one.upsert as Table];
    const rows = model[one.upsert as Table];
    const name = one.key[key] as string;
    rows.set(name, mergedNumber(rows.get(name), one.row[number] as number | Increment));
  } else if ('update' in one) {
    const table = one.update as Table;
    const change = one.set[TABLES[table].number] as number | { add: number };
    for (const [key, before] of found(model, table, one.where)) {
      model[table].set(key, typeof change === 'number' ? change : before + change.add);
    }
  } else {
    const table = one.delete as Table;
    for (const [key] of found(model, table, one.where)) model[table].delete(key);
  }
}

const key = fc.constantFrom('a', 'b');
const number = fc.integer({ min: 0, max: 2 });
/** Mostly the one: what speaks of the same rows is what can go wrong. */
const table = fc.constantFrom<Table[]>('ledger_cursors', 'ledger_cursors', 'lease_leases');

const where = (of: Table): fc.Arbitrary<Match> => {
  const names = TABLES[of];
  return fc.oneof(
    { arbitrary: key.map((name) => ({ [names.key]: name })), weight: 3 },
    number.map((value) => ({ [names.number]: value })),
    fc.tuple(key, number).map(([name, value]) => ({ [names.key]: name, [names.number]: value })),
  );
};

const expectation: fc.Arbitrary<Expectation> = table.chain((of) =>
  fc.record(
    { table: fc.constant(of), where: where(of), exists: fc.constantFrom(true, true, false) },
    { requiredKeys: ['table', 'where'] },
  ),
);

const given: fc.Arbitrary<number | Increment> = fc.oneof(
  number,
  number.map((add) => ({ add })),
  number.map((least) => ({ least })),
  number.map((most) => ({ most })),
);

const merging = fc.constantFrom<Merging[]>('replace', 'add', 'least', 'most');

function bulk(of: Table): fc.Arbitrary<Write> {
  const { key: name, number: counted, rest } = TABLES[of];
  const pairs = fc.uniqueArray(fc.tuple(key, number), { maxLength: 2, selector: ([one]) => one });
  const others = Object.keys(rest);
  const filled = ([one, value]: [string, number]) => [one, value, ...Object.values(rest)];
  const inserted = fc.tuple(pairs, fc.boolean()).map(([some, ignores]) => ({
    insertRows: of,
    columns: [name, counted, ...others],
    values: some.flatMap(filled),
    ...(ignores ? { onConflict: 'ignore' as const } : {}),
  }));
  const replaced = Object.fromEntries(others.map((one) => [one, 'replace' as const]));
  const merged = fc.tuple(pairs, merging).map(([some, how]) => ({
    upsertRows: of,
    key: [name],
    merge: { [counted]: how, ...replaced },
    values: some.flatMap(filled),
  }));
  return fc.oneof(inserted, merged);
}

const anyWrite: fc.Arbitrary<Write> = table.chain((of) => {
  const names = TABLES[of];
  const change = fc.oneof(
    number.map((value) => ({ [names.number]: value })),
    number.map((add) => ({ [names.number]: { add } })),
  );
  return fc.oneof(
    fc.tuple(key, number, fc.boolean()).map(([name, value, ignores]) => ({
      insert: of,
      row: { [names.key]: name, [names.number]: value, ...names.rest },
      ...(ignores ? { onConflict: 'ignore' as const } : {}),
    })),
    fc.tuple(key, given).map(([name, value]) => ({
      upsert: of,
      key: { [names.key]: name },
      row: { [names.number]: value, ...names.rest },
    })),
    fc.tuple(where(of), change).map(([match, set]) => ({ update: of, where: match, set })),
    bulk(of),
    key.map((name) => ({ delete: of, where: { [names.key]: name } })),
  );
});

/** Most plans update a row that they expect, as those of the rooms do. */
const plan: fc.Arbitrary<Plan> = fc
  .tuple(fc.array(expectation, { maxLength: 3 }), fc.array(anyWrite, { maxLength: 3 }), number)
  .chain(([expected, writes, value]) => {
    const asked = expected.find(({ exists }) => exists !== false);
    if (asked === undefined) return fc.constant({ expect: expected, writes });
    const set = { [TABLES[asked.table as Table].number]: value };
    const update = { update: asked.table, where: asked.where, set };
    return fc.constantFrom(
      { expect: expected, writes },
      { expect: expected, writes: [update] },
      { expect: expected, writes: [update, ...writes.slice(1)] },
    );
  });

/** The same for every run, so that a seed repeats it. */
const start: Plan = {
  writes: tables.flatMap((of) => {
    const names = TABLES[of];
    return ['a', 'b'].flatMap((name, at): Write[] => [
      { delete: of, where: { [names.key]: name } },
      { insert: of, row: { [names.key]: name, [names.number]: at, ...names.rest } },
    ]);
  }),
};

async function rows(store: Store): Promise<Model> {
  const read = async (of: Table) => {
    const { key: name, number: value } = TABLES[of];
    const all = await store.all(`SELECT ${name}, ${value} FROM ${of} ORDER BY ${name}`);
    return new Map(all.map((row) => [row[name] as string, row[value] as number]));
  };
  return { ledger_cursors: await read('ledger_cursors'), lease_leases: await read('lease_leases') };
}

const sorted = (model: Model) => tables.map((of) => [...model[of]].toSorted());

/** What the model says: done, broken by a key that is taken, or refused by one of these. */
function foretell(model: Model, { expect: expected = [], writes = [] }: Plan) {
  const refusing = expected.filter(
    (one) => (one.exists ?? true) !== found(model, one.table as Table, one.where).length > 0,
  );
  if (refusing.length > 0) return { refusing, after: model };
  const after = copied(model);
  try {
    for (const one of writes) write(after, one);
  } catch {
    return { broken: true, after: model };
  }
  return { after };
}

describe.each(STORE_KINDS)('%s', (kind) => {
  test('plans do what the model does', async () => {
    await using opened = await openTestStore(kind);
    const { store } = opened;
    const property = fc.asyncProperty(fc.array(plan, { maxLength: 5 }), async (plans) => {
      await store.commit(start);
      let model = await rows(store);
      for (const one of plans) {
        const told = foretell(model, one);
        const result = await store.commit(one).catch(({ code }: { code: string }) => code);
        if ('broken' in told) expect(result).toBe('constraint');
        else if (told.refusing === undefined) expect(result).toEqual({ committed: true });
        else {
          expect(result).toMatchObject({ committed: false });
          expect(told.refusing).toContain((result as { refused: Expectation }).refused);
        }
        model = told.after;
        expect(sorted(await rows(store))).toEqual(sorted(model));
      }
    });
    await fc.assert(property, { numRuns: 50 });
  });
});
