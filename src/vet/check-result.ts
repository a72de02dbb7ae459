/** How checks answer: with every reason, but not with more than a person reads. */
import { visibleForm } from '../text/index.ts';
import type { CheckResult } from './types.ts';

const REASONS_MAX = 20;
const SHOWN_MAX = 80;

/** Passed with `good` if there is no reason against it. */
export function judged(
  otherwise: 'failed' | 'held',
  reasons: readonly string[],
  good: string,
): CheckResult {
  if (reasons.length === 0) return { outcome: 'passed', reasons: [good] };
  const left = reasons.length - REASONS_MAX;
  const told = reasons.slice(0, REASONS_MAX).map((reason) => reason.toWellFormed());
  return { outcome: otherwise, reasons: left > 0 ? [...told, `And ${left} more.`] : told };
}

export const passed = (reason: string): CheckResult => ({ outcome: 'passed', reasons: [reason] });
export const failed = (reason: string): CheckResult => ({ outcome: 'failed', reasons: [reason] });

/** Quotes somebody's words in a reason: on one line, short, nothing hidden. */
export function quoted(text: string): string {
  const line = visibleForm(text.slice(0, SHOWN_MAX * 2)).replace(/\p{Cc}+/gu, ' ');
  const signs = Array.from(line);
  return `"${signs.length > SHOWN_MAX ? `${signs.slice(0, SHOWN_MAX).join('')}…` : line}"`;
}
