/** What `--json` prints, command by command. The CLI's tests check every output against these. */
import { z } from 'zod';
import { CONFIGURATION_STATES } from '../config/types.ts';
import {
  ATTESTATION_VERDICTS,
  type AttestationKind,
  EFFECT_STATES,
  PROPOSAL_STATES,
  ROLES,
  STEP_KINDS,
  SWITCH_MODES,
  TIERS,
} from '../facts/index.ts';
import { attestationScopes, proposalContentSchema, targetSchema } from '../facts/schemas.ts';
import { ASIDE_REASONS } from '../observe/types.ts';

const time = z.iso.datetime();
const count = z.int().min(0);

export const errorJson = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    hint: z.string().nullable(),
  }),
});

export const initJson = z.strictObject({
  changed: z.boolean(),
  root: z.string(),
  stateDir: z.string(),
  configFile: z.enum(['written', 'kept']),
  key: z.enum(['made', 'kept', 'elsewhere']),
  verifierKey: z.string(),
  configuration: z.enum(['accepted', 'unchanged', 'edited']),
  /** The first operator's token, shown by the one call that creates the ledger. */
  token: z.strictObject({ name: z.string(), secret: z.string() }).nullable(),
  /** What to do next, in this order. */
  next: z.array(z.string()),
});

export const statusJson = z.strictObject({
  root: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  store: z.string(),
  stopped: z.boolean(),
  stopReason: z.string().nullable(),
  configuration: z.enum(CONFIGURATION_STATES),
  /** Where the clock disagrees with the database server's, or with the times on record. */
  clockDoubts: z.array(
    z.strictObject({
      kind: z.enum(['server', 'ahead', 'back']),
      clock: time,
      other: time,
      entry: count.nullable(),
    }),
  ),
  /** Another installation of Hone is in charge of the repository; this one deploys nothing. */
  otherInstallation: z.boolean(),
  /** What `server.host` says where others than this machine reach it. */
  networkHost: z.string().nullable(),
  /** The working tree that has deploy.branch checked out: Hone does not deploy to it meanwhile. */
  checkedOut: z.strictObject({ branch: z.string(), folder: z.string() }).nullable(),
  failedSchedule: z
    .strictObject({
      name: z.string(),
      outcome: z.enum(['failed', 'timed_out']),
      at: time,
      error: z.string().nullable(),
    })
    .nullable(),
  notEnforced: z.array(z.strictObject({ gate: z.string(), mode: z.enum(['observe', 'off']) })),
  ledger: z.strictObject({
    entries: count,
    unplaced: count,
    checkpointSize: count.nullable(),
  }),
  proposals: z.partialRecord(z.enum(PROPOSAL_STATES), count),
  effects: z.partialRecord(z.enum(EFFECT_STATES), count),
  health: z.array(
    z.strictObject({
      id: z.enum(['M1', 'M2', 'M3']),
      state: z.enum(['ok', 'warning', 'error', 'unknown']),
      text: z.string(),
    }),
  ),
  operators: count,
  firstOperatorMissing: z.boolean(),
  /** For 7 days after it happened. */
  tokensReset: z
    .strictObject({ at: time, by: z.string(), name: z.string(), reason: z.string() })
    .nullable(),
  waiting: z.array(
    z.strictObject({
      proposal: z.string(),
      state: z.enum(PROPOSAL_STATES),
      title: z.string(),
      why: z.string(),
    }),
  ),
  needsPerson: z.array(
    z.strictObject({
      proposal: z.string(),
      state: z.enum(PROPOSAL_STATES),
      title: z.string(),
      need: z.enum(['settle', 'release', 'decide']),
    }),
  ),
  troubles: z.array(z.strictObject({ work: z.string(), attempts: count, error: z.string() })),
});

const configChanges = z.array(
  z.strictObject({
    key: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    weakens: z.boolean(),
  }),
);

export const configShowJson = z.strictObject({
  configuration: z.enum(CONFIGURATION_STATES),
  /** The digest of what was accepted last. */
  accepted: z.string().nullable(),
  /** The digest of hone.yaml as it stands; null where it is missing or not valid. */
  file: z.string().nullable(),
  /** With --all also the keys that have their default. */
  config: z.record(z.string(), z.unknown()),
  changes: configChanges,
});

/** Not accepted: nothing differs, or the digest of what was seen is missing (exit code 1). */
export const configAcceptJson = z.strictObject({
  accepted: z.boolean(),
  /** Of hone.yaml as it stands. */
  digest: z.string(),
  changes: configChanges,
});

