/** What a monitoring system asks of Hone, from the status that people see. */
import type { Status } from '../contracts/status.ts';
import { EFFECT_STATES, PROPOSAL_STATES } from '../facts/index.ts';
import type { AppContext } from './context.ts';
import { status } from './status.ts';

export interface Metric {
  readonly name: string;
  readonly about: string;
  readonly kind: 'gauge' | 'counter';
  readonly samples: readonly {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
}

export async function metrics(context: AppContext): Promise<Metric[]> {
  return metricsOf(await status(context));
}

function metricsOf(shown: Status): Metric[] {
  const gauge = (name: string, about: string, samples: Metric['samples']): Metric => ({
    name: `hone_${name}`,
    about,
    kind: 'gauge',
    samples,
  });
  const one = (value: number | boolean) => [{ value: Number(value) }];
  const byState = (states: readonly string[], counts: Readonly<Record<string, number>>) =>
    states.map((state) => ({ labels: { state }, value: counts[state] ?? 0 }));
  return [
    gauge('stopped', 'Whether the kill switch is on.', one(shown.stopped)),
    gauge('proposals', 'Proposals by state.', byState(PROPOSAL_STATES, shown.proposals)),
    gauge('effects', 'Effects outside Hone by state.', byState(EFFECT_STATES, shown.effects)),
    gauge('needs_person', 'Proposals that wait for a person.', one(shown.needsPerson.length)),
    gauge(
      'troubled_works',
      'Units of work that failed and are tried again.',
      one(shown.troubles.length),
    ),
    gauge('waiting_triggers', 'What waits for a cycle.', one(shown.triggers)),
    gauge(
      'gates_not_enforced',
      'Gates that only observe or are off.',
      one(shown.notEnforced.length),
    ),
    {
      ...gauge('ledger_entries_total', 'Entries of the ledger.', one(shown.ledger.entries)),
      kind: 'counter',
    },
    gauge('ledger_unplaced', 'Entries that wait for their place.', one(shown.ledger.unplaced)),
    gauge(
      'events_received_last_hour',
      'Events sent to the receiver in the last hour.',
      shown.receiver.lastHour === null ? [] : one(shown.receiver.lastHour),
    ),
    gauge(
      'health',
      'Health measures of Hone itself: 0 ok, 1 warning, 2 error; absent where it is not known.',
      shown.health.flatMap(({ id, state }) =>
        state === 'unknown' ? [] : [{ labels: { id }, value: LEVELS[state] }],
      ),
    ),
  ];
}

const LEVELS = { ok: 0, warning: 1, error: 2 } as const;
