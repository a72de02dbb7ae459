/** The routes of the foundation: how things stand, and the kill switch. */
import { z } from 'zod';
import type { KillSwitch } from '../policy/index.ts';
import { RECORDED_MAX, type Recorded, recordText } from '../sanitise/index.ts';
import { refusal } from './app.ts';
import type { Route } from './types.ts';

const reasonBody = z.strictObject({
  reason: z
    .string()
    .max(RECORDED_MAX)
    .transform((given) => recordText(given))
    .refine(({ text }) => text !== ''),
});

/** Whoever sent a secret is told: what is recorded stays for ever. */
function maskedNote({ masked }: Recorded): { maskedInReason?: number } {
  return masked === 0 ? {} : { maskedInReason: masked };
}

/** Whoever stops everything in a hurry need not say why. */
const stopBody = reasonBody.extend({
  reason: reasonBody.shape.reason.default(recordText('no reason given')),
});

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
        await ports.killSwitch.stop(actor!, parsed.data.reason.text, 'http');
        return { status: 200, body: { stopped: true, ...maskedNote(parsed.data.reason) } };
      },
    },
    {
      method: 'POST',
      path: '/api/resume',
      role: 'operator',
      handle: async ({ actor, body }) => {
        const parsed = reasonBody.safeParse(body);
        if (!parsed.success) return refusal(400, 'body', 'Send {"reason": "…"}.');
        const result = await ports.killSwitch.resume(actor!, parsed.data.reason.text);
        if (result.resumed)
          return { status: 200, body: { stopped: false, ...maskedNote(parsed.data.reason) } };
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
