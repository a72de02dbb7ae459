/**
 * Reading attestations. Only those about the exact content count, and of each kind the newest; of
 * validations the newest of each mode, of decisions the newest that is about the same thing.
 */
import { canonicalJson, type Digest, sha256Hex } from '../base/index.ts';
import {
  type Allowance,
  type Attestation,
  type AttestationKind,
  comparedId,
  type VerdictOf,
} from '../facts/index.ts';

/** Kinds of which a later attestation need not repeat an earlier one. */
type Scoped = 'validation' | 'decision';

/** `all` in the order they were made. */
export function latest<K extends Exclude<AttestationKind, Scoped>>(
  all: readonly Attestation[],
  kind: K,
  digest: string,
): Attestation<K> | undefined {
  return all.findLast((one) => one.kind === kind && one.contentDigest === digest) as
    | Attestation<K>
    | undefined;
}

/**
 * The newest approval or rejection of this, such as the deployment; decisions about anything else do not count here,
 * and neither do a request for changes or an escalation: they decide nothing.
 */
export function latestDecision(
  all: readonly Attestation[],
  digest: string,
  what: Allowance['what'] = 'deployment',
): Attestation<'decision'> | undefined {
  return all.findLast(
    (one): one is Attestation<'decision'> =>
      isDecision(one, digest, what) &&
      one.verdict !== 'changes_requested' &&
      one.verdict !== 'escalated',
  );
}

/**
 * The decision that a person made, where the newest one carries it over from an earlier base; else the newest one itself.
 * It does not say that it may be carried: the gate does.
 */
export function decidedBy(
  all: readonly Attestation[],
  digest: string,
): Attestation<'decision'> | undefined {
  const newest = latestDecision(all, digest);
  if (newest?.verdict !== 'carried') return newest;
  return all.find(
    (one): one is Attestation<'decision'> =>
      one.id === newest.carried?.decisionId && one.kind === 'decision',
  );
}

/** The newest word of each person on the deployment, in the order in which they were said. */
export function latestByPerson(
  all: readonly Attestation[],
  digest: string,
): readonly Attestation<'decision'>[] {
  const newest = new Map<string, Attestation<'decision'>>();
  for (const one of all) {
    if (!isDecision(one, digest, 'deployment')) continue;
    if (one.verdict === 'escalated' || one.verdict === 'carried') continue;
    const person = comparedId(one.actor.id);
    newest.delete(person);
    newest.set(person, one);
  }
  return [...newest.values()];
}

function isDecision(
  one: Attestation,
  digest: string,
  what: Allowance['what'],
): one is Attestation<'decision'> {
  return one.kind === 'decision' && one.contentDigest === digest && one.allows?.what === what;
}

/** Whether a person asked for the highest tier, whatever its content became since. */
export function isEscalated(all: readonly Attestation[]): boolean {
  return all.some(
    ({ kind, verdict, actor }) =>
      kind === 'decision' && verdict === 'escalated' && actor.kind === 'human',
  );
}

/** Whether a person holds it, whatever its content became since. */
export function isPaused(all: readonly Attestation[]): boolean {
  const hold = all.findLast(({ kind, actor }) => kind === 'hold' && actor.kind === 'human');
  return hold?.verdict === 'paused';
}

