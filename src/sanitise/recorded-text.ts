/**
 * What people, agents and other programs say, as it is recorded: in the ledger, in a row, in a notice. The
 * ledger keeps it forever, so secrets and personal data are masked before; addresses and paths stay, because a
 * reason often is a link to the story.
 *
 * It is cleaned, not refused: a stop must not fail for what its reason holds. PostgreSQL keeps no NUL, no engine
 * a lone surrogate, and control characters other than line ends and tabs only do something to a terminal.
 */
import type { CleanText } from '../base/index.ts';
import { spansOrAll, withMarks } from './mask.ts';

export const RECORDED_MAX = 1000;

/** More is never recorded; what is looked at is longer than what is kept, so that a cut leaves no half secret. */
const LOOKED_AT_MAX = 64 * 1024;
const CONTROL = /[^\P{Cc}\n\t]/gu;
/** Cutting and cleaning may each give the other something to do. */
const ROUNDS_MAX = 5;
const NOT_SANITISED = '[not recorded: it could not be sanitised]';

export interface Recorded {
  readonly text: CleanText;
  /** How many secrets were masked, so that their author can be told. */
  readonly masked: number;
}

export interface RecordOptions {
  readonly lengthMax?: number;
  /** Names that the record gives anyway, such as that of whoever acts. */
  readonly keep?: readonly string[];
}

/** Empty where nothing readable was given. Recording it again changes nothing. */
export function recordText(given: string, options: RecordOptions = {}): Recorded {
  const { lengthMax = RECORDED_MAX, keep = [] } = options;
  let text = given.slice(0, LOOKED_AT_MAX).toWellFormed();
  let masked = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const spans = spansOrAll(text).filter(
      ({ start, end }) => !keep.includes(text.slice(start, end)),
    );
    masked += spans.length;
    const clean = withMarks(text, spans).replace(CONTROL, ' ').trim();
    const next = clean.slice(0, lengthMax).toWellFormed().trim();
    if (next === text) return { text: next as CleanText, masked };
    text = next;
  }
  return { text: NOT_SANITISED as CleanText, masked: Math.max(1, masked) };
}

export function recordedText(given: string, options?: RecordOptions): CleanText {
  return recordText(given, options).text;
}
