/**
 * A webhook as the Standard Webhooks specification describes it: `webhook-id` (our key, which the
 * receiver must honour), `webhook-timestamp`, `webhook-signature: v1,<base64 HMAC-SHA256>` over
 * `id.timestamp.body`. A secret is written `whsec_<base64>`.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Clock, isoTime } from '../../base/index.ts';
import { field } from '../../config/index.ts';
import type { Effect, Sent } from '../../outbox/index.ts';
import type { Channel } from '../types.ts';
import { post } from './post.ts';

const type = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
      url: z.url({ protocol: /^https?$/ }).max(2000),
      /** The environment variable that holds the secret, never the secret itself. */
      secretEnv: z.string().regex(/^[A-Z][A-Z0-9_]{0,100}$/),
    }),
  )
  .max(20);

const nameOf = (webhook: { readonly name: string }) => `webhook:${webhook.name}`;

export const webhooks: Channel<typeof type> = {
  setting: field(type, [], {
    weakens: 'any',
    comment: 'Standard Webhooks: name, url, secretEnv (variable with the whsec_ secret).',
    asked: {
      example: { name: 'team', url: 'https://example.org/hone', secretEnv: 'HONE_WEBHOOK' },
    },
  }),
  destinations: (configured) => configured.map(nameOf),
  open: (configured, { clock, log, secret }) =>
    configured.flatMap((webhook) => {
      const { name, url, secretEnv } = webhook;
      const value = secret(secretEnv);
      if (value === undefined || value === '') {
        log.warn('a webhook has no secret', { webhook: name, variable: secretEnv });
        return [];
      }
      return [
        {
          kind: 'keyed',
          name: nameOf(webhook),
          send: (effect, signal) => sent(effect, signal, { url, secret: value, clock }),
        },
      ];
    }),
};

interface Receiver {
  readonly url: string;
  readonly secret: string;
  readonly clock: Clock;
}

function sent(effect: Effect, signal: AbortSignal, receiver: Receiver): Promise<Sent> {
  const nowMs = receiver.clock.nowMs();
  const body = JSON.stringify({
    type: 'hone.notice',
    timestamp: isoTime(nowMs),
    data: effect.payload,
  });
  const seconds = String(Math.floor(nowMs / 1000));
  const headers = {
    'webhook-id': effect.key,
    'webhook-timestamp': seconds,
    'webhook-signature': signature(receiver.secret, `${effect.key}.${seconds}.${body}`),
  };
  return post(receiver.url, { body, headers, signal });
}

export function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
