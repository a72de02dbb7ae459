/**
 * V1 to V10, checked from the record alone: what an auditor could say of a ledger, without trusting the
 * code that wrote it. Pure; the caller reads the ledger, the contents and what else is asked for.
 */
import {
  type Entry,
  type EntryPayload,
  type Pattern,
  type ProposalContent,
  TIERS,
  type VerdictOf,
} from '../facts/index.ts';
import { requiredTier } from '../proposal/index.ts';

type InvariantId = 'V1' | 'V2' | 'V3' | 'V4' | 'V5' | 'V6' | 'V7' | 'V8' | 'V9' | 'V10';

export interface Violation {
  readonly invariant: InvariantId;
  readonly subject: string;
  readonly text: string;
}

export interface InvariantInput {
  /** The whole ledger, in order. */
  readonly entries: readonly Entry[];
  /** A proposal's content by its digest; undefined when it is not there or not valid. */
  content(digest: string): ProposalContent | undefined;
  pattern(id: string): Pattern | undefined;
  eventExists(reference: string): boolean;
  /** What observing costs of what is observed; null when it was not measured. */
  readonly overheadShare: number | null;
  readonly rollbackMs: number;
}

const DAY_MS = 86_400_000;
const OVERHEAD_MAX = 0.05;

/** One proposal's way, folded from its entries. */
interface Way {
  readonly subject: string;
  digest: string;
  readonly attested: (EntryPayload<'proposal.attested'> & {
    actor: Entry['actor'];
    atMs: number;
  })[];
  readonly violations: Violation[];
  /** Since when it is to be taken back: harm was seen, or a person asked for it. */
  calledBackAtMs: number | null;
  createdAtMs: number;
  ended: boolean;
  learnt: boolean;
}

const ENDS = new Set(['implemented', 'reverted', 'rejected', 'failed', 'aborted']);

export function checkInvariants(input: InvariantInput): Violation[] {
  const ways = new Map<string, Way>();
  const violations: Violation[] = [];
  for (const entry of input.entries) {
    if (entry.type === 'proposal.created') ways.set(entry.subject, newWay(entry));
    const way = ways.get(entry.subject);
    if (way !== undefined) follow(way, entry, input);
  }
  for (const way of ways.values()) violations.push(...way.violations, ...atTheEnd(way));
  return [
    ...violations,
    ...cyclesLearnt(input.entries),
    ...overhead(input),
    ...cyclesAtOnce(input.entries),
    ...metaChanges([...ways.values()], input),
  ];
}

function newWay(entry: Entry): Way {
  return {
    subject: entry.subject,
    digest: '',
    attested: [],
    violations: [],
    calledBackAtMs: null,
    createdAtMs: Date.parse(entry.at),
    ended: false,
    learnt: false,
  };
}

function follow(way: Way, entry: Entry, input: InvariantInput): void {
  const atMs = Date.parse(entry.at);
  switch (entry.type) {
    case 'proposal.created':
    case 'proposal.amended':
      way.digest = (entry.data as EntryPayload<'proposal.created'>).contentDigest;
      way.violations.push(...complete(way, input));
      break;
    case 'proposal.attested': {
      const data = entry.data as EntryPayload<'proposal.attested'>;
      way.attested.push({ ...data, actor: entry.actor, atMs });
      if (isCall(data, entry)) way.calledBackAtMs ??= atMs;
      if (data.kind === 'rollback' && data.verdict === 'done') {
        way.violations.push(...rolledBackInTime(way, atMs, input.rollbackMs));
        way.calledBackAtMs = null;
      }
      // Only a person may decide, on record, that harm stays.
      if (data.kind === 'rollback' && data.verdict === 'waived' && entry.actor.kind === 'human')
        way.calledBackAtMs = null;
      break;
    }
    case 'proposal.advanced': {
      const { to } = entry.data as EntryPayload<'proposal.advanced'>;
      if (to === 'deploying') way.violations.push(...atTheGate(way, input));
      way.ended = ENDS.has(to);
      if (way.ended) way.learnt = false;
      break;
    }
    case 'learn.fix_recorded':
      way.learnt = true;
      break;
    default:
  }
}

