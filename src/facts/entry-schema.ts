/**
 * The schema of every ledger payload. A type's first word names the room that owns it: only that room
 * writes it. A payload is strict, because what is in the ledger stays there.
 */
import { z } from 'zod';
import type { CleanText } from '../base/index.ts';
import { ROLES } from './actor.ts';
import { actorSchema } from './actor-schema.ts';
import { ATTESTATION_VERDICTS, type AttestationKind } from './attestation.ts';
import { attestationScopes } from './attestation-schema.ts';
import { digestSchema } from './digest-schema.ts';
import { EVIDENCE_KINDS, EVIDENCE_ORIGINS } from './evidence.ts';
import { EFFECT_TIMES, FIX_OUTCOMES } from './fix.ts';
import { idSchema } from './id-schema.ts';
import { CAUSE_LAYERS } from './pattern.ts';
import { CATEGORIES, PROPOSAL_STATES, PROPOSAL_TYPES, TIERS } from './proposal.ts';
import { madeBySchema, targetSchema } from './proposal-schema.ts';
import { SUBMISSION_KINDS } from './submission.ts';
import { STEP_KINDS, SWITCH_MODES } from './switch.ts';
import { ESCALATION_CAUSES } from './task-words.ts';

const WORDS_MAX = 4000;

/** Names that Hone or git gave: ids, refs, keys, tables. One word, so that no sentence fits in. */
const name = z
  .string()
  .max(4000)
  .regex(/^[^\s\p{Cc}\p{Cs}]*$/u);
/** Sentences, which may quote people, agents, files and other programs. */
const words = z.custom<CleanText>(
  (value) => typeof value === 'string' && value.length <= WORDS_MAX,
  'not a string of at most 4000 characters',
);

/** Strict, its keys in RFC 8785's order whatever the order here: what it gives out is canonical then. */
function payload<const Shape extends z.ZodRawShape>(shape: Shape) {
  const members = Object.entries(shape).sort(([a], [b]) => (a < b ? -1 : 1));
  return z.strictObject(Object.fromEntries(members) as unknown as Shape);
}

/**
 * Each schema is made where it is first asked for: a process that writes one type of entry, such as a hook that refuses a
 * call, would spend a third of its time on making the others.
 */
function lazily<const Made extends Readonly<Record<string, () => z.ZodType>>>(
  made: Made,
): { readonly [Type in keyof Made]: ReturnType<Made[Type]> } {
  const schemas = {};
  for (const [type, make] of Object.entries(made)) {
    let schema: z.ZodType | undefined;
    Object.defineProperty(schemas, type, { enumerable: true, get: () => (schema ??= make()) });
  }
  return schemas as { readonly [Type in keyof Made]: ReturnType<Made[Type]> };
}

/** Names of the target have no spaces in an entry, so that no sentence fits in. */
const recordedTarget = z.strictObject({ ...targetSchema.shape, branch: name, repository: name });

/** What is said, and the scope of its kind; `narrower` fields stand for the kind's own. */
function attested<K extends AttestationKind, Narrower extends z.ZodRawShape = Record<never, never>>(
  kind: K,
  narrower: Narrower = {} as Narrower,
) {
  return payload({
    attestationId: idSchema,
    contentDigest: digestSchema,
    kind: z.literal(kind),
    verdict: z.enum(ATTESTATION_VERDICTS[kind]),
    ...attestationScopes[kind],
    ...narrower,
  });
}

/** A call that was judged. `callDigest` is of server, tool and arguments. */
const judgedCall = {
  agent: name,
  tool: name,
  callDigest: digestSchema,
  sessionId: idSchema.nullable(),
  taskId: idSchema.nullable(),
  phase: name.nullable(),
  codes: z.array(name).max(20),
  why: words,
};

/** `place`: the working tree and machine whose settings hold them, as a hash; absent in entries that are older than it. */
const hooksOf = { client: name, place: name.optional() };

