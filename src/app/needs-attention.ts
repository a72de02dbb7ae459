/** What a tired operator must not overlook in `hone status`: who can act, what waits and why, what needs them. */
import { isoTime } from '../base/index.ts';
import type { Status } from '../contracts/status.ts';
import type { EntryPayload } from '../facts/index.ts';
import { isFromReset, type Token, Tokens } from '../identity/at-start.ts';
import { LedgerView, TOKENS_SUBJECT } from '../ledger/index.ts';
import { proposalsThatNeedAPerson, waitingProposals } from '../loop/at-start.ts';
import type { Store } from '../store/index.ts';

const RESET_SHOWN_MS = 7 * 86_400_000;
/** What waits by design: a decision, the end of a watch. Their states say it. */
const EXPECTED = ['pending', 'monitoring', 'implemented'];
/** More token entries than there are in the days that a reset is shown. */
const ENTRIES_MAX = 1000;

type Attention = Pick<
  Status,
  'operators' | 'firstOperatorMissing' | 'tokensReset' | 'waiting' | 'needsPerson'
>;
type Reset = NonNullable<Status['tokensReset']>;

export async function collectAttention(
  store: Store,
  surrounding: { nowMs: number; stopped: boolean },
): Promise<Attention> {
  const [tokens, waiting, needed] = await Promise.all([
    tokenState(store, surrounding.nowMs),
    waitingProposals(store, surrounding),
    proposalsThatNeedAPerson(store),
  ]);
  return {
    ...tokens,
    // Steps that keep failing are listed elsewhere.
    waiting: waiting
      .filter(({ state, failing }) => !failing && !EXPECTED.includes(state))
      .map(({ id, state, title, why }) => ({ proposal: id, state, title, why })),
    needsPerson: needed.map(({ id, state, title, need, why }) => ({
      proposal: id,
      state,
      title,
      need,
      why,
    })),
  };
}

async function tokenState(store: Store, nowMs: number) {
  const operators = (await new Tokens(store).list()).filter(({ role }) => role === 'operator');
  // The ledger is read, and its schemas are loaded, only where there was a reset.
  const reset = operators.findLast(
    (one) => isFromReset(one) && nowMs - one.createdAtMs < RESET_SHOWN_MS,
  );
  return {
    operators: operators.filter(({ revokedAtMs }) => revokedAtMs === null).length,
    firstOperatorMissing: operators.length === 0,
    tokensReset: reset === undefined ? null : await newestReset(store, reset),
  };
}

/** The ledger says who and why; the reset is shown even while its entry has no place yet. */
async function newestReset(store: Store, token: Token): Promise<Reset> {
  const view = new LedgerView(store);
  const about = { subject: TOKENS_SUBJECT, newestFirst: true, limit: ENTRIES_MAX };
  const newest = (await view.entries(about)).find(
    ({ entry }) => entry.type === 'identity.tokens_reset',
  );
  if (newest === undefined) {
    const reason = 'the ledger says why ("hone ledger show")';
    return { at: isoTime(token.createdAtMs), by: 'somebody', name: token.name, reason };
  }
  const { at, actor, data } = newest.entry;
  const { name, reason } = data as EntryPayload<'identity.tokens_reset'>;
  return { at, by: actor.id, name, reason };
}