type Attested = Way['attested'][number];

function isCall(data: EntryPayload<'proposal.attested'>, { actor }: Entry): boolean {
  if (data.kind === 'monitoring') return data.verdict === 'degraded';
  return data.kind === 'rollback' && data.verdict === 'requested' && actor.kind === 'human';
}

function newest<K extends Attested['kind']>(
  { attested, digest }: Way,
  kind: K,
): Extract<Attested, { kind: K }> | undefined {
  return attested.findLast((one) => one.kind === kind && one.contentDigest === digest) as
    | Extract<Attested, { kind: K }>
    | undefined;
}

/** The newest verdict of each mode of validation: a failed one is not outweighed by another mode. */
function validationOf({ attested, digest }: Way) {
  const byMode = new Map<string, Extract<Attested, { kind: 'validation' }>>();
  for (const one of attested)
    if (one.kind === 'validation' && one.contentDigest === digest) byMode.set(one.mode, one);
  const said = [...byMode.values()];
  if (said.length === 0) return undefined;
  const verdicts = said.map(({ verdict }) => verdict);
  const measured = said.map(({ improvesTarget }) => improvesTarget);
  return {
    verdict: worst(verdicts),
    improvesTarget: measured.includes(true) && !measured.includes(false),
  };
}

function worst(verdicts: readonly VerdictOf<'validation'>[]): VerdictOf<'validation'> {
  if (verdicts.includes('failed')) return 'failed';
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'passed';
}

function deploymentDecision({ attested, digest }: Way) {
  return attested.findLast(
    (one): one is Extract<Attested, { kind: 'decision' }> =>
      one.kind === 'decision' &&
      one.contentDigest === digest &&
      one.allows.what === 'deployment' &&
      (one.verdict === 'approved' || one.verdict === 'rejected' || one.verdict === 'carried'),
  );
}

const CARRIED_MS_MAX = 7 * DAY_MS;

/**
 * The person's own approval behind one that was carried over to another base: of other bytes, below require on both, not
 * older than a week, and nobody took the change back since. Undefined where there is none, and the decision counts for nothing.
 */
function approvalBehind(
  { attested }: Way,
  decision: Extract<Attested, { kind: 'decision' }>,
): Extract<Attested, { kind: 'decision' }> | undefined {
  const { carried, atMs } = decision;
  const at = attested.findIndex((one) => one.attestationId === carried?.decisionId);
  const named = attested[at];
  if (named?.kind !== 'decision' || named.verdict !== 'approved') return undefined;
  const isRight =
    named.contentDigest === carried?.fromDigest &&
    named.contentDigest !== decision.contentDigest &&
    named.tier !== 'require' &&
    decision.tier !== 'require' &&
    atMs - named.atMs >= 0 &&
    atMs - named.atMs <= CARRIED_MS_MAX &&
    !attested
      .slice(at)
      .some(
        ({ kind, verdict, actor }) =>
          kind === 'rollback' && verdict === 'requested' && actor.kind === 'human',
      );
  return isRight ? named : undefined;
}

/** V1 to V4, at the moment it went to the target. */
function atTheGate(way: Way, input: InvariantInput): Violation[] {
  const found: Violation[] = [];
  const say = (invariant: InvariantId, text: string) =>
    found.push({ invariant, subject: way.subject, text });
  const validation = validationOf(way);
  const decision = deploymentDecision(way);
  const content = input.content(way.digest);
  const said = decision?.verdict === 'carried' ? approvalBehind(way, decision) : decision;
  const byPerson = said?.actor.kind === 'human' && said.verdict === 'approved';
  if (validation?.verdict !== 'passed') {
    const asked = validation?.verdict === 'inconclusive' && decision?.tier === 'require';
    if (!asked || !byPerson) say('V1', 'deployed without a passed validation');
  }
  if (validation === undefined || decision === undefined) {
    say('V2', 'the record lacks the validation or the decision');
  }
  if (newest(way, 'backup')?.verdict !== 'made') say('V3', 'deployed without a backup');
  if (decision !== undefined && content !== undefined) {
    const { verdict = 'failed', improvesTarget = false } = validation ?? {};
    const needed = requiredTier(content, verdict, improvesTarget);
    const { tier } = decision;
    const kept = TIERS.indexOf(tier) >= TIERS.indexOf(needed);
    const isOwn = decision.verdict !== 'carried' && (tier === 'auto' || tier === 'notify');
    const person = isOwn || byPerson;
    if (!kept || !person) say('V4', `needed tier ${needed}, decided at ${tier}`);
  }
  return found;
}

