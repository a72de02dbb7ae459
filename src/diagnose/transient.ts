/** Failures of the network or of a server that the next try may not meet, and answers that it meets again. */
import { courseOf } from './course.ts';
import { clumpOf } from './tries-again.ts';
import type { Evidence, Failure } from './types.ts';

/** Error numbers of sockets and what they are called, and the answers of servers that mean "not now" (5xx, gRPC's UNAVAILABLE). */
export const TRANSIENT_WORDS =
  /econn(?:refused|reset|aborted)|enotfound|eai_again|ehostunreach|enetunreach|epipe|broken pipe|no route to host|^unavailable\b|\bdns\b|getaddrinfo|connection (?:was )?(?:refused|reset|closed|aborted)|network (?:is )?unreachable|network error|socket hang up|service unavailable|bad gateway|gateway time-?out|internal server error|(?:http|status|code|error)\W{0,3}5\d\d\b/;

/**
 * The request itself, or what it asks for, is refused: what RFC 9110 (4xx but for those that speak of time and load) and gRPC's status codes
 * say is not mended by repeating it; nor is what whoever asked ended themselves.
 */
export const LASTING_WORDS =
  /^4(?:0[045]|1[0345]|22)\b|(?:http|status|code|error)\W{0,3}4(?:0[045]|1[0345]|22)\b|\bnot found\b|\bdoes not exist\b|\bno such\b|\bunprocessable\b|\binvalid argument\b|\balready exists\b|\bfailed precondition\b|\bout of range\b|\bunimplemented\b|\bcancell?ed\b|\bclient closed\b|^499\b/;

/** Beyond chance: the day's shape alone makes rates vary a little. */
const DISPERSION_MAX = 1.3;
const FAILURES_MIN = 20;

/** Whether it is there all the time and meets each call by itself, so that the next try has the same chance. */
export function isBackground(
  { history, tries }: Failure,
  { failureShare }: Pick<Evidence, 'failureShare'>,
): boolean {
  // In its whole record: where calls are few, a day has too few of them.
  if (history.reduce((sum, { bad }) => sum + bad, 0) < FAILURES_MIN) return false;
  const { kind, dispersionLow } = courseOf(history, failureShare);
  return kind === 'steady' && dispersionLow / clumpOf(tries) <= DISPERSION_MAX;
}
