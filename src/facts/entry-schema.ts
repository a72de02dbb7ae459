/**
 * The schema of every ledger payload. A type's first word names the room that owns it: only that room
 * writes it. A payload is strict, because what is in the ledger stays there.
 */
import { z } from 'zod';
import { ROLES } from './actor.ts';
import { actorSchema } from './actor-schema.ts';
import { digestSchema } from './digest-schema.ts';
import { FIX_OUTCOMES } from './fix.ts';
import { CAUSE_LAYERS } from './pattern.ts';
import {
  ATTESTATION_VERDICTS,
  CATEGORIES,
  PROPOSAL_STATES,
  PROPOSAL_TYPES,
  TIERS,
} from './proposal.ts';
import { STEP_KINDS, SWITCH_MODES } from './switch.ts';

const text = z.string().max(4000);
const attestationKinds = Object.keys(ATTESTATION_VERDICTS) as (keyof typeof ATTESTATION_VERDICTS)[];
const verdicts = [...new Set(Object.values(ATTESTATION_VERDICTS).flat())];

/** Strict, its keys in RFC 8785's order whatever the order here: what it gives out is canonical then. */
function payload<const Shape extends z.ZodRawShape>(shape: Shape) {
  const members = Object.entries(shape).sort(([a], [b]) => (a < b ? -1 : 1));
  return z.strictObject(Object.fromEntries(members) as unknown as Shape);
}

export const entryPayloads = {
  'ledger.created': payload({ origin: text, verifierKey: text }),
  'ledger.key_changed': payload({ verifierKey: text, reason: text }),
  /** Rows of tables that come from the ledger were made what it says, as of `size` entries. */
  'ledger.rebuilt': payload({
    size: z.int(),
    tables: z.array(text).max(100),
    missing: z.int(),
    altered: z.int(),
    extra: z.int(),
    reason: text,
  }),
  'config.accepted': payload({ digest: digestSchema, previous: digestSchema.nullable() }),
  'identity.token_added': payload({
    name: text,
    role: z.enum(ROLES),
    /** `first`: nobody could be asked yet; `granted`: by an operator; `reset`: see `tokens_reset`. */
    how: z.enum(['first', 'granted', 'reset']),
  }),
  'identity.token_revoked': payload({ name: text }),
  /** The way in when every operator's token is lost: all of them are revoked, one is made. */
  'identity.tokens_reset': payload({
    name: text,
    reason: text,
    revoked: z.array(text).max(100),
  }),
  'policy.switch_set': payload({
    gate: text,
    mode: z.enum(SWITCH_MODES),
    previous: z.enum(SWITCH_MODES),
    reason: text,
  }),
  /** A gate that observes would have refused this. */
  'policy.let_pass': payload({ gate: text, what: text, why: text }),
  'policy.stopped': payload({ reason: text, by: z.enum(['command', 'http', 'file']) }),
  'policy.resumed': payload({ reason: text }),
  'proposal.created': payload({ digest: digestSchema, title: text }),
  'proposal.amended': payload({ digest: digestSchema, previous: digestSchema, title: text }),
  'proposal.attested': payload({
    attestation: text,
    kind: z.enum(attestationKinds),
    digest: digestSchema,
    verdict: z.enum(verdicts),
    evidence: digestSchema.nullable(),
    tier: z.enum(TIERS).nullable(),
    improvesTarget: z.boolean().nullable(),
  }),
  'proposal.advanced': payload({
    from: z.enum(PROPOSAL_STATES),
    to: z.enum(PROPOSAL_STATES),
    digest: digestSchema,
    reason: text,
  }),
  'diagnose.pattern_found': payload({
    /** The whole pattern is this artifact. */
    pattern: digestSchema,
    cycle: text,
    title: text,
    occurrences: z.int(),
    score: z.number(),
    layer: z.enum(CAUSE_LAYERS),
    firstAtMs: z.int(),
    lastAtMs: z.int(),
  }),
  'approve.asked': payload({
    tier: z.enum(TIERS),
    digest: digestSchema,
    evidence: digestSchema,
  }),
  'approve.asked_again': payload({ tier: z.enum(TIERS), times: z.int() }),
  'deploy.prepared': payload({
    branch: text,
    patchBranch: text,
    base: text,
    commit: text,
    backupRef: text,
  }),
  'deploy.moved': payload({ branch: text, from: text, to: text }),
  'deploy.revert_planned': payload({ branch: text, onto: text, commit: text, reason: text }),
  'deploy.reverted': payload({ branch: text, from: text, to: text }),
  /** Another installation was in charge of the target; both by the first key of their ledger. */
  'deploy.taken_over': payload({ from: text, to: text }),
  'monitor.started': payload({
    startedAtMs: z.int(),
    fastUntilMs: z.int(),
    untilMs: z.int(),
    /** The counts it is compared with are this artifact. */
    baseline: digestSchema,
  }),
  'monitor.extended': payload({ untilMs: z.int(), reason: text }),
  'learn.fix_recorded': payload({
    pattern: text.nullable(),
    /** What was changed, the same for the same fix. */
    change: text,
    outcome: z.enum(FIX_OUTCOMES),
    reason: text,
    /** What made it, and what kind of change it is: both can be paused. */
    generator: z.enum(PROPOSAL_TYPES),
    category: z.enum(CATEGORIES),
    /** When a person or a tier last decided on it; null where nobody did. */
    decidedAtMs: z.int().nullable(),
  }),
  'learn.cycle_recorded': payload({
    cycle: text,
    patterns: z.int(),
    proposals: z.int(),
    lesson: text,
  }),
  'loop.cycle_started': payload({ trigger: text }),
  'loop.cycle_finished': payload({
    outcome: z.enum(['proposed', 'nothing_to_do', 'failed']),
    /** The report is this artifact. */
    report: digestSchema,
    patterns: z.int(),
    proposals: z.int(),
    activeMs: z.int(),
  }),
  'outbox.delivered': payload({ key: text, destination: text, attempts: z.int() }),
  'outbox.dead': payload({ key: text, destination: text, attempts: z.int(), error: text }),
  'outbox.uncertain': payload({ key: text, destination: text }),
  'outbox.settled': payload({
    key: text,
    outcome: z.enum(['delivered', 'retry', 'dropped']),
  }),
  'schedule.ran': payload({
    schedule: text,
    dueAt: text,
    outcome: z.enum(['done', 'failed', 'timed_out', 'skipped']),
    missed: z.int(),
    step: z.enum(STEP_KINDS),
    error: text.nullable(),
  }),
} as const;

/** An entry as it stands in the ledger. */
export const entrySchema = z.strictObject({
  v: z.literal(1),
  at: z.iso.datetime(),
  type: z.string().refine((type) => type in entryPayloads, 'no such entry type'),
  actor: actorSchema,
  /** No control characters and no halves of characters: it is a column of its own, on both engines. */
  subject: z
    .string()
    .regex(/^[a-z_]+:[^\p{Cc}\p{Cs}]+$/u)
    .max(300),
  data: z.record(z.string(), z.unknown()),
  artifacts: z.array(digestSchema),
});