export const configCheckJson = z.strictObject({
  valid: z.boolean(),
  /** What a valid file does not fit in the repository: globs that match nothing, a branch that is checked out. */
  warnings: z.array(z.string()),
  problems: z.array(
    z.strictObject({
      code: z.string(),
      file: z.string(),
      line: count,
      column: count,
      key: z.string(),
      expected: z.string(),
      found: z.string(),
      message: z.string(),
    }),
  ),
});

export const stopJson = z.strictObject({
  stopped: z.boolean(),
  reason: z.string(),
  changed: z.boolean(),
});

const tokenJson = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  createdAt: time,
  revokedAt: time.nullable(),
});
export const tokenAddJson = z.strictObject({ token: tokenJson, secret: z.string() });
export const tokenResetJson = z.strictObject({
  token: tokenJson,
  secret: z.string(),
  revoked: z.array(z.string()),
});
export const tokenListJson = z.strictObject({ tokens: z.array(tokenJson) });
export const tokenRevokeJson = z.strictObject({ name: z.string(), revoked: z.literal(true) });

const switchJson = z.strictObject({
  gate: z.string(),
  mode: z.enum(SWITCH_MODES),
  source: z.enum(['default', 'set']),
});
export const switchListJson = z.strictObject({ switches: z.array(switchJson) });

const ledgerEntryJson = z.strictObject({
  index: count,
  at: time,
  type: z.string(),
  actor: z.strictObject({ kind: z.string(), id: z.string(), verified: z.string() }),
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
  artifacts: z.array(z.string()),
});
export const ledgerShowJson = z.strictObject({
  size: count,
  entries: z.array(ledgerEntryJson),
  /** Between those shown; exit 1 where there are any. */
  damaged: z.array(
    z.strictObject({ kind: z.enum(['unreadable', 'missing']), from: count, to: count }),
  ),
});
/** `hone ledger export --output`; without it, the entries are what is printed. */
export const ledgerExportJson = z.strictObject({
  output: z.string(),
  entries: count,
  /** Places in the file that are marked: entries that cannot be read, or are missing. */
  damaged: count,
  firstDamaged: count.nullable(),
});
export const ledgerVerifyJson = z.strictObject({
  ok: z.boolean(),
  size: count.nullable(),
  root: z.string().nullable(),
  coveredSize: count.nullable(),
  /** Checkpoints that were compared with the ledger: stored, witnessed and given ones. */
  checkpoints: count.nullable(),
  /** Entries that wait for their place and were not checked. */
  unplaced: count.nullable(),
  problem: z
    .strictObject({
      kind: z.enum([
        'entry',
        'missing',
        'truncated',
        'rewritten',
        'checkpoint',
        'beginning',
        'key',
        'other_ledger',
      ]),
      index: z.int().nullable(),
      message: z.string(),
      advice: z.string(),
    })
    .nullable(),
});
export const ledgerRebuildJson = z.strictObject({
  written: z.boolean(),
  /** Whether every table is what the ledger says, after what was written. */
  equal: z.boolean(),
  /** Entries that the tables were made from. */
  size: count,
  tables: z.array(
    z.strictObject({
      table: z.string(),
      /** By the ledger; the others as they were found. */
      rows: count,
      missing: count,
      altered: count,
      extra: count,
    }),
  ),
});
export const ledgerCheckpointJson = z.strictObject({
  size: count,
  note: z.string(),
  verifierKey: z.string(),
});
export const ledgerProveJson = z.strictObject({
  kind: z.enum(['inclusion', 'consistency']),
  index: count.nullable(),
  size1: count.nullable(),
  size: count,
  root: z.string(),
  leafHash: z.string().nullable(),
  proof: z.array(z.string()),
});

const effectJson = z.strictObject({
  key: z.string(),
  destination: z.string(),
  step: z.string(),
  state: z.enum(EFFECT_STATES),
  attempts: count,
  dueAt: time,
  changedAt: time,
  error: z.string().nullable(),
});
export const outboxListJson = z.strictObject({
  counts: z.partialRecord(z.enum(EFFECT_STATES), count),
  effects: z.array(effectJson),
});
export const outboxShowJson = z.strictObject({ effect: effectJson, payload: z.unknown() });
export const outboxSettleJson = z.strictObject({ key: z.string(), outcome: z.string() });

