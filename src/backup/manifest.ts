/** What a backup says of itself: written last, named by its digest, and checked before anything of it is used. */
import { z } from 'zod';
import { BackupError } from './errors.ts';
import { DATABASES, FILES } from './part-names.ts';

export const FORMAT = 1;

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
/** A closed list, and plain words: a name never leads anywhere. */
const partName = z.union([
  z.enum([...DATABASES, ...FILES]),
  z.string().regex(/^table\/[a-z][a-z0-9_]{0,62}$/),
]);

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The build that made it. */
  build: z.string().max(200),
  engine: z.enum(['sqlite', 'postgres']),
  takenAt: z.iso.datetime(),
  /** The installation it is of. */
  installation: z.string().max(200),
  /** The ledger as it is in the backup. */
  ledger: z.strictObject({ size: count, root: hex }),
  parts: z.array(z.strictObject({ name: partName, sizeBytes: count, sha256: hex })).max(1000),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type Part = Manifest['parts'][number];

export function parseManifest(text: string, path: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notABackup(path, cause);
  }
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) throw notABackup(path, parsed.error);
  const { parts } = parsed.data;
  if (new Set(parts.map(({ name }) => name)).size !== parts.length) throw notABackup(path);
  return parsed.data;
}

export function notABackup(path: string, cause?: unknown): BackupError {
  return new BackupError('not_a_backup', `${path} is not a backup that this build of Hone knows.`, {
    hint: 'Give a file that "hone backup" wrote. One of a newer Hone needs that Hone. Nothing was changed.',
    ...(cause === undefined ? {} : { cause }),
  });
}

export function altered(path: string, what: string): BackupError {
  return new BackupError('altered', `${path} was altered or damaged: ${what}.`, {
    hint: 'Take another copy of it, or an older backup. Nothing was changed.',
  });
}
