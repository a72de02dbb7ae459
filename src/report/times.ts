/**
 * Times as programs write them, in milliseconds since 1970. Values that are a time and nothing else are read here;
 * a time at the beginning of a line is found by `line-time.ts`.
 */
import { numberOf } from './values.ts';

export type TimeUnit = 'ns' | 'us' | 'ms' | 's';
const MS_BY_UNIT: Readonly<Record<TimeUnit, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000 };

/**
 * A count since 1970 whose unit is told by its size: from 1973 to the year 5138 seconds, milliseconds, microseconds
 * and nanoseconds are a factor of 1000 apart, and their ranges do not meet.
 */
export function epochMs(count: number): number | undefined {
  if (!(count >= 1e8 && count < 1e20)) return undefined;
  if (count < 1e11) return Math.round(count * 1000);
  if (count < 1e14) return Math.round(count);
  return Math.round(count < 1e17 ? count / 1e3 : count / 1e6);
}

export function timeIn(value: unknown, unit: TimeUnit): number | undefined {
  const count = numberOf(value);
  return count === undefined ? undefined : Math.round(count * MS_BY_UNIT[unit]);
}

/** A value that is a time as a whole. `zoneMinutes` is east of Greenwich, for times that name no zone. */
export function timeOf(value: unknown, zoneMinutes = 0): number | undefined {
  if (typeof value === 'number') return epochMs(value);
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const text = value.trim();
  const count = numberOf(text);
  if (count !== undefined) return text.length >= 9 ? epochMs(count) : undefined;
  const found = dateTimeAt(text, 0);
  if (found !== undefined && found.end === text.length) return atZone(found, zoneMinutes);
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return day === null ? undefined : utcMs(Number(day[1]), Number(day[2]), Number(day[3]), 0);
}

/** A date with a time of day, at a place of a text. Without a zone `zoneMinutes` is undefined. */
export interface FoundTime {
  /** As if it were written in UTC. */
  readonly wallMs: number;
  readonly zoneMinutes: number | undefined;
  readonly end: number;
}

export function atZone({ wallMs, zoneMinutes }: FoundTime, otherwise: number): number {
  return wallMs - (zoneMinutes ?? otherwise) * 60_000;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const CLOCK = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?';

/** Every form is of fixed parts with bounded repeats: none of them can be slow. */
const FORMS: readonly {
  readonly form: RegExp;
  readonly parts: (
    found: RegExpExecArray,
  ) => readonly [y: number, m: number, d: number, clockFrom: number];
}[] = [
  {
    // 2026-11-17T09:12:01.332Z, 2026/11/17 09:12:01, 2026-11-17 09:12:01,332
    form: new RegExp(`(\\d{4})[-/.](\\d{2})[-/.](\\d{2})[T _:]{1,2}${CLOCK}`, 'y'),
    parts: (found) => [Number(found[1]), Number(found[2]), Number(found[3]), 4],
  },
  {
    // 20261117T091201, 20261117 09:12:01
    form: /(\d{4})(\d{2})(\d{2})[T ](\d{2}):?(\d{2}):?(\d{2})(?:[.,](\d{1,9}))?/y,
    parts: (found) => [Number(found[1]), Number(found[2]), Number(found[3]), 4],
  },
  {
    // 17/Nov/2026:09:12:01, 17 Nov 2026 09:12:01,332, Tue, 17 Nov 2026 09:12:01, 17-Nov-2026 09:12:01.123
    form: new RegExp(`(?:[A-Z][a-z]{2},? )?(\\d{1,2})[/ -]${MONTH}[/ -](\\d{4})[: ]${CLOCK}`, 'y'),
    parts: (found) => [Number(found[3]), monthOf(found[2]!), Number(found[1]), 4],
  },
  {
    // Nov 17, 2026 9:12:01 AM
    form: new RegExp(`${MONTH} (\\d{1,2}), (\\d{4})(?:,| at)? ${CLOCK}`, 'y'),
    parts: (found) => [Number(found[3]), monthOf(found[1]!), Number(found[2]), 4],
  },
  {
    // 17.11.2026 09:12:01
    form: new RegExp(`(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}),? ${CLOCK}`, 'y'),
    parts: (found) => [Number(found[3]), Number(found[2]), Number(found[1]), 4],
  },
  {
    // 11/17/2026 09:12:01, and 17/11/2026 where the first cannot be a month
    form: new RegExp(`(\\d{1,2})/(\\d{1,2})/(\\d{4}),? ${CLOCK}`, 'y'),
    parts: (found) => {
      const [first, second] = [Number(found[1]), Number(found[2])];
      return first > 12
        ? [Number(found[3]), second, first, 4]
        : [Number(found[3]), first, second, 4];
    },
  },
];

/** With year and date; the zone, if there is one, is taken with it. */
export function dateTimeAt(text: string, at: number): FoundTime | undefined {
  const code = text.charCodeAt(at);
  const isDigit = code >= 48 && code <= 57;
  const apache = isDigit ? undefined : apacheAt(text, at);
  if (apache !== undefined) return apache;
  for (const { form, parts } of FORMS) {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found === null) continue;
    const [year, month, day, clock] = parts(found);
    const half = halfOfDay(text, form.lastIndex);
    const wallMs = wallOf(year, month, day, clockOf(found, clock, half.afternoon));
    if (wallMs === undefined) return undefined;
    return { wallMs, ...zoneAt(text, form.lastIndex + half.length) };
  }
  return undefined;
}

