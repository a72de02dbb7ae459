/**
 * Whether the clock can be trusted: it is compared with the database server's and with recorded times. From here
 * nobody can say which of two is wrong, so both are shown and nothing is held.
 */
import { CLOCK_SLACK_MS, type Clock, isDatedAhead, isoTime } from '../base/index.ts';
import type { Status } from '../contracts/status.ts';
import { recordedTimes } from '../ledger/at-start.ts';
import type { Store } from '../store/index.ts';

/** A day or more of a running installation; older doubts were shown then. */
const ENTRIES = 200;
/** An entry has the time at which its step began, and a validation may take hours. */
const OUT_OF_ORDER_MS = 86_400_000;

/** `server`: the database's clock differs. `ahead`: entries are dated after now. `back`: time went back between two. */
export type ClockDoubt = Status['clockDoubts'][number];

export async function clockDoubts(store: Store, clock: Clock): Promise<ClockDoubt[]> {
  const [times, storeMs] = [await recordedTimes(store, { limit: ENTRIES }), await store.nowMs()];
  const ownMs = clock.nowMs();
  const doubts: ClockDoubt[] = [];
  if (Math.abs(storeMs - ownMs) > CLOCK_SLACK_MS) {
    doubts.push({ kind: 'server', clock: isoTime(ownMs), other: isoTime(storeMs), entry: null });
  }
  const latest = times.reduce((one, other) => (other.atMs > one.atMs ? other : one), {
    index: 0,
    atMs: 0,
  });
  const nowMs = Math.min(ownMs, storeMs);
  const later = { clock: isoTime(nowMs), other: isoTime(latest.atMs), entry: latest.index };
  if (isDatedAhead(latest.atMs, nowMs)) return [...doubts, { kind: 'ahead', ...later }];
  const behind = times.find(
    ({ index, atMs }) => index > latest.index && atMs < latest.atMs - OUT_OF_ORDER_MS,
  );
  if (behind === undefined) return doubts;
  return [...doubts, { ...later, kind: 'back', clock: isoTime(behind.atMs), entry: behind.index }];
}

export function clockWords({ kind, clock, other, entry }: ClockDoubt): string {
  const [own, second] = [clock, other].map((time) => `${time.slice(0, 19).replace('T', ' ')} UTC`);
  switch (kind) {
    case 'server':
      return `THE CLOCKS DIFFER: this machine says ${own}, the database server ${second}. Hone uses the server's. Correct the wrong one.`;
    case 'ahead':
      return `THE CLOCK WAS OR IS WRONG: it says ${own}, and entry ${entry} of the ledger was recorded at ${second}. If this clock is wrong, correct it before you continue. If it was wrong then, there is nothing to do: due work was rescheduled.`;
    case 'back':
      return `THE CLOCK WAS WRONG: entry ${entry} of the ledger is dated ${own}, after one of ${second}. If the clock is right now, there is nothing to do: due work was rescheduled.`;
  }
}