/** V5 and V6, for every content there was. */
function complete(way: Way, input: InvariantInput): Violation[] {
  const content = input.content(way.digest);
  const { subject } = way;
  if (content === undefined)
    return [{ invariant: 'V6', subject, text: 'its content is missing or not complete' }];
  if (content.patternId === null) return [];
  const pattern = input.pattern(content.patternId);
  const enough = pattern !== undefined && pattern.occurrences >= 3;
  const traceable =
    content.evidence.length > 0 && content.evidence.every((one) => input.eventExists(one));
  return enough && traceable
    ? []
    : [
        {
          invariant: 'V5',
          subject,
          text: 'fewer than 3 occurrences, or evidence without an event',
        },
      ];
}

function rolledBackInTime(way: Way, doneMs: number, limitMs: number): Violation[] {
  if (way.calledBackAtMs === null || doneMs - way.calledBackAtMs <= limitMs) return [];
  const seconds = Math.round((doneMs - way.calledBackAtMs) / 1000);
  return [{ invariant: 'V9', subject: way.subject, text: `rolled back after ${seconds} s` }];
}

function atTheEnd(way: Way): Violation[] {
  const { subject } = way;
  const found: Violation[] = [];
  if (way.calledBackAtMs !== null)
    found.push({ invariant: 'V9', subject, text: 'its rollback was requested and not done' });
  if (way.ended && !way.learnt)
    found.push({ invariant: 'V8', subject, text: 'nothing was learnt from how it ended' });
  return found;
}

function cyclesLearnt(entries: readonly Entry[]): Violation[] {
  const learnt = new Set(
    entries.filter(({ type }) => type === 'learn.cycle_recorded').map(({ subject }) => subject),
  );
  return entries
    .filter(({ type, subject }) => type === 'loop.cycle_finished' && !learnt.has(subject))
    .map(({ subject }) => ({ invariant: 'V8', subject, text: 'nothing was learnt from a cycle' }));
}

function overhead({ overheadShare }: InvariantInput): Violation[] {
  if (overheadShare === null || overheadShare < OVERHEAD_MAX) return [];
  const percent = (overheadShare * 100).toFixed(1);
  return [{ invariant: 'V7', subject: 'hone:observe', text: `observing costs ${percent} %` }];
}

/** V7: one cycle at a time, however it began. */
function cyclesAtOnce(entries: readonly Entry[]): Violation[] {
  const found: Violation[] = [];
  let running: string | undefined;
  for (const { type, subject } of entries) {
    if (type === 'loop.cycle_started') {
      if (running !== undefined)
        found.push({ invariant: 'V7', subject, text: `it began while ${running} was running` });
      running = subject;
    }
    if (type === 'loop.cycle_finished' && subject === running) running = undefined;
  }
  return found;
}

/** V10: changes to Hone itself, at most one a day, never proposed by Hone. */
function metaChanges(ways: readonly Way[], input: InvariantInput): Violation[] {
  const meta = ways.filter((way) => input.content(way.digest)?.type === 'meta');
  const days = new Map<number, number>();
  const found: Violation[] = [];
  for (const way of meta) {
    const day = Math.floor(way.createdAtMs / DAY_MS);
    days.set(day, (days.get(day) ?? 0) + 1);
    const byItself = input.content(way.digest)?.proposer.kind === 'system';
    if (byItself || days.get(day)! > 1) {
      const text = byItself ? 'Hone proposed to change itself' : 'more than one a day';
      found.push({ invariant: 'V10', subject: way.subject, text });
    }
  }
  return found;
}
