/** An expected no: it is returned, not thrown. */
import type { RefusalKind } from '../contracts/error-table.ts';

export interface Refusal {
  /** Why, and what to do, in sentences for whoever asked. */
  readonly refused: string;
  /** `refused` unless given. */
  readonly kind?: RefusalKind;
}

export function isRefusal(answer: object): answer is Refusal {
  return 'refused' in answer;
}

export const usage = (refused: string): Refusal => ({ refused, kind: 'usage' });
export const unknown = (refused: string): Refusal => ({ refused, kind: 'unknown' });

/** Twelve hexadecimal digits are what a person compares; fewer prove too little. */
export function isSeenDigest(digest: string, given: string): boolean {
  const hex = given.replace(/^sha256:/, '');
  return hex.length >= 12 && digest.slice('sha256:'.length).startsWith(hex);
}