export const entryPayloads = lazily({
  'ledger.created': () => payload({ origin: name, verifierKey: name }),
  'ledger.key_changed': () => payload({ verifierKey: name, reason: words }),
  /** Rows of tables that come from the ledger were made what it says, as of `treeSize` entries. */
  'ledger.rebuilt': () =>
    payload({
      treeSize: z.int(),
      tables: z.array(name).max(100),
      missingRows: z.int(),
      alteredRows: z.int(),
      extraRows: z.int(),
      reason: words,
    }),
  /** The store is what a backup holds, and goes on from there; what was recorded since is not in it. */
  'backup.restored': () =>
    payload({
      /** Of the backup's manifest, which names all that is in it. */
      manifestDigest: digestSchema,
      takenAtMs: z.int(),
      /** Entries that the backup has. */
      treeSize: z.int(),
      rootHash: name,
      uncertainEffects: z.int(),
    }),
  'config.accepted': () =>
    payload({
      configDigest: digestSchema,
      fileDigest: digestSchema,
      previousDigest: digestSchema.nullable(),
    }),
  'identity.token_added': () =>
    payload({
      tokenId: idSchema,
      name,
      role: z.enum(ROLES),
      /** `first`: there was no operator yet; `granted`: by an operator; `reset`: see `tokens_reset`. */
      how: z.enum(['first', 'granted', 'reset']),
      /** SHA-256 of the secret. A secret has 160 random bits, so its hash gives nothing away. */
      secretHash: name,
    }),
  'identity.token_revoked': () => payload({ tokenId: idSchema, name }),
  /** The way in when every operator's token is lost: all of them are revoked, one is made. */
  'identity.tokens_reset': () =>
    payload({
      name,
      reason: words,
      revokedNames: z.array(name).max(100),
    }),
  'policy.switch_set': () =>
    payload({
      gate: name,
      mode: z.enum(SWITCH_MODES),
      previousMode: z.enum(SWITCH_MODES),
      reason: words,
    }),
  /** Which tiers decide without a person from now on; rollbacks before `sinceMs` no longer pause them. */
  'policy.automatic_set': () =>
    payload({
      auto: z.boolean(),
      notify: z.boolean(),
      sinceMs: z.int(),
      reason: words,
    }),
  /** A gate that observes would have refused this. */
  'policy.let_pass': () => payload({ gate: name, what: words, why: words }),
  'policy.stopped': () =>
    payload({ reason: words, by: z.enum(['command', 'http', 'file', 'restore']) }),
  'policy.resumed': () => payload({ reason: words }),
  'proposal.created': () => payload({ contentDigest: digestSchema, title: words }),
  'proposal.amended': () =>
    payload({
      contentDigest: digestSchema,
      previousDigest: digestSchema,
      title: words,
    }),
  'proposal.attested': () =>
    z.discriminatedUnion('kind', [
      attested('vetting'),
      attested('validation'),
      attested('decision', { target: recordedTarget }),
      attested('hold'),
      attested('backup'),
      attested('deployment'),
      attested('arrival'),
      attested('monitoring'),
      attested('rollback'),
    ]),
  'proposal.advanced': () =>
    payload({
      from: z.enum(PROPOSAL_STATES),
      to: z.enum(PROPOSAL_STATES),
      contentDigest: digestSchema,
      reason: words,
    }),
  'diagnose.pattern_found': () =>
    payload({
      /** The whole pattern is this artifact. */
      patternDigest: digestSchema,
      cycleId: idSchema,
      title: words,
      occurrences: z.int(),
      score: z.number(),
      layer: z.enum(CAUSE_LAYERS),
      firstAtMs: z.int(),
      lastAtMs: z.int(),
    }),
  /** Nothing more is said or proposed for it until it is forgotten. */
  'diagnose.pattern_ignored': () => payload({ reason: words }),
  'diagnose.pattern_merged': () => payload({ into: name, reason: words }),
  /** Its row and the wish to ignore it are gone; found again, it is new. */
  'diagnose.pattern_forgotten': () => payload({ reason: words }),
  'approve.asked': () =>
    payload({
      tier: z.enum(TIERS),
      contentDigest: digestSchema,
      evidenceDigest: digestSchema,
    }),
  'approve.asked_again': () => payload({ tier: z.enum(TIERS), times: z.int() }),
  'deploy.prepared': () =>
    payload({
      forge: name,
      branch: name,
      patchBranch: name,
      baseCommit: name,
      patchCommit: name,
      backupRef: name,
      /** Where a rollback goes; absent in entries from before it was kept. */
      repository: name.optional(),
    }),
  /** Somebody asked for one of the actions on an approved change. `commit`: what the branch holds. */
  'deploy.action': () =>
    payload({
      action: z.enum(['write_patch', 'validate_branch', 'open_pr']),
      branch: name,
      commit: name.nullable(),
      outcome: z.enum(['done', 'refused']),
      why: words,
    }),
  'deploy.moved': () => payload({ branch: name, fromCommit: name, toCommit: name }),
  /** Somebody else merged it: what a rollback undoes is the commit by which they did. */
  'deploy.moved_outside': () =>
    payload({
      forge: name,
      branch: name,
      patchBranch: name,
      backupRef: name,
      fromCommit: name,
      toCommit: name,
      repository: name.optional(),
    }),
  'deploy.revert_planned': () =>
    payload({
      branch: name,
      ontoCommit: name,
      revertCommit: name,
      reason: words,
    }),
  'deploy.reverted': () => payload({ branch: name, fromCommit: name, toCommit: name }),
  /** Another installation was in charge of the target; both by the first key of their ledger. */
  'deploy.taken_over': () => payload({ fromKey: name, toKey: name }),
  'monitor.started': () =>
    payload({
      startedAtMs: z.int(),
      fastUntilMs: z.int(),
      untilMs: z.int(),
      /** The counts it is compared with are this artifact. */
      baselineDigest: digestSchema,
    }),
  'monitor.extended': () => payload({ untilMs: z.int(), reason: words }),
  /** After the close watch it is looked at now and then, until `untilMs`. */
  'monitor.probation_began': () => payload({ fromMs: z.int(), untilMs: z.int() }),
  /** How it did on the failures that it answers, so long after its deployment. */
  'monitor.effect_measured': () =>
    payload({
      after: z.enum(EFFECT_TIMES),
      beforeBad: z.int(),
      beforeAll: z.int(),
      sinceBad: z.int(),
      sinceAll: z.int(),
      /** How failures went meanwhile where the change cannot reach, after over before; null where nothing shows it. */
      controls: z.number().nullable(),
      /** How much smaller the share of failures is than it would be without the change, with its 95 % interval. */
      benefit: z.number(),
      low: z.number(),
      high: z.number(),
    }),
  /** The change seems to do harm; a person may take it back. */
  'monitor.rollback_proposed': () => payload({ why: words, probability: z.number() }),
  'monitor.rollback_withdrawn': () => payload({ why: words }),
  'monitor.probation_ended': () => payload({ why: words }),
  'learn.fix_recorded': () =>
    payload({
      patternId: idSchema.nullable(),
      /** What was changed, the same for the same fix. */
      changeKey: words,
      /** From and to which amount, where it moved one. */
      step: z.strictObject({ from: z.number(), to: z.number() }).optional(),
      outcome: z.enum(FIX_OUTCOMES),
      /** How sure its cause was by its clues; absent where nobody wrote it down. */
      byClues: z.number().min(0).max(1).optional(),
      reason: words,
      /** Which kind of change it is, by both: each can be paused. */
      proposalType: z.enum(PROPOSAL_TYPES),
      category: z.enum(CATEGORIES),
      /** Absent where no generator made it. */
      madeBy: madeBySchema.optional(),
      /** When a person or a tier last decided on it; null if never. */
      decidedAtMs: z.int().nullable(),
    }),
  'learn.cycle_recorded': () =>
    payload({
      patterns: z.int(),
      proposals: z.int(),
      lesson: words,
    }),
  /** A call of a tool that passed, and is worth a record. */
  'gateway.passed': () => payload({ ...judgedCall, level: z.int().min(0).max(3) }),
  'gateway.refused': () => payload({ ...judgedCall, level: z.int().min(0).max(3) }),
  /** It only observes: it would have refused this, or asked a person. */
  'gateway.let_pass': () => payload({ ...judgedCall, level: z.int().min(0).max(3) }),
  'gateway.asked': () =>
    payload({
      ...judgedCall,
      askId: idSchema,
      expiresAtMs: z.int(),
      /** The arguments as a person sees them. */
      shown: words,
    }),
  'gateway.answered': () =>
    payload({
      askId: idSchema,
      callDigest: digestSchema,
      verdict: z.enum(['approved', 'rejected']),
      reason: words,
    }),
  /** The one call that was approved was made. */
  'gateway.approval_used': () => payload({ askId: idSchema, callDigest: digestSchema }),
  /** The first half of a combination happened in this session; null: nobody knows in which. */
  'gateway.marked': () => payload({ sessionId: idSchema.nullable(), mark: name }),
  'gateway.tool_pinned': () => payload({ tool: name, definitionDigest: digestSchema }),
  'gateway.tool_changed': () =>
    payload({
      tool: name,
      definitionDigest: digestSchema,
      offeredDigest: digestSchema,
    }),
  'gateway.tool_accepted': () =>
    payload({
      tool: name,
      definitionDigest: digestSchema,
      previousDigest: digestSchema,
      reason: words,
    }),
  /** Calls that a client made without asking its hook. */
  'gateway.undecided': () =>
    payload({
      agent: name,
      sessionId: idSchema,
      calls: z.int(),
      tools: z.array(name).max(50),
    }),
  'gateway.hooks_installed': () => payload({ ...hooksOf, mode: name, fileDigest: digestSchema }),
  /** `byOperator`: an operator's token was there; absent in entries that are older than it, and then nobody knows. */
  'gateway.hooks_removed': () =>
    payload({
      ...hooksOf,
      reason: words,
      byOperator: z.boolean().optional(),
    }),
  'gateway.hooks_probed': () => payload({ ...hooksOf, verdict: name, why: words }),
  'loop.cycle_started': () => payload({ trigger: name }),
  /** What the check after a step found: V5 to V10. */
  'loop.invariant_broken': () => payload({ invariant: name, text: words }),
  'loop.cycle_finished': () =>
    payload({
      outcome: z.enum(['proposed', 'nothing_to_do', 'failed']),
      /** The report is this artifact. */
      reportDigest: digestSchema,
      patterns: z.int(),
      proposals: z.int(),
      activeMs: z.int(),
    }),
  'outbox.delivered': () =>
    payload({
      key: name,
      destination: name,
      attempts: z.int(),
      /** What the destination returned, as JSON; foreign text in it is sanitised. */
      result: words.optional(),
    }),
  'outbox.given_up': () =>
    payload({ key: name, destination: name, attempts: z.int(), error: words }),
  'outbox.left_uncertain': () => payload({ key: name, destination: name }),
  'outbox.settled': () =>
    payload({
      key: name,
      outcome: z.enum(['delivered', 'retry', 'dropped']),
    }),
  /** The definition of its process is an artifact: a task keeps the one that it began with. */
  /** An agent handed something in. It is data: `contentDigest` names the diff, or the cleaned text of feedback. */
  'vet.submitted': () =>
    payload({
      submissionId: idSchema,
      agent: name,
      kind: z.enum(SUBMISSION_KINDS),
      day: name,
      number: z.int(),
      contentDigest: digestSchema,
      about: words,
    }),
  'process.task_started': () =>
    payload({
      title: words,
      process: name,
      definitionDigest: digestSchema,
      phase: name,
      /** Null where the repository has no commit. */
      baseCommit: name.nullable(),
      persona: z
        .strictObject({ name, personaDigest: digestSchema, tools: z.array(name).max(200) })
        .nullable(),
      worker: name,
    }),
  /** `to` is null when its last phase is done. The journal names what went in and what came out. */
  'process.advanced': () =>
    payload({
      from: name,
      to: name.nullable(),
      round: z.int(),
      commit: name.nullable(),
      journalDigest: digestSchema,
      summary: words,
      evidenceIds: z.array(idSchema).max(200),
      worker: name,
    }),
  /** Evidence of the stale phases no longer counts. */
  'process.backtracked': () =>
    payload({
      from: name,
      to: name,
      round: z.int(),
      stalePhases: z.array(name).max(100),
      reason: words,
    }),
  /** The gate said no; `violation` is the same for the same mistake. */
  'process.refused': () =>
    payload({
      from: name,
      to: name.nullable(),
      violation: name,
      why: words,
      worker: name,
    }),
  'process.commit_moved': () => payload({ fromCommit: name.nullable(), toCommit: name }),
  'process.session_bound': () => payload({ sessionId: idSchema, worker: name }),
  /** A person is asked; the diary of what was tried is an artifact. */
  'process.escalated': () =>
    payload({
      cause: z.enum(ESCALATION_CAUSES),
      why: words,
      diaryDigest: digestSchema,
    }),
  'process.released': () => payload({ reason: words }),
  /** Its manifest is an artifact, and names every file in it. */
  'evidence.added': () =>
    payload({
      evidenceId: idSchema,
      kind: z.enum(EVIDENCE_KINDS),
      name,
      origin: z.enum(EVIDENCE_ORIGINS),
      phase: name,
      round: z.int(),
      commit: name.nullable(),
      isValid: z.boolean(),
      problem: words.nullable(),
      manifestDigest: digestSchema,
    }),
  /** What an agent said about the code of a commit; the report names each claim. */
  'claim.checked': () =>
    payload({
      checkId: idSchema,
      commit: name,
      reportDigest: digestSchema,
      /** The sub-agent whose result it is, and what it handed in; older entries have neither. */
      agent: name.nullable().optional(),
      resultDigest: digestSchema.optional(),
      confirmed: z.int(),
      refused: z.int(),
      unknown: z.int(),
    }),
  /** The instruction files of a task's agents, by digest; null where there is no such file. */
  'prompt.attested': () =>
    payload({
      version: z.int(),
      files: z.array(z.strictObject({ path: name, fileDigest: digestSchema.nullable() })).max(50),
      reason: words,
    }),
  'schedule.ran': () =>
    payload({
      schedule: name,
      dueAtMs: z.int(),
      outcome: z.enum(['done', 'failed', 'timed_out', 'skipped']),
      missed: z.int(),
      step: z.enum(STEP_KINDS),
      error: words.nullable(),
    }),
});

/** An entry as it is in the ledger. */
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
