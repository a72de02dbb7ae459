/** How much of what Hone may do by itself is used, and what pauses, until when. Loads more only where something may pause. */
import { isoTime } from '../base/index.ts';
import type { Status } from '../contracts/status.ts';
import type { ProposalState } from '../facts/index.ts';
import { wasSetBackSince } from '../learn/at-start.ts';
import { automaticCycles, freeAgainMs } from '../loop/at-start.ts';
import { readAutomatic } from '../policy/at-start.ts';
import { OPEN_STATES, ownApprovals, takenBackForHarm } from '../proposal/at-start.ts';
import type { Store } from '../store/index.ts';
import type { Opened } from './context.ts';

const DAY_MS = 86_400_000;
const OPEN_MAX = 1000;

type HeldBack = Pick<Status, 'limits' | 'pauses'>;
type Limit = Status['limits'][number];

export async function heldBack(
  { store, config }: Pick<Opened, 'store' | 'config'>,
  { nowMs, proposals }: { readonly nowMs: number; readonly proposals: Status['proposals'] },
): Promise<HeldBack> {
  const { limits, deploy } = config;
  const sinceMs = nowMs - DAY_MS;
  const { on, sinceMs: resetMs } = await readAutomatic(store);
  const daily = (limit: Limit['limit'], times: readonly { atMs: number }[], max: number): Limit => {
    const freeMs = times.length < max ? undefined : freeAgainMs(times, max);
    const freeAt = freeMs === undefined ? null : isoTime(freeMs);
    return { limit, used: times.length, max, freeAt };
  };
  const open = (['draft', ...OPEN_STATES] satisfies ProposalState[]).reduce(
    (sum, state) => sum + (proposals[state] ?? 0),
    0,
  );
  const harmful = on.length === 0 ? undefined : await takenBackForHarm(store, resetMs);
  return {
    limits: [
      daily('cycles', await automaticCycles(store, sinceMs), limits.cyclesPerDay),
      { limit: 'open_proposals', used: open, max: limits.openProposals, freeAt: null },
      ...(deploy.forge === 'github'
        ? [daily('pull_requests', await pullsSince(store, sinceMs), limits.pullRequestsPerDay)]
        : []),
      ...(on.length === 0
        ? []
        : [
            daily('automatic_changes', await ownApprovals(store, sinceMs), limits.automaticChanges),
          ]),
    ],
    pauses: [
      ...(harmful === undefined ? [] : [automaticPause(harmful)]),
      ...(await pauses(store, { nowMs, config })),
    ],
  };
}

/** Loaded only where there are any. */
async function pullsSince(store: Store, sinceMs: number) {
  const { openedPulls } = await import('../loop/index.ts');
  return openedPulls(store, sinceMs);
}

function automaticPause(proposal: string): Status['pauses'][number] {
  const why = `${proposal} was taken back for its harm, so a person is asked about every change`;
  return { what: 'automatic', name: 'every tier', why, until: null };
}

async function pauses(
  store: Store,
  now: { readonly nowMs: number; readonly config: Opened['config'] },
): Promise<Status['pauses']> {
  const { rejectionPause, failurePause } = now.config.limits;
  const sinceMs = now.nowMs - Math.max(rejectionPause, failurePause);
  if (!(await wasSetBackSince(store, sinceMs))) return [];
  const [{ pausesNow }, { pauseQuestion }, { listProposals, readDossier }] = await Promise.all([
    import('../learn/index.ts'),
    import('../loop/index.ts'),
    import('../proposal/index.ts'),
  ]);
  const listed = await listProposals(store, { states: OPEN_STATES, limit: OPEN_MAX });
  const open = await Promise.all(listed.map(({ id }) => readDossier(store, id)));
  return (await pausesNow(store, pauseQuestion(now, open))).map(({ of, why, untilMs }) => ({
    what: 'generator' in of ? ('generator' as const) : ('category' as const),
    name: 'generator' in of ? of.generator : of.category,
    why,
    until: isoTime(untilMs),
  }));
}
