/** What was made of rows alone, kept by the store: many windows ask for the same thing again and again. */
import { KeptReads, type Store } from '../store/index.ts';

/** The pages that people have open at once; what one holds may be as large as a diff. */
const KEPT_MAX = 32;

const keptOf = new WeakMap<Store, KeptReads>();

/** `make` reads nothing but the store that it is given: no clock, no file, no setting. */
export function keptRows<Made>(
  store: Store,
  key: string,
  make: (store: Store) => Promise<Made>,
): Promise<Made> {
  const kept = keptOf.get(store) ?? new KeptReads(store, KEPT_MAX);
  keptOf.set(store, kept);
  return kept.get(key, make);
}

/** Gives the very answer of before while what it is made of is the same: whoever sends it need not write it anew. */
export function sameAnswer<Around, Answer>(
  make: (around: Around) => Answer,
): (around: Around) => Answer {
  let last: { readonly of: string; readonly answer: Answer } | undefined;
  return (around) => {
    const of = JSON.stringify(around);
    if (last?.of !== of) last = { of, answer: make(around) };
    return last.answer;
  };
}