export const scheduleListJson = z.strictObject({
  schedules: z.array(
    z.strictObject({
      name: z.string(),
      nextDueAt: time,
      lastDueAt: time.nullable(),
      lastOutcome: z.string().nullable(),
    }),
  ),
});

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
export const proposalsListJson = z.strictObject({ proposals: z.array(proposalJson) });
/** By kind, each with the fields of its scope. */
function attestationOf<K extends AttestationKind>(kind: K) {
  return z.strictObject({
    kind: z.literal(kind),
    verdict: z.enum(ATTESTATION_VERDICTS[kind]),
    contentDigest: z.string(),
    actor: z.strictObject({ kind: z.string(), id: z.string(), verified: z.string() }),
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
  attestationOf('backup'),
  attestationOf('deployment'),
  attestationOf('monitoring'),
  attestationOf('rollback'),
]);
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
  /** What vetting holds against it; what enforces a rule of the constitution nobody releases. */
  held: z.array(z.strictObject({ name: z.string(), rule: z.int().nullable(), why: z.string() })),
  createdAt: time,
  changedAt: time,
  content: proposalContentSchema,
  /** As it may be shown: secrets in it are masked. The digest names the exact bytes. */
  diff: z.string(),
  /** How many secrets are masked in the diff. */
  masked: z.int(),
  attestations: z.array(attestationJson),
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
/** `hone approve`, `hone reject`, `hone rollback`, `hone settle`, `hone proposals release`. */
export const decidedJson = z.strictObject({
  id: z.string(),
  state: z.enum(PROPOSAL_STATES),
  digest: z.string(),
  did: z.array(z.string()),
  /** Where an approval came to nothing and it is asked again: the command that approves what stands there now. */
  decideAgain: z.string().nullable(),
});

export const cycleJson = z.strictObject({
  cycle: z.string(),
  report: z
    .strictObject({
      cycle: z.string(),
      fromMs: count,
      toMs: count,
      collected: z.strictObject({ events: count, aside: count }),
      newestEventMs: count.nullable(),
      notes: z.array(z.string()),
      findings: z.array(
        z.strictObject({
          title: z.string(),
          did: z.enum(['proposed', 'declined', 'passed_over']),
          why: z.string(),
          pattern: z.string().nullable(),
          proposal: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  steps: z.array(
    z.strictObject({
      work: z.string(),
      step: z.enum(STEP_KINDS),
      outcome: z.enum(['taken', 'refused', 'failed', 'stopped', 'held']),
      did: z.string(),
    }),
  ),
});

export const telemetryJson = z.strictObject({
  sources: z.array(
    z.strictObject({
      name: z.string(),
      /** Null for a source that is not configured any more. */
      path: z.string().nullable(),
      exists: z.boolean(),
      files: count,
      notes: z.array(z.string()),
      events: count,
      /** Lines kept aside since ever; reasons are those of the newest 10 000. */
      aside: count,
      lastEventAt: time.nullable(),
      lastReadAt: time.nullable(),
      reasons: z.array(
        z.strictObject({
          reason: z.enum(ASIDE_REASONS),
          detail: z.string(),
          lines: count,
          /** Where the newest of them stands; its text is never shown. */
          last: z.strictObject({
            file: z.string(),
            line: count.nullable(),
            byteOffset: count,
            seenAt: time,
          }),
        }),
      ),
    }),
  ),
});

export const doctorJson = z.strictObject({
  /** Nothing worse than a warning. */
  healthy: z.boolean(),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      state: z.enum(['ok', 'warning', 'error']),
      text: z.string(),
      remedy: z.string().nullable(),
    }),
  ),
  /** Checks that need what is not there, such as the store. */
  skipped: z.array(z.string()),
});

export const backupJson = z.strictObject({
  output: z.string(),
  /** Of the manifest, which names all that is in it. */
  digest: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  takenAt: time,
  entries: count,
  root: z.string(),
  sizeBytes: count,
  withKey: z.boolean(),
});

export const restoreJson = z.strictObject({
  digest: z.string(),
  takenAt: time,
  /** Of the ledger, in the backup. */
  entries: count,
  uncertain: count,
  kept: z.string().nullable(),
  key: z.enum(['usable', 'missing', 'other']),
  recordedSince: count.nullable(),
  witnessedSize: count.nullable(),
});

const share = z.number().min(0).max(1);

export const demoJson = z.strictObject({
  seed: count,
  acts: z.array(
    z.strictObject({
      scenario: z.string(),
      /** What was proposed, decided and deployed, and what became of it. */
      proposal: z.string(),
      title: z.string(),
      state: z.enum(PROPOSAL_STATES),
      /** Of all calls of the fleet, before and after it was deployed. */
      failedBefore: share,
      failedAfter: share,
    }),
  ),
});

export const upJson = z.strictObject({ url: z.string(), pid: count });

export const serviceUnitJson = z.strictObject({
  manager: z.enum(['systemd', 'launchd']),
  path: z.string(),
  text: z.string(),
  start: z.array(z.string()),
});
