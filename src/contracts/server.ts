/** The server and what keeps it running. */
import { z } from 'zod';
import { count, type Wire } from './shapes.ts';

export const upJson = z.strictObject({
  url: z.string(),
  pid: count,
  /** Where telemetry is received; null if it is not. */
  telemetry: z.string().nullable(),
});

export const serviceUnitJson = z.strictObject({
  manager: z.enum(['systemd', 'launchd']),
  path: z.string(),
  text: z.string(),
  start: z.array(z.string()),
});

export type Serving = Wire<typeof upJson>;
export type ServiceUnit = Wire<typeof serviceUnitJson>;
