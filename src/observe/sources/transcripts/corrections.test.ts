import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DID, judge } from './corrections.ts';
import { type Dialogue, KEPT, OPEN } from './dialogues.test-support.ts';
import { coverage, tokensOf, wordsOf } from './words.ts';

const certaintyOf = ({ asked, did, said }: Dialogue) =>
  judge({ text: said, asked: tokensOf(wordsOf(asked)), did: DID[did] })?.certainty ?? 0;
/** As the room counts. */
const isCounted = (dialogue: Dialogue) => certaintyOf(dialogue) >= 0.5;

function scoreOf(dialogues: readonly Dialogue[]) {
  const right = dialogues.filter((one) => isCounted(one) === one.isCorrection);
  const wrongly = dialogues.filter((one) => isCounted(one) && !one.isCorrection);
  return { accuracy: right.length / dialogues.length, wrongly: wrongly.map(({ said }) => said) };
}

describe('OBS-2 corrections by the user', () => {
  test('OPEN', () => {
    for (const one of OPEN)
      if (isCounted(one) !== one.isCorrection) console.log(certaintyOf(one), one.said);
    console.log(scoreOf(OPEN));
  });
});
