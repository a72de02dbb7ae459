/** Requests to Hone. What comes back is typed by its contracts; an error carries what Hone said about it. */
import type { ShownSession } from '../../src/contracts/server.ts';
import { noteDate } from './server-time.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | null;

  constructor(status: number, code: string, message: string, hint: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** The last answers with their ETags: what did not change is neither sent nor drawn again. */
const known = new Map<string, { readonly etag: string; readonly body: unknown }>();
const KNOWN_MAX = 200;

let csrf = '';

export async function get<Answer>(path: string): Promise<Answer> {
  const before = known.get(path);
  const headers: Record<string, string> =
    before === undefined ? {} : { 'if-none-match': before.etag };
  const response = await ask(path, { headers });
  if (response.status === 304 && before !== undefined) return before.body as Answer;
  const body = await read<Answer>(response);
  const etag = response.headers.get('etag');
  if (etag !== null) {
    const [oldest] = known.keys();
    if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    known.set(path, { etag, body });
  }
  return body;
}

export async function post<Answer>(path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-hone-csrf': csrf };
  return read<Answer>(await ask(path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

export async function readSession(): Promise<ShownSession> {
  const shown = await get<ShownSession>('/api/session');
  csrf = shown.session?.csrf ?? '';
  return shown;
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  try {
    const asked = { ...init, cache: 'no-store', credentials: 'same-origin' } as const;
    const response = await fetch(path, asked);
    noteDate(response.headers.get('date'));
    return response;
  } catch {
    const hint = 'Is "hone up" running? The page tries again by itself.';
    throw new ApiError(0, 'unreachable', 'Hone does not answer.', hint);
  }
}

async function read<Answer>(response: Response): Promise<Answer> {
  const body = (await response.json().catch(() => undefined)) as
    | (Answer & { error?: { code: string; message: string; hint: string | null } })
    | undefined;
  if (response.ok && body !== undefined) return body;
  const {
    code = 'unknown',
    message = `Hone answered ${response.status}.`,
    hint = null,
  } = body?.error ?? {};
  throw new ApiError(response.status, code, message, hint);
}

/** `{ limit: 5, state: undefined }` as `?limit=5`. */
export function query(
  values: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
