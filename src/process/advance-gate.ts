/**
 * The one way out of a phase: a pure function over the definition, the evidence, the prompts' attestation and the lease.
 * It names everything that is missing, not only the first thing.
 */
import { isoTime } from '../base/index.ts';
import {
  comparedId,
  type EvidenceFact,
  type EvidenceKind,
  type EvidenceNeed,
} from '../facts/index.ts';
import { type Phase, type ProcessDefinition, phasesInOrder } from './definition.ts';
import type { PromptDrift, Task } from './types.ts';

export const GATE_CODES = [
  'task_done',
  'unknown_phase',
  'out_of_order',
  'lease_held',
  'escalated',
  'missing_evidence',
  'invalid_evidence',
  'claimed_evidence',
  'stale_evidence',
  'old_evidence',
  'other_commit',
  'not_independent',
  'prompt_drift',
  'hooks_off',
] as const;
export type GateCode = (typeof GATE_CODES)[number];

export interface GateReason {
  readonly code: GateCode;
  /** What it is about: a phase, a kind of evidence, a file. One word. */
  readonly about: string;
  /** What happened and what was expected, as a sentence. */
  readonly why: string;
}

export type LeaseFact =
  | { readonly held: true }
  | { readonly held: false; readonly holder: string; readonly expiresAtMs: number };

export interface GateInput {
  readonly definition: ProcessDefinition;
  readonly task: Pick<
    Task,
    'phase' | 'state' | 'round' | 'freshFrom' | 'commit' | 'escalated' | 'escalatedWhy'
  >;
  /** Where to; undefined: to whatever comes next. */
  readonly to: string | undefined;
  readonly evidence: readonly EvidenceFact[];
  readonly drift: readonly PromptDrift[];
  /** Clients whose hooks somebody took away: nobody knows what their agents did since. */
  readonly ungoverned: readonly string[];
  readonly lease: LeaseFact;
  /** What the accepted configuration has a command for. */
  readonly configured: ReadonlySet<EvidenceKind>;
  readonly nowMs: number;
  readonly maxAgeMs: number;
}

export type GateVerdict =
  | {
      readonly open: true;
      /** Null: the last phase is done. */
      readonly to: string | null;
      /** What was relied on. */
      readonly evidence: readonly EvidenceFact[];
      /** Prompts that changed where that is only told. */
      readonly warnings: readonly PromptDrift[];
    }
  | { readonly open: false; readonly to: string | null; readonly reasons: readonly GateReason[] };

export function advanceGate(input: GateInput): GateVerdict {
  const { definition, task, drift } = input;
  const phases = phasesInOrder(definition);
  const at = phases.findIndex(({ name }) => name === task.phase);
  const phase = phases[at]!;
  const next = phases[at + 1]?.name ?? null;
  const to = input.to ?? next;
  const needed = neededEvidence(phases.slice(0, at + 1), input);
  const strict =
    phase.strict === true ? [...drift.map(driftReason), ...input.ungoverned.map(hooksReason)] : [];
  const reasons = [
    ...orderReasons(input, { phases, phase, next }),
    ...leaseReasons(input),
    ...escalationReasons(input),
    ...needed.flatMap((one) => ('reason' in one ? [one.reason] : [])),
    ...strict,
  ];
  if (reasons.length > 0) return { open: false, to, reasons };
  const evidence = needed.flatMap((one) => ('fact' in one ? [one.fact] : []));
  return { open: true, to: next, evidence, warnings: drift };
}

/** The same for the same mistake, whatever else is missing. */
export function violationOf(task: Pick<Task, 'phase'>, reasons: readonly GateReason[]): string {
  const { code, about } = reasons[0]!;
  return `${task.phase}/${code}/${about}`;
}

function orderReasons(
  { task, to }: GateInput,
  { phases, phase, next }: { phases: readonly Phase[]; phase: Phase; next: string | null },
): GateReason[] {
  if (task.state === 'done')
    return [
      { code: 'task_done', about: phase.name, why: 'The task is done: every phase is behind it.' },
    ];
  if (to === undefined || to === next) return [];
  if (!phases.some(({ name }) => name === to))
    return [{ code: 'unknown_phase', about: to, why: `The process has no phase ${to}.` }];
  const expected = next === null ? `${phase.name} is the last phase` : `${next} comes next`;
  const why = `The task is in ${phase.name}, so it cannot go to ${to}: ${expected}.`;
  return [{ code: 'out_of_order', about: to, why }];
}

