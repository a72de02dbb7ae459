/** The routes of the foundation: how things stand, and the kill switch. */
import { z } from 'zod';
import { REASON_MAX, recordedReason } from '../facts/index.ts';
import type { KillSwitch } from '../policy/index.ts';
import { refusal } from './app.ts';
import type { Route } from './types.ts';

const reasonBody = z.strictObject({
  reason: z.string().max(REASON_MAX).transform(recordedReason).pipe(z.string().min(1)),
});

/** Whoever stops everything in a hurry need not say why. */
const stopBody = reasonBody.extend({ reason: reasonBody.shape.reason.default('no reason given') });

export function foundationRoutes(ports: {
  killSwitch: KillSwitch;
  status: () => Promise<unknown>;
}): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/status',
      role: 'viewer',
      handle: async () => ({ status: 200, body: await ports.status() }),
    },
    {
      method: 'POST',
      path: '/api/stop',
      role: 'approver',
      handle: async ({ actor, body }) => {
        const parsed = stopBody.safeParse(body ?? {});
        if (!parsed.success) return refusal(400, 'body', 'Send {"reason": "…"}, or nothing.');
        await ports.killSwitch.stop(actor!, parsed.data.reason, 'http');
        return { status: 200, body: { stopped: true } };
      },
    },
    {
      method: 'POST',
      path: '/api/resume',
      role: 'operator',
      handle: async ({ actor, body }) => {
        const parsed = reasonBody.safeParse(body);
        if (!parsed.success) return refusal(400, 'body', 'Send {"reason": "…"}.');
        const result = await ports.killSwitch.resume(actor!, parsed.data.reason);
        if (result.resumed) return { status: 200, body: { stopped: false } };
        const why = {
          file: 'The stop file exists.',
          held: 'What was accepted is not in effect: "hone config show" says why.',
          not_human: 'Only a person lifts the stop.',
          changed: 'Tokens were changed at the same moment. Try again.',
        }[result.why];
        return refusal(409, result.why, why);
      },
    },
  ];
}
