/**
 * How something ended and how grave a line is, from values that programs write. Words are a small table: numbers,
 * booleans and the form of the value are looked at first.
 */
import type { LINE_LEVELS } from '../../facts/index.ts';
import { numberOf } from './values.ts';

export type Level = (typeof LINE_LEVELS)[number];

const GOOD = words(
  'ok okay success successful succeeded succeed pass passed done complete completed finished healthy up green allow allowed allowing permit permitted approve approved accept accepted granted true yes y t oui ja si sim erfolg erfolgreich exito sucesso 成功',
);
const BAD = words(
  'error errored err fail failed failing failure fatal exception timeout timedout timed_out expired cancelled canceled aborted crashed unhealthy down red deny denied block blocked reject rejected refused forbidden unauthorized quarantine critical false no n f nok non nein falsch fehler echec erro falla 失败',
);
/** Neither: it has not ended, or was not done. */
const OPEN = words('pending running started queued inprogress skipped skip unknown none');

function words(all: string): ReadonlySet<string> {
  return new Set(all.split(' '));
}

const plain = (value: string) =>
  value
    .slice(0, 60)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

/** Whether a status says that it went well; undefined if it does not say. */
export function wentWell(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const number = numberOf(value);
  if (number !== undefined)
    return number === 0 || number === 1 ? number === 1 : httpWentWell(number);
  if (typeof value !== 'string') return undefined;
  const word = plain(value).replaceAll('_', '');
  if (GOOD.has(word)) return true;
  if (BAD.has(word)) return false;
  if (OPEN.has(word)) return undefined;
  // `HTTP 503`, `status_ok`, `TIMEOUT_ERROR`, `Error: …`: its last or first word says it.
  const parts = plain(value)
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '');
  for (const part of [parts.at(-1), parts[0]]) {
    if (part === undefined || parts.length > 4) break;
    if (BAD.has(part)) return false;
    if (GOOD.has(part)) return true;
  }
  return undefined;
}

/** A status of HTTP. */
export function httpWentWell(status: number): boolean | undefined {
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  return status < 400;
}

const LEVELS: Readonly<Record<string, Level>> = {};
for (const [level, all] of [
  [
    'debug',
    'debug dbg trace trc verbose finest finer fine silly deb d v debug1 debug2 debug3 debug4 debug5',
  ],
  [
    'info',
    'info inf information informational notice note log config i n default stdout informacion',
  ],
  ['warning', 'warn warning wrn w warnung advertencia avertissement alerta aviso attention'],
  ['error', 'error err erro e severe fehler erreur stderr critical crit c'],
  ['fatal', 'fatal ftl emerg emergency alert panic f dpanic fatale'],
] as const)
  for (const word of all.split(' ')) (LEVELS as Record<string, Level>)[word] = level;

/** By a word, as one stands in a line. Single letters count only where a level is expected. */
export function levelOfWord(word: string, isExpected = false): Level | undefined {
  const key = word.toLowerCase();
  if (key.length < 2 && !isExpected) return undefined;
  if (
    !isExpected &&
    (key === 'default' || key === 'stdout' || key === 'stderr' || key === 'config')
  )
    return undefined;
  return Object.hasOwn(LEVELS, key) ? LEVELS[key] : undefined;
}

/** By a value under a key such as `level`. */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value === 'string' && numberOf(value) === undefined)
    return levelOfWord(value.trim().slice(0, 20), true);
  const number = numberOf(value);
  if (number === undefined || number < 0) return undefined;
  // Below 8 syslog's severities (0 is the worst); above them those of pino, bunyan and Python, which agree.
  if (number < 8 && Number.isInteger(number)) return levelOfSeverity(number);
  if (number < 20) return 'debug';
  if (number < 30) return pythonOrPino(number);
  if (number < 40) return number === 30 ? 'info' : 'warning';
  if (number < 50) return 'warning';
  return number < 60 ? 'error' : 'fatal';
}

/** 20 is debug of pino and info of Python: neither is grave. */
function pythonOrPino(number: number): Level {
  return number === 20 ? 'info' : 'debug';
}

/** Syslog's severities. */
export function levelOfSeverity(severity: number): Level {
  if (severity <= 1) return 'fatal';
  if (severity <= 3) return 'error';
  if (severity === 4) return 'warning';
  return severity <= 6 ? 'info' : 'debug';
}

export function isBad(level: Level): boolean {
  return level === 'error' || level === 'fatal';
}
