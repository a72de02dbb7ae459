/**
 * How many pull requests are opened in 24 hours: people read each of them. A change that would open one too many waits where
 * it is, and says until when. One that has its own already, and whatever takes a change back, never waits.
 */

import { isoTime } from '../base/index.ts';
import { judgeLimit, letPassEntry } from '../policy/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import type { Expectation } from '../store/index.ts';
import { freeAgainMs } from './free-again.ts';
import type { Moment } from './moment.ts';
import { openedPulls } from './opened-pulls.ts';

const DAY_MS = 86_400_000;
/** Somebody may lift the limit meanwhile. */
const LOOK_AGAIN_MS = 15 * 60_000;
/** What a step that opens a pull request needs: to wait, or what it commits with. Undefined where it opens none. */
export async function pullGate(
  { proposal }: Dossier,
  step: 'ask' | 'prepare',
  { store, config, switches, nowMs }: Moment,
): Promise<{ readonly wait: ProposalStep } | PulledPart | undefined> {
  const { forge, github } = config.deploy;
  if (forge !== 'github' || (step === 'ask' && !github.draftPulls)) return undefined;
  // Every pull request that there ever was: this change may have waited for its decision for weeks.
  const opened = await openedPulls(store, 0);
  if (opened.some(({ proposalId }) => proposalId === proposal.id)) return undefined;
  const today = opened.filter(({ atMs }) => atMs > nowMs - DAY_MS);
  const max = config.limits.pullRequestsPerDay;
  const { mode, unchanged } = await switches.read('limits');
  const judged = judgeLimit('pullRequestsPerDay', { count: today.length, max, mode });
  const number = judged.letPass ? max : judged.max;
  const were = today.length === 1 ? '1 pull request was' : `${today.length} pull requests were`;
  const why = `${were} opened in 24 hours; the limit is ${number}`;
  if (!judged.allowed) {
    const freeAtMs = freeAgainMs(today, judged.max);
    const until = freeAtMs === undefined ? '' : ` It goes on at ${minute(freeAtMs)} UTC.`;
    const did = `It waits: ${why} (limits.pullRequestsPerDay).${until}`;
    return { wait: { did, dueAtMs: Math.min(freeAtMs ?? Infinity, nowMs + LOOK_AGAIN_MS) } };
  }
  if (!judged.letPass) return { entries: [], expect: unchanged };
  const passed = { gate: 'limits', what: 'pull requests a day', why };
  return {
    entries: [letPassEntry(passed, `proposal:${proposal.id}`, nowMs)],
    expect: unchanged,
  };
}

interface PulledPart {
  readonly entries: NonNullable<ProposalStep['entries']>;
  readonly expect: readonly Expectation[];
}

const minute = (atMs: number) => isoTime(atMs).slice(0, 16).replace('T', ' ');
