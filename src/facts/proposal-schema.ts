import { z } from 'zod';
import { actorSchema } from './actor-schema.ts';
import { changeSchema } from './change-schema.ts';
import { digestSchema } from './digest-schema.ts';
import { idSchema } from './id-schema.ts';
import { CAUSE_LAYERS, PATTERN_KINDS } from './pattern.ts';
import { reachSchema } from './pattern-schema.ts';
import { CATEGORIES, PROPOSAL_TYPES, RISKS, SEVERITIES } from './proposal.ts';
import { signsSchema } from './signs-schema.ts';

/** Where a change goes: the repository as this installation names it, the branch, and who moves it. */
export const targetSchema = z.strictObject({
  branch: z.string().min(1).max(200),
  /** By its name; the configuration knows which there are. */
  forge: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  repository: z.string().min(1).max(200),
});

/** Which generator made a change, and for what: what helps against such failures is learnt by these. */
export const madeBySchema = z.strictObject({
  generator: z.string().regex(/^[a-z][a-z0-9-]{0,59}$/),
  failure: z.enum(PATTERN_KINDS),
  /** Where the failure was taken to begin. */
  layer: z.enum(CAUSE_LAYERS),
});

/**
 * What is proposed. Its digest is what vetting, validation and a person's decision are bound to, so
 * everything that would change what happens stands here: the diff's bytes by their digest and the
 * commit it applies to.
 */
export const proposalContentSchema = z.strictObject({
  title: z.string().min(1).max(120),
  type: z.enum(PROPOSAL_TYPES),
  category: z.enum(CATEGORIES),
  severity: z.enum(SEVERITIES),
  risk: z.enum(RISKS),
  /** The unified diff, an artifact. */
  diffDigest: digestSchema,
  baseCommit: z.string().regex(/^[0-9a-f]{40,64}$/),
  files: z.array(z.string().min(1)).min(1).max(200),
  /** What is changed, in a form that can be compared (`change.ts`). */
  change: changeSchema,
  /** Who the changed value applies to; null for a change that is not one value. */
  reach: reachSchema.nullable(),
  /** What it can produce, where its generator knows; the watch judges it by that. */
  signs: signsSchema.optional(),
  /** A trial: it stays only where calls that were cut off after this time end now. */
  trial: z.strictObject({ cutOffMs: z.number().positive() }).optional(),
  rationale: z.string().min(1),
  rootCause: z.string().min(1),
  /** How sure its cause was by its clues alone, before outcomes of this installation were asked; absent without a pattern. */
  byClues: z.number().min(0).max(1).optional(),
  riskAndMitigation: z.string().min(1),
  rollback: z.string().min(1),
  validationPlan: z.string().min(1),
  /** Event and artifact references that back the claim. */
  evidence: z.array(z.string().min(1)).min(1).max(1000),
  /** The pattern it answers, if a pattern led to it. */
  patternId: idSchema.nullable(),
  /** Absent for what a person or an agent submitted. */
  madeBy: madeBySchema.optional(),
  proposer: actorSchema,
  /** Who edited it since, in order; absent where nobody did. None of them can approve it alone. */
  modifiers: z.array(actorSchema).min(1).max(20).optional(),
});
