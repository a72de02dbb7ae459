/** The status. */
import { z } from 'zod';
import { EFFECT_STATES, PROPOSAL_STATES } from '../facts/index.ts';
import { hookStanding } from './hooks.ts';
import { configurationState, count, time, type Wire } from './shapes.ts';
import { baselineJson } from './tier.ts';

export const statusJson = z.strictObject({
  root: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  store: z.string(),
  stopped: z.boolean(),
  stopReason: z.string().nullable(),
  configuration: configurationState,
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
  /** Where a change goes; `remote` is null where that is a branch of the repository itself. */
  goesTo: z.strictObject({ branch: z.string(), forge: z.string(), remote: z.string().nullable() }),
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
  /** Tiers at which Hone decides by itself. */
  automatic: z.array(z.enum(['auto', 'notify'])),
  /** Whether the fleet is steady enough for that; null where the telemetry cannot be read. */
  baseline: baselineJson.nullable(),
  notEnforced: z.array(z.strictObject({ gate: z.string(), mode: z.enum(['observe', 'off']) })),
  /** The hooks of coding agents that are or were installed here. */
  hooks: z.array(hookStanding),
  /** How long telemetry is kept, and when what is older was last deleted. */
  telemetry: z.strictObject({
    eventsDays: z.number(),
    countsDays: z.number(),
    lastAt: time.nullable(),
  }),
  /** Where telemetry can be sent to. */
  receiver: z.strictObject({
    address: z.string(),
    /** `free`: nobody listens there. The others: somebody else does. */
    state: z.enum(['off', 'free', 'listening', 'other_hone', 'other_program']),
    /** Events of the last hour; null where that cannot be read. */
    lastHour: count.nullable(),
  }),
  /** What waits for a cycle. */
  triggers: count,
  /** What Hone may do by itself, and how much of it is used. */
  limits: z.array(
    z.strictObject({
      limit: z.enum(['cycles', 'open_proposals', 'pull_requests', 'automatic_changes']),
      used: count,
      max: count,
      /** When one more is allowed again; null where it is now, or where time alone does not help. */
      freeAt: time.nullable(),
    }),
  ),
  /** What holds back for now: the changes of a generator or a category, or all that no person decides. */
  pauses: z.array(
    z.strictObject({
      what: z.enum(['generator', 'category', 'automatic']),
      name: z.string(),
      why: z.string(),
      /** Null: until an operator resets it. */
      until: time.nullable(),
    }),
  ),
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
      need: z.enum(['settle', 'release', 'decide', 'roll_back']),
      /** Why, where the need alone does not say it. */
      why: z.string().nullable(),
    }),
  ),
  troubles: z.array(z.strictObject({ work: z.string(), attempts: count, error: z.string() })),
});

export type Status = Wire<typeof statusJson>;
