/** Tasks of agents at work, and their evidence. */
import { z } from 'zod';
import { ESCALATION_CAUSES, EVIDENCE_KINDS, EVIDENCE_ORIGINS, TOOL_RISKS } from '../facts/index.ts';
import { actor, count, idInput, limitInput, reasonInput, time, type Wire } from './shapes.ts';

const word = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/);
/** Who works on it; no spaces, so that it fits a ledger entry. */
const worker = z.string().regex(/^[^\s\p{Cc}]{1,200}$/u);
const summary = z.string().max(4000);

const missing = z.strictObject({ code: z.string(), about: z.string(), why: z.string() });

export const evidenceJson = z.strictObject({
  id: z.string(),
  task: z.string(),
  kind: z.enum(EVIDENCE_KINDS),
  name: z.string(),
  origin: z.enum(EVIDENCE_ORIGINS),
  phase: z.string(),
  round: count,
  commit: z.string().nullable(),
  isValid: z.boolean(),
  problem: z.string().nullable(),
  /** False: the task went back since, or its commit moved on. */
  isFresh: z.boolean(),
  manifestDigest: z.string(),
  by: actor,
  at: time,
});

export type EvidenceShown = Wire<typeof evidenceJson>;

export const taskJson = z.strictObject({
  id: z.string(),
  title: z.string(),
  process: z.string(),
  state: z.enum(['open', 'done']),
  phase: z.string(),
  round: count,
  baseCommit: z.string().nullable(),
  commit: z.string().nullable(),
  worker: z.string(),
  persona: z.string().nullable(),
  /** A person is asked. */
  escalated: z.strictObject({ cause: z.enum(ESCALATION_CAUSES), why: z.string() }).nullable(),
  startedAt: time,
  progressedAt: time,
});

export type ShownTask = Wire<typeof taskJson>;

/** What the agent of a task is told in its present phase. */
export const taskPromptJson = z.strictObject({
  task: z.string(),
  phase: z.string(),
  text: z.string(),
  digest: z.string(),
  /** False: the parts are not what they were when the task began, or was accepted since. */
  isAttested: z.boolean(),
});
export type TaskPrompt = Wire<typeof taskPromptJson>;

export const taskListInput = z.strictObject({
  state: z.enum(['open', 'done']).optional(),
  limit: limitInput,
});
export type TaskListInput = Wire<typeof taskListInput>;

export const taskListJson = z.strictObject({ tasks: z.array(taskJson) });
export type TaskList = Wire<typeof taskListJson>;

export const taskShowJson = z.strictObject({
  ...taskJson.shape,
  phases: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(['done', 'now', 'ahead']),
      risk: z.enum(TOOL_RISKS),
      gates: z.array(z.strictObject({ name: z.string(), needs: z.array(z.string()) })),
    }),
  ),
  /** Which tools its agents may call now; null when it is done. */
  mayCall: z
    .strictObject({
      risk: z.enum(TOOL_RISKS),
      tools: z.array(z.string()),
      personaTools: z.array(z.string()).nullable(),
    })
    .nullable(),
  /** What the gate of the present phase would say now. */
  missing: z.array(missing),
  sessions: z.array(z.string()),
  evidence: z.array(evidenceJson),
});
export type TaskShow = Wire<typeof taskShowJson>;

export const taskStartInput = z.strictObject({
  title: z.string().min(1).max(300),
  process: word.default('autopilot'),
  worker: worker.optional(),
  session: idInput.optional(),
  /** A commit, a branch; what is checked out, if absent. */
  commit: z.string().max(200).optional(),
  persona: word.optional(),
});
export type TaskStartInput = Wire<typeof taskStartInput>;

const doing = { worker: worker.optional(), commit: z.string().max(200).optional() };

export const taskAdvanceInput = z.strictObject({
  ...doing,
  to: word.optional(),
  summary: summary.default(''),
});
export type TaskAdvanceInput = Wire<typeof taskAdvanceInput>;