const APACHE = new RegExp(
  `[A-Z][a-z]{2} ${MONTH} {1,2}(\\d{1,2}) ${CLOCK}(?: (?:UTC|GMT))? (\\d{4})`,
  'y',
);
const SYSLOG = new RegExp(
  `${MONTH} {1,2}(\\d{1,2}),? (\\d{2}):(\\d{2}):(\\d{2})(?:[.,](\\d{1,9}))?`,
  'y',
);

/** `Tue Nov 17 09:12:01.123456 2026`: the year comes last, also behind a zone's name. */
function apacheAt(text: string, at: number): FoundTime | undefined {
  const form = APACHE;
  form.lastIndex = at;
  const found = form.exec(text);
  if (found === null) return undefined;
  const wallMs = wallOf(Number(found[7]), monthOf(found[1]!), Number(found[2]), clockOf(found, 3));
  return wallMs === undefined ? undefined : { wallMs, zoneMinutes: undefined, end: form.lastIndex };
}

/** `Nov 17 09:12:01` of syslog and `1117 09:12:01.332` of klog: a day without its year. */
export interface YearlessTime {
  readonly month: number;
  readonly day: number;
  readonly clockMs: number;
  readonly end: number;
}

export function yearlessAt(text: string, at: number): YearlessTime | undefined {
  const form = SYSLOG;
  form.lastIndex = at;
  const found = form.exec(text);
  if (found !== null) return yearless(found, form.lastIndex, monthOf(found[1]!));
  const klog = /(\d{2})(\d{2}) (\d{2}):(\d{2}):(\d{2})\.(\d{6})/y;
  klog.lastIndex = at;
  const digits = klog.exec(text);
  return digits === null ? undefined : yearless(digits, klog.lastIndex, Number(digits[1]));
}

function yearless(found: RegExpExecArray, end: number, month: number): YearlessTime | undefined {
  const clockMs = clockOf(found, 3);
  const day = Number(found[2]);
  if (clockMs === undefined || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return { month, day, clockMs, end };
}

const DAY_MS = 86_400_000;

/** The last such day that is not after what is known to be later, but for a day of zones and wrong clocks. */
export function withYear(
  { month, day, clockMs }: YearlessTime,
  beforeMs: number,
): number | undefined {
  const year = new Date(beforeMs).getUTCFullYear();
  for (const one of [year + 1, year, year - 1, year - 2, year - 3, year - 4]) {
    const dayMs = utcMs(one, month, day, 0);
    if (dayMs !== undefined && dayMs + clockMs <= beforeMs + DAY_MS) return dayMs + clockMs;
  }
  return undefined;
}

/** `09:12:01.332` alone. */
export function clockAt(text: string, at: number): { clockMs: number; end: number } | undefined {
  const form = /(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(?![:\d])/y;
  form.lastIndex = at;
  const found = form.exec(text);
  const clockMs = found === null ? undefined : clockOf(found, 1);
  return clockMs === undefined ? undefined : { clockMs, end: form.lastIndex };
}

/** The last time of day that is not after what is known to be later. */
export function withDay(clockMs: number, beforeMs: number): number {
  const midnight = Math.floor(beforeMs / DAY_MS) * DAY_MS;
  return midnight + clockMs <= beforeMs + DAY_MS / 2
    ? midnight + clockMs
    : midnight - DAY_MS + clockMs;
}

function clockOf(found: RegExpExecArray, from: number, afternoon?: boolean): number | undefined {
  let hours = Number(found[from]);
  const [minutes, seconds] = [Number(found[from + 1]), Number(found[from + 2] ?? 0)];
  if (afternoon !== undefined) hours = (hours % 12) + (afternoon ? 12 : 0);
  // A leap second is the last of its minute.
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const fraction = Math.floor(Number(`0.${found[from + 3] ?? 0}`) * 1000 + 1e-9);
  return (hours * 60 + minutes) * 60_000 + Math.min(seconds, 59) * 1000 + fraction;
}

function wallOf(year: number, month: number, day: number, clockMs: number | undefined) {
  return clockMs === undefined ? undefined : utcMs(year, month, day, clockMs);
}

/** Undefined for a day that no calendar has. */
function utcMs(year: number, month: number, day: number, clockMs: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || year < 1970) return undefined;
  const ms = Date.UTC(year, month - 1, day);
  return new Date(ms).getUTCDate() === day ? ms + clockMs : undefined;
}

const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function halfOfDay(text: string, at: number): { afternoon?: boolean; length: number } {
  const found = / ?([AaPp])\.?[Mm]\.?\b/y;
  found.lastIndex = at;
  const half = found.exec(text);
  if (half === null) return { length: 0 };
  return { afternoon: half[1]!.toLowerCase() === 'p', length: half[0].length };
}

function zoneAt(text: string, at: number): { zoneMinutes: number | undefined; end: number } {
  const form = / ?(?:(Z|UTC|GMT)\b|([+-])(\d{2}):?(\d{2})\b)/y;
  form.lastIndex = at;
  const found = form.exec(text);
  if (found === null) return { zoneMinutes: undefined, end: at };
  if (found[1] !== undefined) return { zoneMinutes: 0, end: form.lastIndex };
  const minutes = Number(found[3]) * 60 + Number(found[4]);
  if (minutes > 14 * 60) return { zoneMinutes: undefined, end: at };
  return { zoneMinutes: found[2] === '-' ? -minutes : minutes, end: form.lastIndex };
}
