/**
 * Changes that no person decides. A tier that an operator switched on decides by itself, while nothing that Hone took
 * back for harm pauses it, within the limit of changes in 24 hours, where the repository names no owner of a changed file, and where the
 * policies let it. Everything else about the
 * change is judged as ever: the gate reads the same attestations, and this only says which tiers need no person.
 *
 * Where a tier no longer decides by itself, the change is validated and asked about: nobody was told of it before.
 */
import { askedTier } from '../approve/index.ts';
import { SYSTEM, type Tier } from '../facts/index.ts';
import { AUTOMATIC_TIERS, type AutomaticTier, readAutomatic } from '../policy/index.ts';
import {
  type Dossier,
  latestDecision,
  ownApprovals,
  type ProposalStep,
  takenBackForHarm,
} from '../proposal/index.ts';
import type { Expectation, Store } from '../store/index.ts';
import type { Moment } from './moment.ts';
import { ownedFiles } from './owners.ts';
import { proposalSubject } from './right-subject.ts';

const DAY_MS = 86_400_000;

export interface SwitchedOn {
  readonly tiers: readonly AutomaticTier[];
  /** Switched off meanwhile, what was decided by it is not committed. */
  readonly expect: readonly Expectation[];
}

/** The tiers that decide by themselves now. */
export async function switchedOn(store: Store): Promise<SwitchedOn> {
  const { on, sinceMs, unchanged } = await readAutomatic(store);
  if (on.length === 0) return { tiers: [], expect: [] };
  if ((await takenBackForHarm(store, sinceMs)) !== undefined) return { tiers: [], expect: [] };
  return { tiers: on, expect: unchanged };
}

const isAutomatic = (tier: Tier | undefined): boolean =>
  (AUTOMATIC_TIERS as readonly (Tier | undefined)[]).includes(tier);

/** The moment with the tiers that need no person for this proposal. `askedAt`: the tier at which it was put to a decision. */
export async function withOwnTiers(
  dossier: Dossier,
  moment: Moment,
  askedAt: Tier | 'not yet' | undefined,
): Promise<Moment> {
  if (!isAutomatic(askedTier(dossier, moment.gate))) return moment;
  // A person who was asked is waited for, also when Hone could decide by itself by then.
  const isPersons = askedAt !== 'not yet' && !isAutomatic(askedAt);
  const isOwned = async () => (await ownedFiles(dossier, moment)).length > 0;
  const may =
    isPersons || (await isLimitReached(dossier, moment)) || (await isOwned())
      ? undefined
      : await mayDecide(dossier, moment);
  if (may === undefined) return { ...moment, gate: { ...moment.gate, automaticTiers: [] } };
  return { ...moment, allowedBy: may };
}

/** Of two that decide at the same moment, the earlier one counts for the other. */
async function isLimitReached(dossier: Dossier, moment: Moment): Promise<boolean> {
  const { store, nowMs, config } = moment;
  const { id, digest } = dossier.proposal;
  const decision = latestDecision(dossier.attestations, digest);
  const isOwn = decision?.actor.kind === 'system';
  const others = (await ownApprovals(store, nowMs - DAY_MS)).filter(
    ({ proposalId, atMs }) =>
      proposalId !== id &&
      (!isOwn || atMs < decision.atMs || (atMs === decision.atMs && proposalId < id)),
  );
  return others.length >= config.limits.automaticChanges;
}

async function mayDecide(dossier: Dossier, moment: Moment): Promise<readonly string[] | undefined> {
  const answer = await moment.rights.judge({
    who: { actor: SYSTEM, role: undefined },
    action: 'decide_alone',
    subject: proposalSubject(dossier, moment.gate),
    door: 'loop',
  });
  return answer.allowed ? answer.by : undefined;
}

/** For one that was to be decided (`pending`), or was decided, without a person, where one is needed now. */
export function askPersonNow(
  dossier: Dossier,
  moment: Moment,
  askedAt: Tier | undefined,
): ProposalStep | undefined {
  if (isAutomatic(askedTier(dossier, moment.gate))) return undefined;
  const { state, digest } = dossier.proposal;
  const decision = latestDecision(dossier.attestations, digest);
  const isOwn = decision?.verdict === 'approved' && decision.actor.kind === 'system';
  if (!(state === 'pending' ? isAutomatic(askedAt) : isOwn)) return undefined;
  const did =
    'No tier decides it without a person any more (switched off, paused after a rollback, the limit of a day is reached, or a file has an owner): it is validated and asked about';
  return { did, to: 'validating' };
}
