/**
 * The change that the store's chaos measurements make again and again, and what must be true of it
 * afterwards: a state row, a counter, a ledger entry and an effect, which are there together or not
 * at all. A change is named `<writer>-<number>`; a writer counts from 1.
 */
import { type CleanText, errorMessage } from '../../src/base/index.ts';
import { SYSTEM } from '../../src/facts/index.ts';
import { entryWriter, verifyLedger } from '../../src/ledger/index.ts';
import { effectWriter } from '../../src/outbox/index.ts';
import {
  controlMigrations,
  openSqlite,
  type Plan,
  type SqliteStoreOptions,
  type Store,
} from '../../src/store/index.ts';

export const changeId = (writer: string, number: number): string => `${writer}-${number}`;

export function openChanges(
  path: string,
  synchronous: SqliteStoreOptions['synchronous'] = 'full',
): Promise<Store> {
  const parts = { entries: entryWriter, effects: effectWriter };
  return openSqlite({ path, synchronous, migrations: controlMigrations, parts });
}

/** One change as a plan. `padding` makes it larger, so that the WAL fills sooner. */
export function changePlan(writer: string, number: number, padding = ''): Required<Plan> {
  const gate = changeId(writer, number);
  return {
    expect: [],
    writes: [
      {
        insert: 'ledger_cursors',
        row: { consumer: writer, position: 0 },
        onConflict: 'ignore',
      },
      { update: 'ledger_cursors', where: { consumer: writer }, set: { position: { add: 1 } } },
      {
        insert: 'policy_switches',
        row: { gate, mode: 'enforce', reason: padding, changed_at_ms: number },
      },
    ],
    entries: [
      {
        type: 'policy.switch_set',
        actor: SYSTEM,
        subject: `switch:${gate}`,
        data: { gate, mode: 'enforce', previousMode: 'off', reason: padding as CleanText },
      },
    ],
    effects: [{ key: gate, destination: 'chaos', payload: { gate }, step: 'notify' }],
  };
}

/** What the writers said before the fault. */
export interface Said {
  readonly acknowledged: ReadonlySet<string>;
  /** Changes that `commit` rejected: there or not, but not half. */
  readonly refused: ReadonlySet<string>;
}

export interface Findings {
  /** Acknowledged changes that are not there. */
  readonly lost: readonly string[];
  /** Broken promises other than that, in words. */
  readonly violations: readonly string[];
  /** Changes whose state row is there. */
  readonly present: ReadonlySet<string>;
}

/**
 * Opens what a fault left behind the way the product does, compares it with what was said, and makes
 * one more change, because a store that can only be read is broken too. Nobody else may be writing.
 */
export async function inspectFile(path: string, said: Said): Promise<Findings> {
  let store: Store;
  try {
    store = await openChanges(path);
  } catch (error) {
    const violations = [`it cannot be opened again: ${errorMessage(error)}`];
    return { lost: [...said.acknowledged], violations, present: new Set() };
  }
  try {
    const findings = await inspect(store, said);
    return { ...findings, violations: [...findings.violations, ...(await goesOn(store))] };
  } catch (error) {
    const violations = [`it cannot be read again: ${errorMessage(error)}`];
    return { lost: [...said.acknowledged], violations, present: new Set() };
  } finally {
    await store.close();
  }
}

async function goesOn(store: Store): Promise<string[]> {
  try {
    const writer = `after${(await store.all(CHANGES)).length}`;
    await store.commit(changePlan(writer, 1));
    return [];
  } catch (error) {
    return [`it cannot be written again: ${errorMessage(error)}`];
  }
}

const CHANGES = 'SELECT gate AS id FROM policy_switches';
const ENTRIES = `SELECT substr(subject, ${'switch:'.length + 1}) AS id FROM ledger_entries`;
const EFFECTS = 'SELECT key AS id FROM outbox_effects';

async function inspect(store: Store, said: Said): Promise<Findings> {
  const ids = async (sql: string) => (await store.all(sql)).map((row) => row['id'] as string);
  const [changes, entries, effects] = [await ids(CHANGES), await ids(ENTRIES), await ids(EFFECTS)];
  const present = new Set(changes);
  const violations = [
    ...differences(present, 'state row', entries, 'ledger entry'),
    ...differences(present, 'state row', effects, 'effect'),
    ...gaps(present, said),
    ...(await miscounts(store, present)),
    ...(await damage(store)),
  ];
  const everywhere = present.intersection(new Set(entries)).intersection(new Set(effects));
  return { lost: [...said.acknowledged.difference(everywhere)], violations, present };
}

function differences(
  one: ReadonlySet<string>,
  oneName: string,
  list: readonly string[],
  otherName: string,
): string[] {
  const other = new Set(list);
  return [
    ...[...one.difference(other)].map((id) => `${id} has a ${oneName} but no ${otherName}`),
    ...[...other.difference(one)].map((id) => `${id} has a ${otherName} but no ${oneName}`),
    ...(other.size < list.length ? [`a change has more than one ${otherName}`] : []),
  ];
}

/** A writer's changes commit in the order it made them: none is missing below its last one. */
function gaps(present: ReadonlySet<string>, said: Said): string[] {
  return [...numbersByWriter(present)].flatMap(([writer, numbers]) =>
    Array.from({ length: Math.max(...numbers) }, (_, index) => changeId(writer, index + 1))
      .filter((id) => !present.has(id) && !said.refused.has(id))
      .map((id) => `${id} is missing, though later ones of its writer are there`),
  );
}

/** The counter is changed in place by every change: it must agree with the rows that were added. */
async function miscounts(store: Store, present: ReadonlySet<string>): Promise<string[]> {
  const rows = await store.all('SELECT consumer, position FROM ledger_cursors');
  const counted = new Map(
    rows.map((row) => [row['consumer'] as string, row['position'] as number]),
  );
  const numbers = numbersByWriter(present);
  return [...new Set([...counted.keys(), ...numbers.keys()])]
    .map((writer) => ({
      writer,
      counter: counted.get(writer) ?? 0,
      made: numbers.get(writer)?.length ?? 0,
    }))
    .filter(({ counter, made }) => counter !== made)
    .map(({ writer, counter, made }) => `${writer} counted ${counter} changes, but made ${made}`);
}

function numbersByWriter(ids: Iterable<string>): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const id of ids) {
    const at = id.lastIndexOf('-');
    const writer = id.slice(0, at);
    const list = numbers.get(writer) ?? [];
    numbers.set(writer, list);
    list.push(Number(id.slice(at + 1)));
  }
  return numbers;
}

async function damage(store: Store): Promise<string[]> {
  const verified = await verifyLedger(store, { known: [] });
  const ledger = verified.ok ? [] : [`the ledger does not verify: ${verified.problem.message}`];
  const [integrity] = await store.all('SELECT integrity_check FROM pragma_integrity_check LIMIT 1');
  const message = integrity?.['integrity_check'];
  return message === 'ok' ? ledger : [...ledger, `the file is damaged: ${String(message)}`];
}
