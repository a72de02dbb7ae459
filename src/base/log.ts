/**
 * The log: one JSON object per line on standard error. Levels have an expected frequency: `error`
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
}): Log {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(level) < threshold) return;
      const time = isoTime(options.clock.nowMs());
      options.write(`${JSON.stringify({ time, level, message, ...fields })}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
