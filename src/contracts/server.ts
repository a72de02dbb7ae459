/** The server and what keeps it running. */
import { z } from 'zod';
import { ROLES } from '../facts/index.ts';
import { actor, count, type Wire } from './shapes.ts';

export const upJson = z.strictObject({
  url: z.string(),
  pid: count,
  /** Where telemetry is received; null if it is not. */
  telemetry: z.string().nullable(),
});

/** `hone open`. */
export const openedDashboardJson = z.strictObject({
  /** With a key that opens it once where it is on this machine; elsewhere a token is asked for. */
  url: z.string(),
  local: z.boolean(),
  /** How long the key holds; null without one. */
  validMs: count.nullable(),
});

/** Who uses the dashboard, for its pages. */
export const sessionJson = z.strictObject({
  version: z.string(),
  /** Null where nobody has opened it yet. */
  session: z
    .strictObject({
      /** The person of this machine, or the holder of the token that was entered. */
      actor,
      role: z.enum(ROLES),
      /** Whether a token was entered. */
      named: z.boolean(),
      /** Sent with every change as `X-Hone-CSRF`. */
      csrf: z.string(),
    })
    .nullable(),
});

export const sessionTokenInput = z.strictObject({ secret: z.string().min(1).max(200) });

export const serviceUnitJson = z.strictObject({
  manager: z.enum(['systemd', 'launchd']),
  path: z.string(),
  text: z.string(),
  start: z.array(z.string()),
});

export type Serving = Wire<typeof upJson>;
export type ServiceUnit = Wire<typeof serviceUnitJson>;
export type OpenedDashboard = Wire<typeof openedDashboardJson>;
export type ShownSession = Wire<typeof sessionJson>;
