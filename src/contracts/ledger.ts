/** The ledger: entries, proofs, verification. */
import { z } from 'zod';
import { actor, count, countInput, limitInput, time, type Wire } from './shapes.ts';

const ledgerEntryJson = z.strictObject({
  index: count,
  at: time,
  type: z.string(),
  actor,
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

export const ledgerShowInput = z.strictObject({
  /** Only those about it. */
  subject: z.string().max(500).optional(),
  /** From this entry on; the newest ones without it. */
  from: countInput.optional(),
  /** Only those before this entry, the newest of them. */
  before: countInput.optional(),
  limit: limitInput,
});
export const ledgerProveInput = z.strictObject({
  /** The entry; for consistency, the smaller size. */
  index: countInput,
  size: countInput.optional(),
});

export const ledgerExportInput = z.strictObject({});

export const ledgerVerifyInput = z.strictObject({
  /** Checkpoints that were kept elsewhere, one or more: the text of "hone ledger checkpoint". */
  checkpoints: z
    .string()
    .max(1024 * 1024)
    .optional(),
  /** The public key to trust, instead of the one beside the ledger. */
  key: z.string().max(500).optional(),
});

export const ledgerFollowInput = z.strictObject({
  /** The index of the last entry that was seen; -1 for none. */
  after: z.coerce.number().int().min(-1).optional(),
  /** Only types that begin so, such as `deploy.`. */
  type: z.string().max(100).optional(),
  /** Only subjects that begin so, such as `proposal:`. */
  subject: z.string().max(500).optional(),
});

export type LedgerEntry = Wire<typeof ledgerEntryJson>;
export type ShownLedger = Wire<typeof ledgerShowJson>;
export type ExportedLedger = Wire<typeof ledgerExportJson>;
export type VerifiedLedger = Wire<typeof ledgerVerifyJson>;
export type RebuiltTables = Wire<typeof ledgerRebuildJson>;
export type SignedCheckpoint = Wire<typeof ledgerCheckpointJson>;
export type Proof = Wire<typeof ledgerProveJson>;
export type LedgerShowInput = Wire<typeof ledgerShowInput>;
export type LedgerProveInput = Wire<typeof ledgerProveInput>;
export type LedgerFollowInput = Wire<typeof ledgerFollowInput>;
