/** SQL texts by shape: each is written once, and names in it are checked. */
import { assert } from '../base/index.ts';
import type { Engine, Value } from './types.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Value[];
}

/** Our code has a few dozen shapes; writing their text for every commit took 10 µs of each. */
const texts: Readonly<Record<Engine, Map<string, string>>> = {
  sqlite: new Map(),
  postgres: new Map(),
};

export function textOf(
  engine: Engine,
  shape: string,
  write: (mark: () => string) => string,
): string {
  let text = texts[engine].get(shape);
  if (text === undefined) {
    let count = 0;
    text = write(() => (engine === 'postgres' ? `$${++count}` : '?'));
    texts[engine].set(shape, text);
  }
  return text;
}

const NAME = /^[a-z][a-z0-9_]*$/;

export function name(text: string): string {
  assert(NAME.test(text), `not a table or column name: ${text}`);
  return text;
}
