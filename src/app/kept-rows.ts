/**
 * What was made of rows alone, kept until anything in the store changes: many windows ask for the same thing again and
 * again. Where a store cannot say whether it changed, it is made anew each time.
 */
import { Recent } from '../base/index.ts';
import type { Store } from '../store/index.ts';

/** The pages that people have open at once; what one holds may be as large as a diff. */
const KEPT_MAX = 32;

interface Kept {
  revision: string;
  made: Promise<unknown>;
}

const keptOf = new WeakMap<Store, Recent<Kept>>();

/** `make` reads nothing but this store: no clock, no file, no setting. */
export async function keptRows<Made>(
  store: Store,
  key: string,
  make: () => Promise<Made>,
): Promise<Made> {
  // Asked for before anything is read: what is kept is never older than its revision.
  const revision = await store.revision?.();
  if (revision === undefined) return make();
  const recent = keptOf.get(store) ?? new Recent<Kept>(KEPT_MAX);
  keptOf.set(store, recent);
  const kept = recent.get(key, () => ({ revision, made: make() }));
  if (kept.revision !== revision) {
    kept.revision = revision;
    kept.made = make();
  }
  try {
    return (await kept.made) as Made;
  } catch (error) {
    // A fault of the moment is not kept.
    kept.revision = '';
    throw error;
  }
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
