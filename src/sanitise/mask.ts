/** Secrets and personal data hidden where a text is shown, everything else as it is. */
import { KEY_LINE_MIN, keyLines } from './key-lines.ts';
import { secretSpans } from './sanitise.ts';
import type { ReplacedKind, Span } from './types.ts';

export interface MaskOptions {
  readonly except?: readonly ReplacedKind[];
}

export interface Masked {
  readonly text: string;
  /** How many were hidden. */
  readonly count: number;
}

/** `except`: kinds that may stay, such as who did something in a notice about it. */
export function mask(text: string, { except = [] }: MaskOptions = {}): Masked {
  const spans = spansOrAll(text).filter(({ kind }) => !except.includes(kind));
  return { text: withMarks(text, spans), count: spans.length };
}

/**
 * For a line that is looked at alone: it may be the middle of a private key. It need not look random: the first line of
 * a P-256 key is mostly fixed, and 2 of 300 were missed. After a line of a key it may be short: the last one often is.
 */
export function maskKeyLine(text: string, isAfterKey: boolean): Masked {
  const spans = keyLines(text, ({ length }) => isAfterKey || length >= KEY_LINE_MIN);
  return { text: withMarks(text, spans), count: spans.length };
}

/** What kinds of secrets and personal data a text holds. */
export function secretKinds(text: string): ReadonlySet<ReplacedKind> {
  return new Set(spansOrAll(text).map(({ kind }) => kind));
}

/** A text that the rules cannot finish is hidden whole: nothing is shown that was not looked at. */
export function spansOrAll(text: string): readonly Span[] {
  try {
    return secretSpans(text);
  } catch {
    return [{ kind: 'key', start: 0, end: text.length, mark: '[REDACTED: not sanitised]' }];
  }
}

/** Spans in ascending order that do not overlap. */
export function withMarks(
  text: string,
  spans: readonly Pick<Span, 'start' | 'end' | 'mark'>[],
): string {
  let result = '';
  let from = 0;
  for (const { start, end, mark } of spans) {
    result += text.slice(from, start) + mark;
    from = end;
  }
  return result + text.slice(from);
}
