/**
 * What GitHub sends by itself. A webhook proves nothing and decides nothing: it says that a look is worth while, and the
 * look asks GitHub. So one that comes twice, late, or never changes only when a review is seen; one that is forged is
 * refused, and a replayed one is known by its signature as long as the process lives: the delivery's id is not signed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SentWebhook {
  readonly rawBody: string;
  header(name: string): string | undefined;
}

export type ReadWebhook =
  | { readonly is: 'refused'; readonly why: string }
  /** Known already, or about nothing that Hone waits for. */
  | { readonly is: 'ignored' }
  | { readonly is: 'look'; readonly proposalId: string };

/** A busy repository sends some hundred in the three days in which GitHub sends again. */
const KEPT_MAX = 5000;
const EVENTS: readonly string[] = ['pull_request', 'pull_request_review'];
const HEAD = /^hone\/(?:proposal|revert)-([A-Za-z0-9_]{1,100})$/;

export class WebhookReader {
  readonly #secret: string;
  readonly #seen = new Set<string>();

  /** An empty secret takes nothing. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  read({ rawBody, header }: SentWebhook): ReadWebhook {
    if (this.#secret === '') return { is: 'refused', why: 'no webhooks are expected here' };
    const signature = header('x-hub-signature-256') ?? '';
    if (!isSigned(rawBody, signature, this.#secret))
      return { is: 'refused', why: 'its signature does not verify' };
    if (this.#seen.has(signature)) return { is: 'ignored' };
    this.#seen.add(signature);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEPT_MAX && oldest !== undefined) this.#seen.delete(oldest);
    if (!EVENTS.includes(header('x-github-event') ?? '')) return { is: 'ignored' };
    const proposalId = HEAD.exec(headOf(rawBody))?.[1];
    return proposalId === undefined ? { is: 'ignored' } : { is: 'look', proposalId };
  }
}

/** `sha256=` and the HMAC of the raw body, compared in constant time. */
function isSigned(rawBody: string, given: string, secret: string): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function headOf(rawBody: string): string {
  try {
    const body = JSON.parse(rawBody) as { pull_request?: { head?: { ref?: unknown } } };
    const ref = body.pull_request?.head?.ref;
    return typeof ref === 'string' ? ref : '';
  } catch {
    return '';
  }
}
