/**
 * The time of a line of a log, wherever it stands near the line's beginning. A year, a day or a zone that the line
 * does not tell comes from the lines before and from when the file was written last.
 */
import { atZone, clockAt, dateTimeAt, epochMs, withDay, withYear, yearlessAt } from './times.ts';

export interface LineTime {
  readonly atMs: number;
  /** Where the time begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Which of the line's words it is. */
  readonly token: number;
  /** Whether the line names the zone itself. */
  readonly hasZone: boolean;
}

export interface TimeHints {
  readonly modifiedMs: number | null;
  readonly lastMs: number | null;
  /** East of Greenwich, for times that name no zone. */
  readonly zoneMinutes: number;
}

/** A client's name and user come before the time in access logs. */
const LOOK_CHARS = 160;
const TOKENS_MAX = 14;
const DAY_MS = 86_400_000;

export function timeInLine(line: string, hints: TimeHints): LineTime | undefined {
  const head = line.length > LOOK_CHARS + 60 ? line.slice(0, LOOK_CHARS + 60) : line;
  let token = 0;
  for (let at = 0; at < head.length && at < LOOK_CHARS && token < TOKENS_MAX; at++) {
    if (at > 0 && !isEdge(head.charCodeAt(at - 1))) continue;
    if (isEdge(head.charCodeAt(at))) continue;
    const found = timeAt(head, at, hints);
    if (found !== undefined) return { ...found, start: at, token };
    token++;
  }
  return undefined;
}

/** Space, tab, `[`, `(`, `<`, `>`, `|`, `"` and `=`. */
function isEdge(code: number): boolean {
  return (
    code === 32 ||
    code === 9 ||
    code === 91 ||
    code === 40 ||
    code === 60 ||
    code === 62 ||
    code === 124 ||
    code === 34 ||
    code === 61
  );
}

function timeAt(
  text: string,
  at: number,
  hints: TimeHints,
): Omit<LineTime, 'start' | 'token'> | undefined {
  const code = text.charCodeAt(at);
  const isDigit = code >= 48 && code <= 57;
  const isCapital = code >= 65 && code <= 90;
  if (!isDigit && !isCapital) return undefined;
  const dated = dateTimeAt(text, at);
  if (dated !== undefined)
    return {
      atMs: atZone(dated, hints.zoneMinutes),
      end: dated.end,
      hasZone: dated.zoneMinutes !== undefined,
    };
  // klog writes its level's letter before the day.
  const isKlog = at === 0 && isCapital && 'IWEFD'.includes(text[0]!);
  const yearless =
    (isCapital ? yearlessAt(text, at) : undefined) ?? (isKlog ? yearlessAt(text, 1) : undefined);
  if (yearless !== undefined) {
    const before = hints.modifiedMs ?? (hints.lastMs === null ? null : hints.lastMs + 300 * DAY_MS);
    const wallMs = before === null ? undefined : withYear(yearless, before);
    return wallMs === undefined
      ? undefined
      : { atMs: wallMs - hints.zoneMinutes * 60_000, end: yearless.end, hasZone: false };
  }
  // A time of day or a count of seconds says something only where lines begin.
  if (!isDigit || at > 1) return undefined;
  return clockOrCount(text, at, hints);
}

function clockOrCount(
  text: string,
  at: number,
  hints: TimeHints,
): Omit<LineTime, 'start' | 'token'> | undefined {
  const clock = clockAt(text, at);
  if (clock !== undefined) {
    const before = hints.lastMs === null ? hints.modifiedMs : hints.lastMs + DAY_MS / 2;
    if (before === null) return undefined;
    const zoneMs = hints.zoneMinutes * 60_000;
    const atMs = withDay(clock.clockMs, before + zoneMs) - zoneMs;
    return { atMs, end: clock.end, hasZone: false };
  }
  const form = /(\d{10}(?:\.\d{1,9})?|\d{13}|\d{16}|\d{19})(?=[\s\]:,|]|$)/y;
  form.lastIndex = at;
  const count = form.exec(text);
  const atMs = count === null ? undefined : epochMs(Number(count[1]));
  return atMs === undefined ? undefined : { atMs, end: form.lastIndex, hasZone: true };
}
