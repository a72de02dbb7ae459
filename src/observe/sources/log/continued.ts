/** Whether a line goes on with the event before it: stack traces, tracebacks, dumps. */
import { isBad, type Level } from '../../reading/outcomes.ts';

/** An event that may go on. */
export type Waiting = {
  readonly atMs: number;
  readonly level: Level | null;
  readonly agent: string;
  readonly logger: string | null;
  readonly message: string;
  readonly lines: number;
};

/** Longer ones are cut: what a stack trace says stands at its beginning, and of Python's at its end. */
const JOINED_CHARS_MAX = 24_000;
const JOINED_LINES_MAX = 300;

/** By the form of the line alone. */
export function hasFormOfMore(line: string): boolean {
  return /^(?:\s|[)\]}]|\.\.\.|at \S|Caused by: |Suppressed: |During handling of the above |The above exception was |goroutine \d)/.test(
    line,
  );
}

/** By its form and by what the event has so far. */
export function continuesByForm(line: string, waiting: Waiting | null): boolean {
  if (waiting === null) return false;
  if (hasFormOfMore(line)) return true;
  const { message, level } = waiting;
  const last = message.slice(message.lastIndexOf('\n') + 1);
  // The last line of a Python traceback says what happened.
  if (message.includes('Traceback (most recent call last)') && /^\s/.test(last)) return true;
  if (message.startsWith('panic: ') || message.includes('\ngoroutine ')) return true;
  // What was thrown stands below the line that says so.
  return isException(line) && level !== null && (isBad(level) || level === 'warning');
}

/** `TimeoutError: no answer`, `java.lang.IllegalStateException: …`, `panic: …`. */
export function isException(line: string): boolean {
  return /^(?:[\w.$]{0,120}(?:Error|Exception|Panic|Failure)\b|panic: |Traceback \(most recent|Uncaught |Unhandled )/.test(
    line.slice(0, 200),
  );
}

export function isFull({ lines }: Waiting): boolean {
  return lines >= JOINED_LINES_MAX;
}

export function joinedTo(waiting: Waiting, line: string): Waiting {
  const fits = waiting.message.length + line.length < JOINED_CHARS_MAX;
  const message = fits ? `${waiting.message}\n${line}` : waiting.message;
  return { ...waiting, message, lines: waiting.lines + 1 };
}

/** Of a line that names no level, but begins as errors do. */
export function levelBySaying(message: string): Level {
  const head = message.slice(0, 400);
  if (isException(head) || /\n(?:[\w.$]{0,120}(?:Error|Exception)\b|Traceback )/.test(head))
    return 'error';
  if (
    /\b(?:panic|fatal|exception|error|failed|failure|refused|timed out)\b/i.test(head.slice(0, 120))
  )
    return 'error';
  return /^warn/i.test(head) ? 'warning' : 'info';
}
