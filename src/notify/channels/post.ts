/** One request to a receiver of notices, and what its answer means for sending again. */
import { errorCode, errorMessage } from '../../base/index.ts';
import type { Sent } from '../../outbox/index.ts';

/** A network that never took the request: certainly not done. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

export async function post(
  url: string,
  {
    body,
    headers,
    signal,
  }: { body: string; headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<Sent> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      body,
      headers: { 'content-type': 'application/json', ...headers },
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
