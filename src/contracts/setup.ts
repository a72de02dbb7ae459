/** Setting Hone up for a repository. */
import { z } from 'zod';
import { actor, type Wire } from './shapes.ts';

export const initJson = z.strictObject({
  changed: z.boolean(),
  root: z.string(),
  stateDir: z.string(),
  configFile: z.enum(['written', 'kept']),
  /** Its path as shown to a person. */
  configPath: z.string(),
  key: z.enum(['made', 'kept', 'elsewhere']),
  verifierKey: z.string(),
  configuration: z.enum(['accepted', 'unchanged', 'edited']),
  /** The first operator's token, shown by the one call that creates the ledger. */
  token: z.strictObject({ name: z.string(), secret: z.string() }).nullable(),
  /** Who set it up; an agent gets no token. */
  actor,
  /** What the repository is made of, for whoever looks whether Hone understood it; empty where nothing was written. */
  found: z.array(z.string()),
  agentFiles: z.array(z.string()),
  /** This call began the ledger, or gave it a key. */
  newLedger: z.boolean(),
  /** Something was accepted here before, but this store knows nothing of it. */
  newStore: z.boolean(),
  /** What to do next, in this order; lines to copy are below what they are for. */
  next: z.array(z.string()),
});

export type SetUp = Wire<typeof initJson>;
