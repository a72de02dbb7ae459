/**
 * The log: one JSON object per line on standard error; on a terminal one readable line, its time first. Levels have an expected frequency: `error`
 * never in a healthy system, `warn` a few a day, `info` a few per cycle, `debug` only when asked.
 * Fields are given by name, so that nothing is logged by accident.
 */
import { type Clock, isoTime } from './clock.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export function makeLog(options: {
  clock: Clock;
  level: LogLevel;
  write: (line: string) => void;
  /** For people at a terminal; JSON unless given. */
  readable?: boolean;
  /** Takes secrets out of a field's text. */
  clean?: (text: string) => string;
}): Log {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(level) < threshold) return;
      const time = isoTime(options.clock.nowMs());
      const { clean = (text) => text } = options;
      const shown = Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' ? clean(value) : value,
      ]);
      const cleaned: LogFields = Object.fromEntries(shown);
      const line = options.readable
        ? readableLine({ time, level, message, fields: cleaned })
        : JSON.stringify({ time, level, message, ...cleaned });
      options.write(`${line}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** `2026-01-02 03:04:05 warn  the sanitiser failed: source fleet, lines 3` */
function readableLine(one: {
  time: string;
  level: LogLevel;
  message: string;
  fields: LogFields;
}): string {
  const fields = Object.entries(one.fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  const text = fields === '' ? one.message : `${one.message}: ${fields}`;
  const at = one.time.slice(0, 19).replace('T', ' ');
  // Fields may hold foreign text: nothing in it may end the line or move a cursor.
  return `${at} ${one.level.padEnd(5)} ${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')}`;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
