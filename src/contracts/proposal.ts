/** Proposals, as whoever decides sees them. */
import { z } from 'zod';
import {
  ATTESTATION_VERDICTS,
  type AttestationKind,
  PROPOSAL_STATES,
  TIERS,
} from '../facts/index.ts';
import { attestationScopes, proposalContentSchema, targetSchema } from '../facts/schemas.ts';
import { actor, idInput, limitInput, time, type Wire } from './shapes.ts';

const proposalJson = z.strictObject({
  id: z.string(),
  state: z.enum(PROPOSAL_STATES),
  title: z.string(),
  digest: z.string(),
  /** Why it stays where it is; null when it does not, or its state says it. */
  waiting: z.string().nullable(),
  createdAt: time,
  changedAt: time,
});

export const proposalsListJson = z.strictObject({
  proposals: z.array(proposalJson),
  /** What `before` is for those that come after these; null where there are none. */
  next: z.string().nullable(),
});

/** By kind, each with the fields of its scope. */
function attestationOf<K extends AttestationKind>(kind: K) {
  return z.strictObject({
    kind: z.literal(kind),
    verdict: z.enum(ATTESTATION_VERDICTS[kind]),
    contentDigest: z.string(),
    actor,
    at: time,
    artifacts: z.array(z.string()),
    /** What a person said with it, or what a watch found; empty when nothing was said. */
    reason: z.string(),
    numbers: z.array(z.string()),
    ...attestationScopes[kind],
  });
}
const attestationJson = z.discriminatedUnion('kind', [
  attestationOf('vetting'),
  attestationOf('validation'),
  attestationOf('decision'),
  attestationOf('hold'),
  attestationOf('backup'),
  attestationOf('deployment'),
  attestationOf('arrival'),
  attestationOf('monitoring'),
  attestationOf('rollback'),
]);

const countedJson = z.strictObject({ passed: z.int(), failed: z.int() });

const modeFiguresJson = z.strictObject({
  mode: z.string(),
  verdict: z.enum(ATTESTATION_VERDICTS.validation),
  /** What the verdict takes for granted. */
  assumes: z.array(z.string()),
  /** Sessions or cases compared in pairs. `change`: of the share that fails, with its interval of 95 %. */
  pairs: z
    .strictObject({
      asked: z.int(),
      flaky: z.int(),
      unknown: z.int(),
      usable: z.int(),
      failedBefore: z.int(),
      failedAfter: z.int(),
      better: z.int(),
      worse: z.int(),
      change: z.number(),
      low: z.number(),
      high: z.number(),
      broken: z.array(z.string()),
      reproduced: z.strictObject({ failedLive: z.int(), failedAgain: z.int() }).nullable(),
    })
    .nullable(),
  /** What it costs beside, as shares: 0.1 is a tenth more. */
  rails: z.array(
    z.strictObject({
      metric: z.string(),
      pairs: z.int(),
      change: z.number(),
      low: z.number(),
      high: z.number(),
      borne: z.number().nullable(),
      isHarmed: z.boolean(),
    }),
  ),
  /** Of each run that reported tests or cases one by one. */
  runs: z.strictObject({ base: z.array(countedJson), candidate: z.array(countedJson) }),
});

export const proposalsShowJson = z.strictObject({
  id: z.string(),
  state: z.enum(PROPOSAL_STATES),
  digest: z.string(),
  tier: z.enum(TIERS),
  /** What all modes of validation say together; null until every required one has said something. */
  validation: z.enum(ATTESTATION_VERDICTS.validation).nullable(),
  /** Where it went, or would go. */
  target: targetSchema,
  waiting: z.string().nullable(),
  /** Who has said what about the present content, and what a deployment still needs of people. */
  approval: z.strictObject({
    /** How many people must approve at its tier; 0 where nobody is asked. */
    needed: z.int(),
    approvedBy: z.array(z.string()),
    changesRequestedBy: z.array(z.string()),
    /** Files with owners: one of each file's people must approve. */
    owned: z.array(
      z.strictObject({
        file: z.string(),
        owners: z.array(z.string()),
        people: z.array(z.string()),
        isApproved: z.boolean(),
      }),
    ),
    isEscalated: z.boolean(),
    isPaused: z.boolean(),
  }),
  /** What vetting holds against it; nobody can release what a rule of the constitution holds. */
  held: z.array(z.strictObject({ name: z.string(), rule: z.int().nullable(), why: z.string() })),
  createdAt: time,
  changedAt: time,
  content: proposalContentSchema,
  /** As it may be shown: secrets in it are masked. The digest names the exact bytes. */
  diff: z.string(),
  /** How many secrets are masked in the diff. */
  masked: z.int(),
  attestations: z.array(attestationJson),
  /** What the modes of validation wrote for people. */
  proof: z.array(z.string()),
  /** The figures behind it, of each mode that measured something. */
  figures: z.array(modeFiguresJson),
  /** It was called back, and could not be taken back: a person has to. */
  stuck: z.boolean(),
  letPass: z.array(
    z.strictObject({ gate: z.string(), what: z.string(), why: z.string(), at: time }),
  ),
});

export const proposalsDiffJson = z.strictObject({
  id: z.string(),
  digest: z.string(),
  diff: z.string(),
  masked: z.int(),
});

export const proposalsListInput = z.strictObject({
  state: z.enum(PROPOSAL_STATES).optional(),
  /** Only those that are older than this one. */
  before: idInput.optional(),
  limit: limitInput,
});

export type ProposalList = Wire<typeof proposalsListJson>;
export type ModeFigures = Wire<typeof modeFiguresJson>;
export type ShownProposal = Wire<typeof proposalsShowJson>;
export type ShownDiff = Wire<typeof proposalsDiffJson>;
export type ProposalsListInput = Wire<typeof proposalsListInput>;
