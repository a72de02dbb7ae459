/** The hooks of coding agents. */
import { z } from 'zod';
import type { Wire } from './shapes.ts';

export const HOOK_CLIENTS = ['claude-code', 'codex'] as const;

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
      verdict: z.enum(['proven', 'not proven', 'not installed']),
      why: z.string(),
    }),
  ),
});

export type HooksInstalled = Wire<typeof hooksInstalledJson>;
export type HooksOff = Wire<typeof hooksOffJson>;
export type HooksProbed = Wire<typeof hooksProbedJson>;
