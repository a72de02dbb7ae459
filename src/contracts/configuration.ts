/** The configuration: what is in effect, and what a file would change. */
import { z } from 'zod';
import { configurationState, count, type Wire } from './shapes.ts';

const configChanges = z.array(
  z.strictObject({
    key: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    weakens: z.boolean(),
  }),
);

export const configShowJson = z.strictObject({
  configuration: configurationState,
  /** The digest of what was accepted last. */
  accepted: z.string().nullable(),
  /** The digest of the present hone.yaml; null if it is missing or not valid. */
  file: z.string().nullable(),
  /** With --all also the keys that have their default. */
  config: z.record(z.string(), z.unknown()),
  changes: configChanges,
  /** What is set and has no effect. */
  notes: z.array(z.string()),
});

/** Not accepted: nothing differs, or the digest of what was seen is missing (exit code 1). */
export const configAcceptJson = z.strictObject({
  accepted: z.boolean(),
  /** Of hone.yaml as it stands. */
  digest: z.string(),
  changes: configChanges,
  /** What needs an operator: the keys that weaken, or all if that is unknown. */
  weakened: z.array(z.string()),
  /** Nothing was accepted: it takes the digest of what was seen. */
  unseen: z.boolean(),
  /** What is left to do about those who could not be notified. */
  untold: z.array(z.string()),
});

export const configAcceptInput = z.strictObject({
  /** Of the file that you saw; 12 characters are enough. Without it only what changes nothing is accepted. */
  digest: z.string().max(100).optional(),
});

export const configCheckJson = z.strictObject({
  /** Its path as shown to a person. */
  file: z.string(),
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

export type ConfigurationChange = Wire<typeof configChanges>[number];
export type ShownConfiguration = Wire<typeof configShowJson>;
export type AcceptedConfiguration = Wire<typeof configAcceptJson>;
export type CheckedConfiguration = Wire<typeof configCheckJson>;
