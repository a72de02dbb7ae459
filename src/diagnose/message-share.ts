/** How many of a failure's messages say something. Messages are somebody else's text: what is read is bounded. */
import type { Failure, Reason } from './types.ts';
import { count, percent } from './wording.ts';

const LOOKED_AT_CHARS = 2000;

/** Undefined where fewer than half of them do. `saying` goes on after "12 of 20 messages (60 %)". */
export function messageShare(
  { examples, template, errorCode }: Failure,
  words: RegExp,
  saying: string,
): { readonly share: number; readonly reason: Reason } | undefined {
  // `connection_reset` and `ConnectionReset` say what "connection reset" does.
  const code = errorCode
    .slice(0, 100)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ');
  const fits = (text: string) =>
    words.test(`${code} ${text.slice(0, LOOKED_AT_CHARS)}`.toLowerCase());
  const events = examples.filter(({ message }) => fits(message)).map(({ id }) => id);
  const isTemplate = examples.length === 0;
  const fitting = isTemplate ? Number(fits(template)) : events.length;
  const all = isTemplate ? 1 : examples.length;
  const share = fitting / all;
  if (share < 0.5) return undefined;
  const text = `${count(fitting)} of ${all} messages (${percent(share)}) ${saying}.`;
  return { share, reason: { text, events } };
}
