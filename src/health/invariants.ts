/**
 * V1 to V10, checked from the record alone: what an auditor could say of a ledger, without trusting the
 * code that wrote it. Pure; the caller reads the ledger, the contents and what else is asked for.
 */
import {
  type Attestation,
  type Entry,
  type EntryPayload,
  type Pattern,
  type ProposalContent,
  TIERS,
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
  degradedAtMs: number | null;
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
    ...metaChanges([...ways.values()], input),
  ];
}

function newWay(entry: Entry): Way {
  return {
    subject: entry.subject,
    digest: '',
    attested: [],
    violations: [],
    degradedAtMs: null,
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
      way.digest = (entry.data as EntryPayload<'proposal.created'>).digest;
      way.violations.push(...complete(way, input));
      break;
    case 'proposal.attested': {
      const data = entry.data as EntryPayload<'proposal.attested'>;
      way.attested.push({ ...data, actor: entry.actor, atMs });
      if (data.kind === 'monitoring' && data.verdict === 'degraded') way.degradedAtMs ??= atMs;
      if (data.kind === 'rollback' && data.verdict === 'done') {
        way.violations.push(...rolledBackInTime(way, atMs, input.rollbackMs));
        way.degradedAtMs = null;
      }
      // Harm that stays is a person's decision, on record; nobody else's.
      if (data.kind === 'rollback' && data.verdict === 'waived' && entry.actor.kind === 'human')
        way.degradedAtMs = null;
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

function newest(way: Way, kind: Attestation['kind']) {
  return way.attested.findLast((one) => one.kind === kind && one.digest === way.digest);
}

/** V1 to V4, at the moment it went to the target. */
function atTheGate(way: Way, input: InvariantInput): Violation[] {
  const found: Violation[] = [];
  const say = (invariant: InvariantId, text: string) =>
    found.push({ invariant, subject: way.subject, text });
  const validation = newest(way, 'validation');
  const decision = newest(way, 'decision');
  const content = input.content(way.digest);
  const byPerson = decision?.actor.kind === 'human' && decision.verdict === 'approved';
  if (validation?.verdict !== 'passed') {
    const asked = validation?.verdict === 'inconclusive' && decision?.tier === 'require';
    if (!asked || !byPerson) say('V1', 'deployed without a passed validation');
  }
  if (validation === undefined || decision === undefined) {
    say('V2', 'the record lacks the validation or the decision');
  }
  if (newest(way, 'backup')?.verdict !== 'made') say('V3', 'deployed without a backup');
  if (decision !== undefined && content !== undefined) {
    const needed = requiredTier(
      content,
      (validation?.verdict ?? 'failed') as 'passed' | 'failed' | 'inconclusive',
      validation?.improvesTarget === true,
    );
    const tier = decision.tier ?? null;
    const kept = tier !== null && TIERS.indexOf(tier) >= TIERS.indexOf(needed);
    const person = tier === 'auto' || tier === 'notify' || byPerson;
    if (!kept || !person) say('V4', `needed tier ${needed}, decided at ${tier ?? 'none'}`);
  }
  return found;
}

/** V5 and V6, for every content there was. */
function complete(way: Way, input: InvariantInput): Violation[] {
  const content = input.content(way.digest);
  const { subject } = way;
  if (content === undefined)
    return [{ invariant: 'V6', subject, text: 'its content is missing or not complete' }];
  if (content.pattern === null) return [];
  const pattern = input.pattern(content.pattern);
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
  if (way.degradedAtMs === null || doneMs - way.degradedAtMs <= limitMs) return [];
  const seconds = Math.round((doneMs - way.degradedAtMs) / 1000);
  return [{ invariant: 'V9', subject: way.subject, text: `rolled back after ${seconds} s` }];
}

function atTheEnd(way: Way): Violation[] {
  const { subject } = way;
  const found: Violation[] = [];
  if (way.degradedAtMs !== null)
    found.push({ invariant: 'V9', subject, text: 'it hurts and was not rolled back' });
  if (way.ended && !way.learnt)
    found.push({ invariant: 'V8', subject, text: 'it ended and nothing was learnt from it' });
  return found;
}

function cyclesLearnt(entries: readonly Entry[]): Violation[] {
  const learnt = new Set(
    entries.filter(({ type }) => type === 'learn.cycle_recorded').map(({ subject }) => subject),
  );
  return entries
    .filter(({ type, subject }) => type === 'loop.cycle_finished' && !learnt.has(subject))
    .map(({ subject }) => ({ invariant: 'V8', subject, text: 'a cycle nothing was learnt from' }));
}

function overhead({ overheadShare }: InvariantInput): Violation[] {
  if (overheadShare === null || overheadShare < OVERHEAD_MAX) return [];
  const percent = (overheadShare * 100).toFixed(1);
  return [{ invariant: 'V7', subject: 'hone:observe', text: `observing costs ${percent} %` }];
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
