/**
 * Guesses the layer from the words of the messages: an answer in a bad form, a call that was made wrongly. It blames
 * no place and is hardly sure, because words are evidence of last resort.
 */
import type { CauseLayer } from '../../../facts/index.ts';
import { messageShare } from '../../message-share.ts';
import type { Diagnoser } from '../../types.ts';

interface Guess {
  readonly layer: CauseLayer;
  readonly words: RegExp;
  readonly saying: string;
  /** Where every message says it. */
  readonly confidence: number;
}

const GUESSES: readonly Guess[] = [
  {
    layer: 'output',
    words:
      /(?:invalid|malformed|unexpected|not valid) (?:json|yaml|xml|output|token|format)|(?:parse|parsing|schema|validation) (?:error|failed|failure)|failed to parse|does not match the schema/,
    saying: 'mention an answer in the wrong form',
    confidence: 0.4,
  },
  {
    layer: 'behavior',
    words:
      /(?:invalid|missing|unknown|bad|illegal) (?:required )?(?:arguments?|parameters?|inputs?|tool|command|option)|no such (?:tool|file|command)|not allowed|permission denied|unsupported/,
    saying: 'mention a call that was made wrongly',
    confidence: 0.35,
  },
];

export const messageWords: Diagnoser = {
  name: 'message-words',
  explain(failure) {
    return GUESSES.flatMap(({ layer, words, saying, confidence }) => {
      const found = messageShare(failure, words, saying);
      if (found === undefined) return [];
      return [
        {
          subject: { kind: 'unknown' },
          layer,
          confidence: confidence * found.share,
          reasons: [found.reason],
          against: [],
        },
      ];
    });
  },
};
