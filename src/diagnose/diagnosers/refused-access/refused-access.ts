/**
 * Blames a missing right or an expired credential. It shows in how calls fail more than in what they say: from one moment
 * on nearly all of them, with one code, and sooner than any success. Nothing is cured by giving an agent more rights, so
 * that a person is told what to renew or grant.
 */
import { quotedName } from '../../../text/index.ts';
import { courseOf } from '../../course.ts';
import { quantileMs } from '../../latency-shape.ts';
import { messageShare } from '../../message-share.ts';
import type { Diagnoser, Failure, Reason } from '../../types.ts';
import { percent } from '../../wording.ts';

/** Answers of servers (401, 403) and what libraries make of them. */
const WORDS =
  /\b(?:http|status|code|error)?\W{0,3}40[13]\b|unauthori[sz]ed|unauthenticated|forbidden|permission|access denied|not (?:allowed|permitted|authori[sz]ed)|credentials?|api[ -]?key|invalid token|token (?:has |is )?expired|expired|eacces|eperm/;
const NEARLY_ALL = 0.95;
const SAID = 0.8;
const SAID_AND_SEEN = 0.92;
/** What fails like that without saying it may be many things. */
const SEEN = 0.45;

export const refusedAccess: Diagnoser = {
  name: 'refused-access',
  explain(failure, evidence) {
    const { tool, agent, kind, event = 'tool_call' } = failure;
    if (kind !== 'other' || (event !== 'tool_call' && event !== 'task_failure')) return [];
    const words = messageShare(failure, WORDS, 'mention a missing right or a credential');
    const seen = refusals(failure, evidence.failureShare);
    if (words === undefined && seen === undefined) return [];
    const said =
      words === undefined ? SEEN : (seen === undefined ? SAID : SAID_AND_SEEN) * words.share;
    return [
      {
        subject: { kind: 'service', name: tool === '' ? agent : tool },
        layer: 'environment',
        confidence: said,
        reasons: [
          ...(words === undefined ? [] : [words.reason]),
          ...(seen === undefined ? [] : [seen]),
        ],
        against: [],
      },
    ];
  },
};

/** From one moment on nearly every call is refused, sooner than a success is answered. */
function refusals(failure: Failure, failureShare: number): Reason | undefined {
  const { history, failedLatency, succeededLatency, tool, agent } = failure;
  const { kind, during } = courseOf(history, failureShare);
  if (kind !== 'began' || during < NEARLY_ALL) return undefined;
  const isSooner =
    failedLatency !== null &&
    succeededLatency !== null &&
    quantileMs(failedLatency, 0.9) < quantileMs(succeededLatency, 0.1);
  if (!isSooner) return undefined;
  const place = quotedName(tool === '' ? agent : tool);
  const text = `Since it began ${percent(during)} of the calls of ${place} are refused, and sooner than any success is answered.`;
  return { text, events: failure.examples.map(({ id }) => id) };
}
