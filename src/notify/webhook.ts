/**
 * A webhook as the Standard Webhooks specification describes it: `webhook-id` (our key, which the
 * receiver must honour), `webhook-timestamp`, `webhook-signature: v1,<base64 HMAC-SHA256>` over
 * `id.timestamp.body`. A secret is written `whsec_<base64>`.
 */
import { createHmac } from 'node:crypto';
import { type Clock, errorCode, errorMessage, isoTime } from '../base/index.ts';
import type { Destination, Effect, Sent } from '../outbox/index.ts';
import { webhookName } from './notices.ts';

export interface WebhookOptions {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
}

/** A network that never took the request: certainly not done. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

export function webhookDestination(options: WebhookOptions): Destination {
  return {
    kind: 'keyed',
    name: webhookName(options.name),
    send: (effect, signal) => post(effect, signal, options),
  };
}

async function post(effect: Effect, signal: AbortSignal, options: WebhookOptions): Promise<Sent> {
  const nowMs = options.clock.nowMs();
  const body = JSON.stringify({
    type: 'hone.notice',
    timestamp: isoTime(nowMs),
    data: effect.payload,
  });
  const seconds = String(Math.floor(nowMs / 1000));
  try {
    const answer = await (options.fetch ?? fetch)(options.url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': effect.key,
        'webhook-timestamp': seconds,
        'webhook-signature': signature(options.secret, `${effect.key}.${seconds}.${body}`),
      },
    });
    await answer.body?.cancel();
    return judge(answer.status);
  } catch (error) {
    const code = errorCode(error instanceof Error ? error.cause : undefined);
    const notDone = code !== undefined && NOT_SENT.has(code);
    return { outcome: 'failed', error: code ?? errorMessage(error), notDone };
  }
}

/** 410 means "stop sending"; other 4xx but those about timing will not change by trying again. */
function judge(status: number): Sent {
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  const permanent = status >= 300 && status < 500 && ![408, 409, 425, 429].includes(status);
  return { outcome: 'failed', error: `the receiver answered ${status}`, permanent };
}

export function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
