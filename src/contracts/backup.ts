/** Backups. */
import { z } from 'zod';
import { count, time, type Wire } from './shapes.ts';

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

export type TakenBackup = Wire<typeof backupJson>;
export type RestoredBackup = Wire<typeof restoreJson>;