function leaseReasons({ lease, task }: GateInput): GateReason[] {
  if (lease.held) return [];
  const until = isoTime(lease.expiresAtMs).slice(0, 16).replace('T', ' ');
  const why = `${lease.holder} works on ${task.phase} until ${until} UTC.`;
  return [{ code: 'lease_held', about: task.phase, why }];
}

/** A stall ends by progress; everything else by a person. */
function escalationReasons({ task }: GateInput): GateReason[] {
  if (task.escalated === null || task.escalated === 'stalled') return [];
  const why = `A person was asked about this task (${task.escalatedWhy ?? task.escalated}) and has not released it.`;
  return [{ code: 'escalated', about: task.escalated, why }];
}

const driftReason = ({ what }: PromptDrift): GateReason => ({
  code: 'prompt_drift',
  about: what.replace(/\s/g, '_'),
  why: `${what} is not what was attested for this phase. A person accepts the new text, or it is put back.`,
});

const hooksReason = (client: string): GateReason => ({
  code: 'hooks_off',
  about: client,
  why: `The hooks of ${client} were taken away without an operator’s token, so nobody knows what its agents did. Put them back ("hone hooks install ${client} --write"), or let an operator record it ("hone hooks off" with HONE_TOKEN).`,
});

type Judged = { readonly reason: GateReason } | { readonly fact: EvidenceFact };

/**
 * Everything that the present phase asks for; and of the phases before, what must be Hone's own: a commit that came later
 * has not been shown by it.
 */
function neededEvidence(phases: readonly Phase[], input: GateInput): Judged[] {
  const last = phases.length - 1;
  return phases.flatMap((phase, at) =>
    phase.gates.flatMap(({ name: gate, needs }) =>
      needs
        .filter((need) => at === last || need.own === true)
        .filter((need) => need.ifConfigured !== true || input.configured.has(need.evidence))
        .map((need) => judged({ need, phase, gate, before: phases.slice(0, at) }, input)),
    ),
  );
}

interface Asked {
  readonly need: EvidenceNeed;
  readonly phase: Phase;
  readonly gate: string;
  readonly before: readonly Phase[];
}

/** The newest that fits decides: a red result is not hidden by a green one before it. */
function judged({ need, phase, gate, before }: Asked, input: GateInput): Judged {
  const { task, evidence, nowMs, maxAgeMs } = input;
  const kind = need.evidence === 'tests' ? 'result of the tests' : need.evidence;
  const what = need.name === undefined ? kind : `${kind} ${need.name}`;
  const about = need.name ?? need.evidence;
  const no = (code: GateCode, why: string): Judged => ({
    reason: { code, about, why: `Gate ${gate} of ${phase.name}: ${why}` },
  });
  const all = evidence.filter(
    (one) =>
      one.phase === phase.name &&
      one.kind === need.evidence &&
      (need.name === undefined || one.name === need.name),
  );
  const counted = need.own === true ? all.filter(({ origin }) => origin === 'own') : all;
  const newest = counted.at(-1);
  if (newest === undefined) {
    if (all.length === 0) return no('missing_evidence', `there is no ${what}.`);
    return no(
      'claimed_evidence',
      `the ${what} was handed in, which proves nothing here; only a run of Hone’s own counts.`,
    );
  }
  if (newest.round < (task.freshFrom[phase.name] ?? 0))
    return no('stale_evidence', `the ${what} is from before the task went back.`);
  if (!newest.isValid)
    return no(
      'invalid_evidence',
      `the ${what} is not right: ${newest.problem ?? 'no reason is known'}`,
    );
  if (need.own === true && newest.commit !== task.commit)
    return no('other_commit', `the ${what} is about another commit than the task’s.`);
  // From the future is not fresh either: some clock was wrong.
  if (need.own === true && Math.abs(nowMs - newest.atMs) > maxAgeMs)
    return no('old_evidence', `the ${what} is too old.`);
  if (need.independent === true && isByWorker(newest, before, evidence))
    return no('not_independent', `the ${what} is from somebody who worked on the task.`);
  return { fact: newest };
}

function isByWorker(
  { actor, id }: EvidenceFact,
  before: readonly Phase[],
  evidence: readonly EvidenceFact[],
): boolean {
  const names = new Set(before.map(({ name }) => name));
  return evidence.some(
    (one) =>
      one.id !== id &&
      one.origin === 'claimed' &&
      (names.has(one.phase) || one.kind !== 'rubric') &&
      comparedId(one.actor.id) === comparedId(actor.id),
  );
}
