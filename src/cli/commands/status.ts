/** `hone status`: how things stand, in a second. Loads no more than it reads. */
import type { HealthCheck } from '../../health/health.ts';
import { collectStatus } from '../collect-status.ts';
import { type Context, withOpened } from '../context.ts';
import { type Io, plain, present, table, wrap } from '../io.ts';

export function status(context: Context): Promise<number> {
  return withOpened(context, async (opened) => {
    const result = await collectStatus(opened);
    present(context.io, result, (shown) => statusText(shown, context.io));
    return 0;
  });
}

interface Shown {
  readonly root: string;
  readonly store: string;
  readonly stopReason: string | null;
  readonly configuration: 'accepted' | 'edited' | 'missing';
  readonly ledger: { entries: number; unplaced: number; checkpointSize: number | null };
  readonly proposals: Readonly<Record<string, number>>;
  readonly effects: Readonly<Record<string, number>>;
  readonly health: readonly HealthCheck[];
  readonly troubles: readonly { work: string; attempts: number; error: string }[];
}

const CONFIGURATION = {
  accepted: 'accepted',
  edited: 'hone.yaml was edited; without effect until "hone config accept"',
  missing: 'hone.yaml is missing; what was accepted stays in effect',
};

function statusText(shown: Shown, io: Io): string {
  const { ledger } = shown;
  const signed =
    ledger.checkpointSize === null ? 'none signed yet' : `signed up to ${ledger.checkpointSize}`;
  const rows = [
    ['Repository', shown.root],
    ['Store', shown.store],
    ['Running', shown.stopReason === null ? 'allowed' : `STOPPED: ${plain(shown.stopReason)}`],
    ['Configuration', CONFIGURATION[shown.configuration]],
    ['Ledger', `${ledger.entries} entries, ${signed}${unplacedText(ledger.unplaced)}`],
    ['Proposals', countsText(shown.proposals)],
    ['Outbox', countsText(shown.effects)],
    ['Hone itself', healthText(shown.health)],
  ];
  const attention = [
    ...(shown.stopReason === null
      ? []
      : ['Everything automatic is stopped; "hone resume" lifts it.']),
    ...(shown.effects['dead'] || shown.effects['uncertain']
      ? ['Some effects need a person: see "hone outbox list".']
      : []),
    ...(shown.proposals['pending']
      ? ['Proposals wait for a decision: see "hone proposals list --state pending".']
      : []),
    ...shown.troubles.map(
      ({ work, attempts, error }) =>
        `${work} failed ${attempts} times: ${plain(error).slice(0, 300)}`,
    ),
  ];
  return table(rows) + attention.map((line) => io.style('yellow', wrap(line))).join('');
}

function healthText(checks: readonly HealthCheck[]): string {
  return checks
    .map(({ state, text }) => (state === 'ok' || state === 'unknown' ? text : `${text} (${state})`))
    .join(', ');
}

function unplacedText(unplaced: number): string {
  return unplaced === 0 ? '' : `, ${unplaced} waiting for their place`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
