/**
 * GitHub's REST interface, as far as Hone uses it: a few typed requests over plain `fetch`. Everything that comes back is
 * attacker-controlled: bounded in size and time, read by a schema, its words cleaned before anybody sees them. Redirects
 * are not followed, so the token reaches no other host, and neither it nor a header is ever part of a message.
 *
 * Faults throw `GitHubError` with the status and, where GitHub names one, the time from which asking again makes sense.
 */
import type { z } from 'zod';
import { type Clock, errorCode, withTimeout } from '../../../base/index.ts';
import { recordedText } from '../../../sanitise/index.ts';
import { DeployError, type DeployErrorCode } from '../../errors.ts';
import { plainLine } from '../../plain-text.ts';

/** GitHub answers within seconds; longer is a hang, and the step is taken again. */
const ANSWER_MS_MAX = 15_000;
/** A list of 100 reviews with the longest texts allowed is 6.5 MB. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** GitHub's advice for a secondary limit that names no time. */
const LIMITED_MS = 60_000;
/** A limit is reset within the hour; a later time is not believed. */
const LIMITED_MS_MAX = 3_600_000;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ApiPorts {
  /** `https://api.github.com`, or that of an own server. */
  readonly address: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

export interface Asked<T extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Parts of the path; each is escaped. */
  readonly path: readonly (string | number)[];
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** What opens it: an installation's or a bot's token, or an app's own proof. */
  readonly token: string;
  readonly answer: T;
}

export class GitHubError extends DeployError {
  /** Undefined where nobody answered. */
  readonly status: number | undefined;
  /** Not before this. */
  readonly retryAtMs: number | undefined;
  /** Less at a time may be small enough. */
  readonly isTooLarge: boolean;

  constructor(
    code: DeployErrorCode,
    message: string,
    more: { status?: number; retryAtMs?: number; hint?: string; isTooLarge?: true } = {},
  ) {
    super(code, message, more.hint === undefined ? {} : { hint: more.hint });
    this.status = more.status;
    this.retryAtMs = more.retryAtMs;
    this.isTooLarge = more.isTooLarge === true;
  }
}

/** From when on asking again makes sense, where the forge said so. */
export function retryAtMs(error: unknown): number | undefined {
  return error instanceof GitHubError ? error.retryAtMs : undefined;
}

export async function ask<T extends z.ZodType>(
  asked: Asked<T>,
  ports: ApiPorts,
): Promise<z.output<T>> {
  const { response, text } = await sent(asked, ports);
  if (!response.ok) throw refused(response, text, ports.clock.nowMs());
  const read = asked.answer.safeParse(parsed(text));
  if (read.success) return read.data;
  const where = read.error.issues.slice(0, 3).map(({ path }) => path.join('.'));
  throw new GitHubError(
    'forge_failed',
    `GitHub answered in a form that Hone does not know (${plainLine(where.join(', '))}).`,
    { status: response.status },
  );
}

async function sent<T extends z.ZodType>(asked: Asked<T>, { address, fetch, clock }: ApiPorts) {
  const path = asked.path.map((part) => encodeURIComponent(part)).join('/');
  const query = new URLSearchParams(
    Object.entries(asked.query ?? {}).map(([key, value]) => [key, String(value)]),
  );
  const url = `${address}/${path}${query.size === 0 ? '' : `?${query}`}`;
  try {
    return await withTimeout(clock, ANSWER_MS_MAX, async (signal) => {
      const response = await fetch(url, {
        method: asked.method,
        redirect: 'manual',
        signal,
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${asked.token}`,
          'user-agent': 'hone',
          'x-github-api-version': '2022-11-28',
          ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      });
      return { response, text: await bounded(response) };
    });
  } catch (error) {
    if (error instanceof GitHubError) throw error;
    const cause = error instanceof Error ? errorCode(error.cause) : undefined;
    const why = cause ?? (error instanceof Error ? error.name : 'no answer');
    throw new GitHubError('forge_failed', `GitHub could not be asked (${plainLine(why)}).`, {
      hint: 'It is asked again. Look whether deploy.github.api can be reached from here.',
    });
  }
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > ANSWER_BYTES_MAX)
      throw new GitHubError('forge_failed', 'GitHub answered with more than Hone reads.', {
        isTooLarge: true,
      });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused({ status, headers }: Response, text: string, nowMs: number): GitHubError {
  const message = (parsed(text) as { message?: unknown } | undefined)?.message;
  const said = typeof message === 'string' ? plainLine(recordedText(message), 300) : '';
  const words = said === '' ? `${status}` : `${status}: ${said}`;
  const retryAtMs = limitedUntilMs(status, headers, nowMs);
  if (retryAtMs !== undefined) {
    const seconds = Math.ceil((retryAtMs - nowMs) / 1000);
    const limited = `GitHub’s limit of requests is used up (${words}); it is asked again in ${seconds} s.`;
    return new GitHubError('forge_limited', limited, { status, retryAtMs });
  }
  if (status >= 500 || status === 408)
    return new GitHubError('forge_failed', `GitHub failed to answer (${words}).`, { status });
  if (status >= 300 && status < 400)
    return new GitHubError('forge_refused', `The repository has another address now (${words}).`, {
      status,
      hint: 'Correct deploy.github.repository.',
    });
  const hint = HINTS[status];
  return new GitHubError('forge_refused', `GitHub refuses (${words}).`, {
    status,
    ...(hint === undefined ? {} : { hint }),
  });
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'The token or the app’s key no longer counts: renew it.',
  403: 'The token or app may not do this: give it what docs/guides/connect-github.md lists.',
  404: 'There is no such repository, or the token may not see it: look at deploy.github.repository.',
};

/** A primary limit names when it is reset, a secondary one how long to wait, or nothing. */
function limitedUntilMs(status: number, headers: Headers, nowMs: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return nowMs + Math.min(after * 1000, LIMITED_MS_MAX);
  if (headers.get('x-ratelimit-remaining') === '0') {
    const resetMs = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000;
    const waitMs = Number.isFinite(resetMs) ? resetMs - nowMs : LIMITED_MS;
    return nowMs + Math.min(Math.max(waitMs, 1000), LIMITED_MS_MAX);
  }
  return status === 429 ? nowMs + LIMITED_MS : undefined;
}
