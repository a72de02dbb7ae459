/**
 * Entries as they get their place in the ledger, for whoever follows it. A follower keeps its own place and reads
 * on from there, as every consumer of the ledger does; so a follower that returns with the index of the last entry it
 * saw misses none and gets none twice.
 */
import type { LedgerEntry, LedgerFollowInput } from '../contracts/ledger.ts';
import { LedgerView, readNext } from '../ledger/index.ts';
import type { AppContext } from './context.ts';
import { entryJson } from './ledger.ts';
import type { Refusal } from './refusal.ts';

/** How many entries are read at once: the most that is kept for one follower. */
const PAGE = 50;
/** On SQLite other processes do not announce their writes. */
const POLL_MS = 500;

export interface Followed {
  readonly index: number;
  /** Null if the follower did not ask for it; its place still counts. */
  readonly entry: LedgerEntry | null;
}

export interface Following extends AsyncDisposable {
  /** The next entries, in their order; none when `waitMs` passed or the signal aborted. */
  next(waitMs: number, signal: AbortSignal): Promise<readonly Followed[]>;
}

/** Without `after`, only what is recorded from now on. */
export async function followLedger(
  context: AppContext,
  { after, type, subject }: LedgerFollowInput,
): Promise<Following | Refusal> {
  const { clock } = context;
  const opened = await context.open();
  const { store } = opened;
  const size = await new LedgerView(store).size();
  if (after !== undefined && after >= size) {
    await opened.close();
    return {
      refused: `The ledger has ${size} entries, so nobody saw entry ${after} of it: this is another ledger, or a restored one. Read it from its beginning.`,
    };
  }
  let position = after === undefined ? size : after + 1;
  const isWanted = (entry: LedgerEntry) =>
    entry.type.startsWith(type ?? '') && entry.subject.startsWith(subject ?? '');
  return {
    next: async (waitMs, signal) => {
      const untilMs = clock.monotonicMs() + waitMs;
      for (;;) {
        const page = await readNext(store, { consumer: 'follower', position }, PAGE);
        if (page.length > 0) {
          position = page.at(-1)!.index + 1;
          const entries = page.map(entryJson);
          return entries.map((entry) => ({
            index: entry.index,
            entry: isWanted(entry) ? entry : null,
          }));
        }
        const leftMs = untilMs - clock.monotonicMs();
        if (signal.aborted || leftMs <= 0) return [];
        await clock.sleep(Math.min(POLL_MS, leftMs), signal);
      }
    },
    [Symbol.asyncDispose]: () => opened.close(),
  };
}
