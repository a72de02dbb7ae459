/** One request to the model's provider: an answer of JSON, bounded, or an error in words. Redirections are not followed. */
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface Onward {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly value: unknown;
}

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** The longest that providers let an answer take that is not streamed. */
const SILENT_MS_MAX = 600_000;

export async function askUpstream(onward: Onward, signal: AbortSignal): Promise<UpstreamAnswer> {
  const { status, text } = await exchanged(onward, signal);
  if (status >= 300 && status < 400) throw new Error('The model’s host sent elsewhere.');
  try {
    return { status, value: JSON.parse(text) };
  } catch {
    throw new Error('The model’s host answered with something that is not JSON.');
  }
}

function exchanged(
  { url, headers, body }: Onward,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const fail = () => reject(new Error('The model’s host did not answer.'));
  const request = new URL(url).protocol === 'http:' ? plainRequest : secureRequest;
  const sent = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    timeout: SILENT_MS_MAX,
    signal,
  });
  sent.on('error', fail);
  sent.on('timeout', () => sent.destroy());
  sent.on('response', (reply) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    reply.on('data', (part: Buffer) => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= ANSWER_BYTES_MAX) return;
      reject(new Error('The model’s host answered with more than is read.'));
      sent.destroy();
    });
    reply.on('error', fail);
    reply.on('aborted', fail);
    reply.on('end', () =>
      resolve({ status: reply.statusCode!, text: Buffer.concat(parts).toString() }),
    );
  });
  sent.end(body);
  return promise;
}
