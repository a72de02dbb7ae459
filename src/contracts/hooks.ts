/** The hooks of coding agents. */
import { z } from 'zod';
import { HOOK_CLIENTS } from '../facts/index.ts';
import { time, type Wire } from './shapes.ts';

export const hooksInstalledJson = z.strictObject({
  client: z.enum(HOOK_CLIENTS),
  file: z.string(),
  /** Lines that begin with `+` or `-`. */
  diff: z.string(),
  written: z.boolean(),
  mode: z.string(),
});
export const hooksOffJson = z.strictObject({
  files: z.array(z.string()),
  recorded: z.boolean(),
});
export const hooksProbedJson = z.strictObject({
  probes: z.array(
    z.strictObject({
      client: z.enum(HOOK_CLIENTS),
      /** `taken away`: it was installed, and is there no more, and no operator said so. */
      verdict: z.enum(['proven', 'not proven', 'not installed', 'taken away']),
      why: z.string(),
    }),
  ),
});

/** How they stand, by the last probe and what the clients' settings say now. */
export const hookStanding = z.strictObject({
  client: z.enum(HOOK_CLIENTS),
  verdict: z.enum(['proven', 'not proven', 'taken away']),
  why: z.string(),
  probedAt: time.nullable(),
});

export type HookStanding = Wire<typeof hookStanding>;
export type HooksInstalled = Wire<typeof hooksInstalledJson>;
export type HooksOff = Wire<typeof hooksOffJson>;
export type HooksProbed = Wire<typeof hooksProbedJson>;
