/**
 * A plan as one statement. Most plans touch each table once; as one `WITH` they are one message, one
 * plan of the server and their own transaction: 1.6 times a bare INSERT, where BEGIN, statements and
 * COMMIT in a pipeline took 2.5 times. A plan that changes a table twice goes the other way, because the parts of one statement
 * do not see each other's changes.
 */
import { expectationStatement, type Statement, writeStatement } from '../plan-sql.ts';
import type { Expectation, Write } from '../types.ts';

/** Undefined when the order of the writes matters. */
export function oneStatement(
  expect: readonly Expectation[],
  writes: readonly Write[],
): Statement | undefined {
  if (!areIndependent(writes)) return undefined;
  const expectations = expect.map((one) => expectationStatement(one, 'postgres'));
  const changes = writes.map((write) => writeStatement(write, 'postgres'));
  const parts = [...expectations, ...changes];
  return {
    sql: textOf(expect, expectations, changes),
    parameters: parts.flatMap((part) => part.parameters),
  };
}

/** Each table once: the parts of one statement run in no order, and do not see each other. */
function areIndependent(writes: readonly Write[]): boolean {
  return new Set(writes.map(tableOf)).size === writes.length;
}

function tableOf(write: Write): string {
  if ('insert' in write) return write.insert;
  if ('update' in write) return write.update;
  return 'upsert' in write ? write.upsert : write.delete;
}

const texts = new Map<string, string>();
/** Plans of a batch have many lengths; what is rare is not worth keeping prepared. */
const TEXTS_MAX = 500;

function textOf(
  expect: readonly Expectation[],
  expectations: readonly Statement[],
  changes: readonly Statement[],
): string {
  const key = [...expectations, ...changes].map(({ sql }) => sql).join('\n');
  let text = texts.get(key);
  if (text === undefined) {
    text = write(expect, expectations, changes);
    if (texts.size < TEXTS_MAX) texts.set(key, text);
  }
  return text;
}

function write(
  expect: readonly Expectation[],
  expectations: readonly Statement[],
  changes: readonly Statement[],
): string {
  let used = 0;
  const renumbered = ({ sql, parameters }: Statement) => {
    const offset = used;
    used += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`);
  };
  const named = [
    ...expectations.map((part, at) => `e${at} AS (${renumbered(part)})`),
    ...changes.map((part, at) => `w${at} AS (${renumbered(part)})`),
  ];
  const checks = expect.map((one, at) => expectCall(`e${at}`, one, at));
  return `WITH ${named.join(', ')} SELECT ${checks.length === 0 ? '1' : checks.join(', ')}`;
}

/** Raises inside the server when the expectation fails, so that nothing of the statement happens. */
export function expectCall(found: string, expectation: Expectation, which: number): string {
  const wanted = expectation.exists === false ? 0 : 1;
  return `store_expect((SELECT count(*) FROM ${found}) = ${wanted}, ${which})`;
}
