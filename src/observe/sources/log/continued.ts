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
  /** A private key or the like was begun, and its end was not seen yet. */
  readonly isInKey: boolean;
};

/** Longer ones are cut: what a stack trace says stands at its beginning, and of Python's at its end. */
const JOINED_CHARS_MAX = 24_000;
const JOINED_LINES_MAX = 300;
/** A certificate chain with its key has some hundred. */
const KEY_LINES_MAX = 2000;

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
  if (waiting.isInKey) return true;
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

/** Whether a line begins a key that is not ended in it. */
export function beginsKey(line: string): boolean {
  const begun = line.lastIndexOf('-----BEGIN ');
  return begun !== -1 && !line.includes('-----END ', begun);
}

export function isFull({ lines, isInKey }: Waiting): boolean {
  return lines >= (isInKey ? KEY_LINES_MAX : JOINED_LINES_MAX);
}

/**
 * The lines of a key are left out: by themselves they look like nothing to the sanitiser, and the event may be stored
 * between two of them.
 */
export function joinedTo(waiting: Waiting, line: string): Waiting {
  const { message, isInKey } = waiting;
  const lines = waiting.lines + 1;
  if (isInKey) return { ...waiting, lines, isInKey: !line.includes('-----END ') };
  const fits = message.length + line.length < JOINED_CHARS_MAX;
  return {
    ...waiting,
    message: fits ? `${message}\n${line}` : message,
    lines,
    isInKey: beginsKey(line),
  };
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
