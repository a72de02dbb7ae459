/**
 * Why proposals do not move: what their last step said, what keeps failing, that everything is stopped, or
 * that no process takes their steps. And which of them need a person. It loads only what it reads, for
 * `hone status`.
 */
import { isoTime } from '../base/index.ts';
import type { ProposalState } from '../facts/index.ts';
import { proposedRollbacks } from '../monitor/at-start.ts';
import {
  AT_THE_TARGET,
  type NamedProposal,
  namedById,
  namedByState,
} from '../proposal/at-start.ts';
import type { Store } from '../store/index.ts';
import type { Work } from './types.ts';
import { openProposalWorks } from './works.ts';

/** A running Hone takes a step that is due within seconds. */
const UNATTENDED_MS = 60_000;
/** More than a person looks through; `hone proposals list` has the rest. */
const NEEDED_MAX = 100;

/** In these states watching and rolling back go on, even while everything is stopped. */
const WATCHED: readonly ProposalState[] = ['monitoring', 'implemented'];

export interface WaitingProposal extends NamedProposal {
  readonly why: string;
  /** It keeps failing. */
  readonly failing: boolean;
}

export interface NeedsPerson extends NamedProposal {
  readonly need: 'settle' | 'release' | 'decide' | 'roll_back';
  readonly why: string | null;
}

export interface Surrounding {
  readonly nowMs: number;
  readonly stopped: boolean;
}

/** The longest waiting first. A proposal not listed waits for nothing, or its state says that it needs a person. */
export async function waitingProposals(
  store: Store,
  surrounding: Surrounding,
): Promise<WaitingProposal[]> {
  return waitingOf(await openWorks(store), surrounding);
}

interface OpenWorks {
  readonly works: readonly Work[];
  readonly named: ReadonlyMap<string, NamedProposal>;
}

/** What it is made of, from rows alone. */
export async function openWorks(store: Store): Promise<OpenWorks> {
  const works = await openProposalWorks(store);
  return { works, named: await namedOf(store, works) };
}

export function waitingOf(
  { works, named }: OpenWorks,
  surrounding: Surrounding,
): WaitingProposal[] {
  return works.flatMap((work) => {
    const proposal = named.get(work.subject);
    const why = proposal && reasonFor(work, proposal.state, surrounding);
    if (proposal === undefined || why === undefined) return [];
    return [{ ...proposal, why, failing: work.error !== null }];
  });
}

function reasonFor(work: Work, state: ProposalState, now: Surrounding): string | undefined {
  const { error, attempts, dueAtMs, data } = work;
  if (error !== null) return `failed ${attempts} ${attempts === 1 ? 'time' : 'times'}: ${error}`;
  const overdueMs = now.nowMs - dueAtMs!;
  if (now.stopped && overdueMs >= 0 && !WATCHED.includes(state)) {
    return 'everything automatic is stopped; "hone resume" lifts it';
  }
  if (overdueMs > UNATTENDED_MS) {
    const since = isoTime(dueAtMs!).slice(0, 16).replace('T', ' ');
    return `its next step has been due since ${since}; "hone up" or "hone cycle" takes it`;
  }
  return (data as { waiting?: string }).waiting;
}

/** A change that could not be taken back, one whose record cannot be trusted, and what vetting holds. */
export async function proposalsThatNeedAPerson(store: Store): Promise<NeedsPerson[]> {
  const held = await namedByState(store, 'quarantined', NEEDED_MAX);
  return [
    ...(await leftAtTheTarget(store)),
    ...(await seemHarmful(store)),
    ...held.map((one) => ({ ...one, need: 'release' as const, why: null })),
  ];
}

/** Changes that stayed and whose rollback is proposed since. */
async function seemHarmful(store: Store): Promise<NeedsPerson[]> {
  const proposed = await proposedRollbacks(store, NEEDED_MAX);
  const named = await namedById(
    store,
    proposed.map(({ proposalId }) => proposalId),
  );
  return proposed.flatMap(({ proposalId, rollback }) => {
    const one = named.find(({ id }) => id === proposalId);
    if (one?.state !== 'implemented') return [];
    return [{ ...one, need: 'roll_back' as const, why: rollback!.why }];
  });
}

async function leftAtTheTarget(store: Store): Promise<NeedsPerson[]> {
  const { works, named } = await openWorks(store);
  const there = [...named.values()].filter(({ state }) => AT_THE_TARGET.includes(state));
  if (there.length === 0) return [];
  const [{ readDossier }, { isStuck }] = await Promise.all([
    import('../proposal/index.ts'),
    import('./stuck.ts'),
  ]);
  const stuck: NeedsPerson[] = [];
  const undecided: NeedsPerson[] = [];
  for (const one of there.slice(0, NEEDED_MAX)) {
    const work = works.find(({ subject }) => subject === one.id)!;
    // One that cannot be read must not hide the others; its own step fails with the reason.
    const dossier = await readDossier(store, one.id).catch(() => undefined);
    if (dossier !== undefined && isStuck(dossier))
      stuck.push({ ...one, need: 'settle', why: null });
    else if ((work.data as { needsPerson?: boolean }).needsPerson === true)
      undecided.push({ ...one, need: 'decide', why: null });
  }
  return [...stuck, ...undecided];
}

async function namedOf(
  store: Store,
  works: readonly Work[],
): Promise<ReadonlyMap<string, NamedProposal>> {
  const named = await namedById(
    store,
    works.map(({ subject }) => subject),
  );
  return new Map(named.map((one) => [one.id, one]));
}
