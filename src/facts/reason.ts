/**
 * Why somebody did something, in their words, as it is recorded: in a column, in the ledger, in a notice.
 * PostgreSQL keeps no NUL, no engine a lone surrogate, and a stop must not fail for what its reason holds:
 * so reasons are cleaned, not refused. Every door and room that takes one records it through here.
 */

export const REASON_MAX = 1000;

/** Lines and tabs are a person's own; other control characters only do something to a terminal. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

/** Empty where nothing readable was given. */
export function recordedReason(given: string): string {
  return given.trim().slice(0, REASON_MAX).toWellFormed().replace(CONTROL, ' ').trim();
}
