/**
 * The schema of every ledger payload. A type's first word names the room that owns it: only that room
 * writes it. A payload is strict, because what is in the ledger stays there.
 */
import { z } from 'zod';
import { ROLES } from './actor.ts';
import { actorSchema } from './actor-schema.ts';
import { digestSchema } from './digest-schema.ts';
import { CAUSE_LAYERS } from './pattern.ts';
import { ATTESTATION_VERDICTS, PROPOSAL_STATES, TIERS } from './proposal.ts';
import { STEP_KINDS, SWITCH_MODES } from './switch.ts';

const text = z.string().max(4000);
const attestationKinds = Object.keys(ATTESTATION_VERDICTS) as (keyof typeof ATTESTATION_VERDICTS)[];
const verdicts = [...new Set(Object.values(ATTESTATION_VERDICTS).flat())];

export const entryPayloads = {
  'ledger.created': z.strictObject({ origin: text, verifierKey: text }),
  'ledger.key_changed': z.strictObject({ verifierKey: text, reason: text }),
  'config.accepted': z.strictObject({ digest: digestSchema, previous: digestSchema.nullable() }),
  'identity.token_added': z.strictObject({ name: text, role: z.enum(ROLES) }),
  'identity.token_revoked': z.strictObject({ name: text }),
  'policy.switch_set': z.strictObject({
    gate: text,
    mode: z.enum(SWITCH_MODES),
    previous: z.enum(SWITCH_MODES),
    reason: text,
  }),
  'policy.stopped': z.strictObject({ reason: text, by: z.enum(['command', 'http', 'file']) }),
  'policy.resumed': z.strictObject({ reason: text }),
  'proposal.created': z.strictObject({ digest: digestSchema, title: text }),
  'proposal.amended': z.strictObject({ digest: digestSchema, previous: digestSchema, title: text }),
  'proposal.attested': z.strictObject({
    attestation: text,
    kind: z.enum(attestationKinds),
    digest: digestSchema,
    verdict: z.enum(verdicts),
    evidence: digestSchema.nullable(),
    tier: z.enum(TIERS).nullable(),
    improvesTarget: z.boolean().nullable(),
  }),
  'proposal.advanced': z.strictObject({
    from: z.enum(PROPOSAL_STATES),
    to: z.enum(PROPOSAL_STATES),
    digest: digestSchema,
    reason: text,
  }),
  'diagnose.pattern_found': z.strictObject({
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
  'approve.asked': z.strictObject({
    tier: z.enum(TIERS),
    digest: digestSchema,
    evidence: digestSchema,
  }),
  'approve.asked_again': z.strictObject({ tier: z.enum(TIERS), times: z.int() }),
  'deploy.prepared': z.strictObject({
    branch: text,
    patchBranch: text,
    base: text,
    commit: text,
    backupRef: text,
  }),
  'deploy.moved': z.strictObject({ branch: text, from: text, to: text }),
  'deploy.revert_planned': z.strictObject({ branch: text, onto: text, commit: text, reason: text }),
  'deploy.reverted': z.strictObject({ branch: text, from: text, to: text }),
  'monitor.started': z.strictObject({
    startedAtMs: z.int(),
    fastUntilMs: z.int(),
    untilMs: z.int(),
    /** The counts it is compared with are this artifact. */
    baseline: digestSchema,
  }),
  'monitor.extended': z.strictObject({ untilMs: z.int(), reason: text }),
  'learn.fix_recorded': z.strictObject({
    pattern: text.nullable(),
    /** What was changed, the same for the same fix. */
    change: text,
    outcome: z.enum(['proven', 'failed', 'refused']),
    reason: text,
  }),
  'learn.cycle_recorded': z.strictObject({
    cycle: text,
    patterns: z.int(),
    proposals: z.int(),
    lesson: text,
  }),
  'loop.cycle_started': z.strictObject({ trigger: text }),
  'loop.cycle_finished': z.strictObject({
    outcome: z.enum(['proposed', 'nothing_to_do', 'failed']),
    /** The report is this artifact. */
    report: digestSchema,
    patterns: z.int(),
    proposals: z.int(),
    activeMs: z.int(),
  }),
  'outbox.delivered': z.strictObject({ key: text, destination: text, attempts: z.int() }),
  'outbox.dead': z.strictObject({ key: text, destination: text, attempts: z.int(), error: text }),
  'outbox.uncertain': z.strictObject({ key: text, destination: text }),
  'outbox.settled': z.strictObject({
    key: text,
    outcome: z.enum(['delivered', 'retry', 'dropped']),
  }),
  'schedule.ran': z.strictObject({
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
