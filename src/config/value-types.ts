/**
 * The types of values that only configuration has: cron expressions, time zones, references to
 * environment variables, origins. For numbers, words and lists rooms use zod itself.
 */
import { Cron } from 'croner';
import { z } from 'zod';
import { noted } from './fields.ts';
import { holdsSecret } from './secrets.ts';

const ENV_REFERENCE = /^env:([A-Za-z_][A-Za-z0-9_]{0,99})$/;
const NICKNAMES = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@hourly']);

/** A text that fails its test with `bad_form`; `why` is a sentence for the reader. */
function textThat(expects: string, test: (text: string) => true | string, quoted = false) {
  const schema = z.string().superRefine((text, context) => {
    const verdict = test(text);
    if (verdict === true) return;
    context.addIssue({ code: 'custom', params: { problem: 'bad_form', why: verdict } });
  });
  return noted(schema, { expects, quoted });
}

const TOOL_PATTERN = /^[A-Za-z0-9_.*-]{1,128}\/[A-Za-z0-9_.*-]{1,128}$/;

/** Tools of agents: a server and a tool, each with `*` for anything. */
export function toolPattern() {
  return textThat('server/tool, with * for anything, such as "files/*" or "*/*"', (text) =>
    TOOL_PATTERN.test(text) ? true : 'Name the server and the tool; "*/*" is every tool.',
  );
}

/** Five fields (minute, hour, day, month, weekday) or a nickname such as `@daily`. */
export function cron() {
  return textThat('a cron expression of five fields, such as "0 9 * * 1-5"', checkCron, true);
}

/** Those that were checked: the same few are in every file, and a server reads its file again and again. */
const checkedCrons = new Map<string, true | string>();
const CHECKED_MAX = 100;

function checkCron(text: string): true | string {
  const known = checkedCrons.get(text);
  if (known !== undefined) return known;
  const verdict = cronVerdict(text);
  if (checkedCrons.size < CHECKED_MAX && text.length <= CRON_LENGTH_MAX)
    checkedCrons.set(text, verdict);
  return verdict;
}

const CRON_LENGTH_MAX = 200;

function cronVerdict(text: string): true | string {
  // croner takes dates and up to seven fields, and repeats its input in its messages.
  const fields = text.trim().split(/\s+/);
  if (text.length > CRON_LENGTH_MAX) return 'It is too long.';
  if (fields.length === 1 && NICKNAMES.has(text)) return true;
  if (fields.length !== 5)
    return `It has ${fields.length === 1 ? 'one field' : `${fields.length} fields`}.`;
  try {
    // An offset instead of a zone: asking ICU for a zone costs 45 ms the first time.
    const job = new Cron(text, { paused: true, mode: '5-part', utcOffset: 0 });
    // Only a day of the month can make a date that never comes (31 February).
    if (fields[2] !== '*' && job.nextRun('2024-01-01T00:00:00') === null) return 'It never occurs.';
    return true;
  } catch {
    return 'A field is out of its range or has a character that cron does not know.';
  }
}

/** `UTC` or a name of the IANA database; an offset such as `+01:00` knows no summer time. */
export function timeZone() {
  return textThat('a time zone such as UTC or Europe/Berlin', (text) => {
    if (text === 'UTC') return true;
    if (!/^[A-Z][A-Za-z0-9_+/-]{1,60}$/.test(text)) return 'Names look like Area/City.';
    try {
      new Intl.DateTimeFormat('en', { timeZone: text });
      return true;
    } catch {
      return 'This machine does not know such a zone.';
    }
  });
}

/** A host name or address without port or scheme. */
export function hostName() {
  return textThat('a host name or address', (text) =>
    /^[A-Za-z0-9.:_-]{1,253}$/.test(text) ? true : 'Leave out the scheme, the path and spaces.',
  );
}

/** What a browser sends as `Origin`. */
export function origin() {
  return textThat('an origin such as https://hone.example.org', (text) =>
    URL.parse(text)?.origin === text ? true : 'Write the scheme and the host only.',
  );
}

/** `sqlite`, `env:NAME`, or a PostgreSQL URL without a password. */
export function storeUrl() {
  const expects = 'sqlite, env:NAME, or a postgres:// URL without a password';
  return textThat(expects, (text) => {
    if (text === 'sqlite' || ENV_REFERENCE.test(text)) return true;
    if (text.startsWith('env:')) return 'After env: comes the name of an environment variable.';
    // The reader of the file reports a literal password itself, with its own advice.
    return isPostgresUrl(text) || holdsSecret(text) ? true : 'It is none of these.';
  });
}

export type StoreTarget =
  | { readonly ok: true; readonly engine: 'sqlite' }
  | { readonly ok: true; readonly engine: 'postgres'; readonly url: string }
  | { readonly ok: false; readonly message: string };

/** What `store.url` means here and now. The message never holds the variable's value. */
export function resolveStore(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): StoreTarget {
  const name = ENV_REFERENCE.exec(url)?.[1];
  const value = name === undefined ? url : environment[name];
  if (value === undefined || value === '')
    return {
      ok: false,
      message: `The environment variable ${name}, named by store.url, is not set.`,
    };
  if (value === 'sqlite') return { ok: true, engine: 'sqlite' };
  if (isPostgresUrl(value)) return { ok: true, engine: 'postgres', url: value };
  const message = `The environment variable ${name}, named by store.url, holds no postgres:// URL.`;
  return { ok: false, message };
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}
