/**
 * A plan as one statement. Most plans touch each table once; as one `WITH` they are one message, one
 * plan of the server and their own transaction: 1.5 times a bare INSERT, where BEGIN, statements and
 * COMMIT in a pipeline took 2.5 times. A plan that changes a table twice goes the other way, because
 * the parts of one statement do not see each other's changes.
 */
import { isBulk } from '../bulk-sql.ts';
import {
  expectationStatement,
  type Guard,
  guardOf,
  type SingleWrite,
  type Statement,
  tableOf,
  writeStatement,
} from '../plan-sql.ts';
import type { Expectation, Write } from '../types.ts';

/** Undefined when the order of the writes matters. */
export function oneStatement(
  expect: readonly Expectation[],
  writes: readonly Write[],
): Statement | undefined {
  if (!areIndependent(writes) || !writes.every(isSingle)) return undefined;
  const guard = lonely(guardOf(expect, writes), expect);
  const asked = expect.filter((_, at) => at !== guard?.expectation);
  const parts = {
    guard,
    asked: asked.map((one) => expectationStatement(one, 'postgres')),
    changes: writes.map((write) => writeStatement(write, 'postgres')),
  };
  return {
    sql: textOf(expect, parts),
    parameters: [...parts.asked, ...parts.changes].flatMap((part) => part.parameters),
  };
}

/**
 * The guard's update comes before what is asked, and a row that a statement has changed is one that it
 * cannot lock any more: another expectation would not find it. Absence is asked without a lock.
 */
function lonely(guard: Guard | undefined, expect: readonly Expectation[]): Guard | undefined {
  if (guard === undefined || expect.length === 1) return guard;
  const { table } = expect[guard.expectation]!;
  const isShared = expect.some(
    (one, at) => at !== guard.expectation && one.table === table && one.exists !== false,
  );
  return isShared ? undefined : guard;
}

interface Parts {
  readonly guard: Guard | undefined;
  /** All expectations but the guarded one. */
  readonly asked: readonly Statement[];
  readonly changes: readonly Statement[];
}

/** Bulk writes have many lengths: their texts would never repeat. */
function isSingle(write: Write): write is SingleWrite {
  return !isBulk(write);
}

/** Each table once: the parts of one statement run in no order, and do not see each other. */
function areIndependent(writes: readonly Write[]): boolean {
  return new Set(writes.map(tableOf)).size === writes.length;
}

const texts = new Map<string, string>();
/** Plans of a batch have many lengths; what is rare is not worth keeping prepared. */
const TEXTS_MAX = 500;

function textOf(expect: readonly Expectation[], parts: Parts): string {
  const { guard, asked, changes } = parts;
  const shapes = [...asked, ...changes].map(({ sql }) => sql).join('\n');
  const key = guard === undefined ? shapes : `${guard.expectation} ${guard.write} ${shapes}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = write(expect, parts);
    if (texts.size < TEXTS_MAX) texts.set(key, text);
  }
  return text;
}

function write(expect: readonly Expectation[], { guard, asked, changes }: Parts): string {
  let used = 0;
  const renumbered = ({ sql, parameters }: Statement) => {
    const offset = used;
    used += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`);
  };
  const named = [
    ...asked.map((part, at) => `e${at} AS (${renumbered(part)})`),
    ...changes.map((part, at) => {
      const counted = at === guard?.write ? ' RETURNING 1' : '';
      return `w${at} AS (${renumbered(part)}${counted})`;
    }),
  ];
  let next = 0;
  const checks = expect.map((one, at) =>
    expectCall(at === guard?.expectation ? `w${guard.write}` : `e${next++}`, one, at),
  );
  return `WITH ${named.join(', ')} SELECT ${checks.length === 0 ? '1' : checks.join(', ')}`;
}

/** Raises inside the server when the expectation fails, so that nothing of the statement happens. */
export function expectCall(found: string, expectation: Expectation, which: number): string {
  const not = expectation.exists === false ? 'NOT ' : '';
  return `store_expect(${not}EXISTS (SELECT FROM ${found}), ${which})`;
}