export const taskAdvanceJson = z.strictObject({
  task: taskJson,
  /** False: the gate is closed, or somebody else has the phase. */
  advanced: z.boolean(),
  missing: z.array(missing),
  /** A person is asked from now on. */
  escalated: z.boolean(),
  warnings: z.array(z.string()),
});
export type TaskAdvance = Wire<typeof taskAdvanceJson>;

export const taskBackInput = z.strictObject({
  worker: worker.optional(),
  to: word,
  reason: reasonInput.min(1),
});
export type TaskBackInput = Wire<typeof taskBackInput>;

export const taskBindInput = z.strictObject({ worker: worker.optional(), session: idInput });
export type TaskBindInput = Wire<typeof taskBindInput>;

export const taskReleaseInput = z.strictObject({ reason: reasonInput.min(1) });
export type TaskReleaseInput = Wire<typeof taskReleaseInput>;

export const evidenceAddInput = z.strictObject({
  ...doing,
  kind: z.enum(EVIDENCE_KINDS),
  /** A path on the machine that Hone runs on, below the caller's folder unless absolute. */
  file: z.string().min(1).max(4000),
});
/** The same where the caller has another machine: the text itself. */
export const evidenceTextInput = z.strictObject({
  ...doing,
  kind: z.enum(EVIDENCE_KINDS),
  name: z.string().min(1).max(200),
  text: z.string().max(1024 * 1024),
});
export type EvidenceAddInput = Wire<typeof evidenceAddInput>;

export const evidenceRunInput = z.strictObject({
  ...doing,
  kind: z.enum(['tests', 'build', 'coverage', 'diff']).optional(),
});
export type EvidenceRunInput = Wire<typeof evidenceRunInput>;

export const evidenceRunJson = z.strictObject({ evidence: z.array(evidenceJson) });
export type EvidenceRun = Wire<typeof evidenceRunJson>;

export const evidenceShowJson = z.strictObject({
  /** Of a task, or of the validation of a proposal. */
  of: z.enum(['task', 'validation']),
  evidence: evidenceJson.nullable(),
  attestation: z
    .strictObject({
      id: z.string(),
      proposal: z.string(),
      mode: z.string(),
      verdict: z.string(),
      at: time,
    })
    .nullable(),
  files: z.array(
    z.strictObject({
      name: z.string(),
      digest: z.string(),
      mediaType: z.string(),
      sizeBytes: count,
    }),
  ),
  found: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type EvidenceShow = Wire<typeof evidenceShowJson>;

export const evidenceVerifyJson = z.strictObject({
  id: z.string(),
  ok: z.boolean(),
  problems: z.array(z.string()),
});
export type EvidenceVerify = Wire<typeof evidenceVerifyJson>;

export const checkpointJson = z.strictObject({
  task: z.string(),
  commit: z.string().nullable(),
  ok: z.boolean(),
  checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), why: z.string() })),
});
export type Checkpoint = Wire<typeof checkpointJson>;

export const pullRequestInput = z.strictObject({ worker: worker.optional() });
export const pullRequestJson = z.strictObject({ text: z.string(), evidence: evidenceJson });
export type PullRequest = Wire<typeof pullRequestJson>;

export const claimCheckInput = z.strictObject({
  worker: worker.optional(),
  commit: z.string().max(200).optional(),
  /** The sub-agent whose result it is. */
  agent: worker.optional(),
  /** What the agent said, or its result file. */
  text: z.string().min(1).max(1_000_000),
});
export type ClaimCheckInput = Wire<typeof claimCheckInput>;

export const claimCheckJson = z.strictObject({
  task: z.string(),
  /** The sub-agent whose result it is; null for what the worker says itself. */
  agent: z.string().nullable(),
  commit: z.string(),
  ok: z.boolean(),
  claims: z.array(
    z.strictObject({
      level: z.enum(['file', 'symbol', 'signature', 'table', 'snippet']),
      said: z.string(),
      verdict: z.enum(['confirmed', 'refused', 'unknown']),
      why: z.string(),
    }),
  ),
  /** `clarify`: the agent may correct itself once. `person`: a person is asked now. */
  next: z.enum(['none', 'clarify', 'person']),
});
export type ClaimCheck = Wire<typeof claimCheckJson>;