/** The newest verdict of each mode of validation, by the mode's name. */
export function latestByMode(
  all: readonly Attestation[],
  digest: string,
): ReadonlyMap<string, Attestation<'validation'>> {
  const newest = new Map<string, Attestation<'validation'>>();
  for (const one of all) {
    if (one.kind === 'validation' && one.contentDigest === digest) newest.set(one.mode, one);
  }
  return new Map([...newest].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Modes of validation whose verdict every deployment needs; of a list in it, that of one is enough. */
export type RequiredModes = readonly (string | readonly string[])[];

/** What all modes say together. */
export interface Validation {
  /** Undefined while a required mode has no verdict, unless another one failed. */
  readonly verdict: VerdictOf<'validation'> | undefined;
  /** Measured by some mode, and denied by none. */
  readonly improvesTarget: boolean;
  /** Required modes without a verdict. */
  readonly missingModes: readonly string[];
}

/** One failed mode fails it, even if another passed later; it passes only if all passed. */
export function validationOf(
  all: readonly Attestation[],
  digest: string,
  requiredModes: RequiredModes,
): Validation {
  const byMode = latestByMode(all, digest);
  const said = [...byMode.values()];
  const missingModes = requiredModes
    .map((mode) => (typeof mode === 'string' ? [mode] : mode))
    .filter((anyOf) => !anyOf.some((mode) => byMode.has(mode)))
    .map((anyOf) => anyOf.join(' or '));
  const measured = said.map(({ improvesTarget }) => improvesTarget);
  return {
    verdict: combined(said, missingModes.length > 0),
    improvesTarget: measured.includes(true) && !measured.includes(false),
    missingModes,
  };
}

function combined(
  said: readonly Attestation<'validation'>[],
  isIncomplete: boolean,
): VerdictOf<'validation'> | undefined {
  const verdicts = said.map(({ verdict }) => verdict);
  if (verdicts.includes('failed')) return 'failed';
  if (isIncomplete || verdicts.length === 0) return undefined;
  return verdicts.every((verdict) => verdict === 'passed') ? 'passed' : 'inconclusive';
}

/**
 * What a decision's maker was shown: the newest vetting and the newest validation of each mode, of this
 * content, with their files. A decision names this digest; new evidence makes another digest and needs a new
 * decision.
 */
export function evidenceDigest(all: readonly Attestation[], digest: string): Digest {
  const vetting = latest(all, 'vetting', digest);
  const validations = [...latestByMode(all, digest)].map(([mode, one]) => ({
    mode,
    ...shown(one),
  }));
  const evidence = { digest, vetting: vetting ? shown(vetting) : null, validations };
  return `sha256:${sha256Hex(canonicalJson(evidence))}`;
}

function shown({ id, verdict, artifacts }: Attestation) {
  return { id, verdict, artifacts };
}

/** Whether a person let this very content out of quarantine. */
export function isReleased(all: readonly Attestation[], digest: string): boolean {
  return all.some(
    ({ kind, verdict, contentDigest, actor }) =>
      kind === 'vetting' &&
      verdict === 'released' &&
      contentDigest === digest &&
      actor.kind === 'human',
  );
}

/** How the newest rollback attempt went, or what a person said about it; a request alone is neither. */
export function rollbackOutcome(
  all: readonly Attestation[],
  digest: string,
): Attestation<'rollback'> | undefined {
  return all.findLast(
    (one): one is Attestation<'rollback'> =>
      one.kind === 'rollback' && one.contentDigest === digest && one.verdict !== 'requested',
  );
}

export type RollbackCall = Attestation<'monitoring' | 'rollback'>;

/**
 * The newest call for a rollback, answered or not: the watch's, unless it found it stable since, or a person's,
 * which no verdict of the watch cancels. A request by anybody else does not count.
 */
export function rollbackCall(
  all: readonly Attestation[],
  digest: string,
): RollbackCall | undefined {
  const watched = latest(all, 'monitoring', digest);
  const requested = all.findLast(
    (one) =>
      one.kind === 'rollback' &&
      one.verdict === 'requested' &&
      one.contentDigest === digest &&
      one.actor.kind === 'human',
  );
  return all.findLast(
    (one): one is RollbackCall =>
      one === requested || (one === watched && watched.verdict === 'degraded'),
  );
}

/** Somebody, or the watch, called for a rollback, and it is not done yet. */
export function isCalledBack(all: readonly Attestation[], digest: string): boolean {
  const call = rollbackCall(all, digest);
  if (call === undefined) return false;
  const outcome = rollbackOutcome(all, digest);
  if (outcome === undefined || all.indexOf(outcome) < all.indexOf(call)) return true;
  // Only a person can waive a rollback.
  const waived = outcome.verdict === 'waived' && outcome.actor.kind === 'human';
  return outcome.verdict !== 'done' && !waived;
}

/** Whether hooks or checks are still to come between the branch and the agents. */
export function isArrivalAwaited(all: readonly Attestation[], digest: string): boolean {
  return latest(all, 'arrival', digest)?.verdict === 'awaited';
}
