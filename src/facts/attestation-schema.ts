import { z } from 'zod';
import { digestSchema } from './digest-schema.ts';
import { idSchema } from './id-schema.ts';
import { TIERS } from './proposal.ts';
import { targetSchema } from './proposal-schema.ts';

/** A word of a list that grows: modes of validation, kinds of evidence. */
const word = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);

/** A share of the traffic, for a time. */
const trial = {
  durationMs: z
    .int()
    .min(1)
    .max(90 * 86_400_000),
  share: z.number().gt(0).max(1),
};

/** In each the keys in RFC 8785's order: what a schema gives out is canonical then. */
export const allowanceSchema = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('deployment') }),
  z.strictObject({ ...trial, what: z.literal('canary') }),
  z.strictObject({ ...trial, what: z.literal('ab_trial') }),
]);

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);

/** The approval that is carried over: whose, of which content, and from which base to which. */
const carriedSchema = z.strictObject({
  decisionId: idSchema,
  fromBase: commit,
  fromDigest: digestSchema,
  toBase: commit,
});

/** The fields of each kind of attestation beside those that all have. */
export const attestationScopes = {
  vetting: {},
  validation: {
    /** What it was found out by: a name of the list of modes. */
    mode: word,
    /** What the mode looked at, such as `diff` or `recorded_sessions`. */
    evidenceKinds: z.array(word).min(1).max(20),
    /** Whether the metric that the change aims at got better; null where nothing was measured. */
    improvesTarget: z.boolean().nullable(),
    /** Only of an inconclusive one that could not judge: what kept it from it. Absent where it looked and found no difference. */
    unjudged: word.optional(),
  },
  decision: {
    allows: allowanceSchema,
    /** Only of one that is carried over. */
    carried: carriedSchema.optional(),
    /** Of the evidence that its maker was shown, and the tier at which they were asked. */
    evidenceDigest: digestSchema,
    tier: z.enum(TIERS),
    /** Where the change may go. */
    target: targetSchema,
  },
  hold: {},
  backup: {},
  deployment: {},
  arrival: {},
  monitoring: {},
  rollback: {},
} as const;
