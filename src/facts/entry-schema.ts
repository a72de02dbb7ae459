/**
 * The schema of every ledger payload. A type's first word names the room that owns it: only that room
 * writes it. A payload is strict, because what is in the ledger stays there.
 */
import { z } from 'zod';
import { ROLES } from './actor.ts';
import { actorSchema } from './actor-schema.ts';
import { digestSchema } from './digest-schema.ts';
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
