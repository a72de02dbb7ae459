/** What was thought of as a cause, as people read it, and what would settle the question. Pure. */
import type { Pattern } from '../facts/index.ts';
import { quotedName } from '../text/index.ts';
import { isInFiles, subjectName } from './subjects.ts';
import type { Cause, Failure } from './types.ts';
import { shown } from './wording.ts';

const SENTENCES_MAX = 10;

type Considered = NonNullable<Pattern['considered']>[number];

/** A cause, and how likely it is. */
interface Weighed extends Cause {
  readonly likelihood: number;
}

export function consideredOf({
  subject,
  layer,
  likelihood,
  reasons,
  against,
}: Weighed): Considered {
  const sentences = (list: Cause['reasons']) =>
    list.slice(0, SENTENCES_MAX).map(({ text }) => shown(text, 1000));
  return {
    what: subject.kind === 'unknown' ? `the ${layer} layer` : shown(subjectName(subject), 300),
    layer,
    confidence: rounded(likelihood),
    for: sentences(reasons),
    against: sentences(against),
  };
}

const rounded = (share: number) => Math.round(share * 1000) / 1000;

/** What is left of all that was thought of. */
export function somethingElse(causes: readonly Weighed[]): Considered {
  const named = causes.reduce((sum, { likelihood }) => sum + likelihood, 0);
  return {
    what: 'something that is not listed here',
    layer: 'behavior',
    confidence: rounded(Math.max(0, 1 - named)),
    for: [],
    against: [],
  };
}

/** The one observation that would tell the causes apart. */
export function whatSettles(
  best: readonly Cause[],
  rivals: readonly Cause[],
  { agent, tool }: Pick<Failure, 'agent' | 'tool'>,
): string {
  const place = quotedName(tool === '' ? agent : tool);
  const inFiles = best.filter(({ subject }) => isInFiles(subject));
  if (inFiles.length > 1)
    return 'Replaying the failed sessions with each of these values changed by itself would tell which of them it is.';
  const isOutsideLikely = [...best, ...rivals].some(({ subject }) => subject.kind === 'service');
  const [only] = inFiles;
  if (only !== undefined && isOutsideLikely)
    return `One call to ${place} with ${shown(subjectName(only.subject), 200)} lifted would tell: if it succeeds, the value is to blame; if not, ${place} is.`;
  if (only !== undefined)
    return 'Replaying the failed sessions with this value changed would show whether they pass.';
  if (isOutsideLikely)
    return `Whether ${place} fails in the same way for somebody outside this installation would tell.`;
  return `The full answer of ${place} to one failed call, as its own log has it, would tell.`;
}
