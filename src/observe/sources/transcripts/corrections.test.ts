import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../test/any-character.ts';
import { acted, edited, heard, ran, SILENT, stated, told } from './conversation.ts';
import { DID, judge } from './corrections.ts';
import { type Dialogue, KEPT, OPEN } from './dialogues.test-support.ts';
import { coverage, tokensOf, wordsOf } from './words.ts';

const certaintyOf = ({ asked, did, said }: Dialogue) =>
  judge({ text: said, asked: tokensOf(wordsOf(asked)), did: DID[did], isAnswer: false })
    ?.certainty ?? 0;
/** As the room counts. */
const isCounted = (dialogue: Dialogue) => certaintyOf(dialogue) >= 0.5;

function scoreOf(dialogues: readonly Dialogue[]) {
  const right = dialogues.filter((one) => isCounted(one) === one.isCorrection);
  const wrongly = dialogues.filter((one) => isCounted(one) && !one.isCorrection);
  return { accuracy: right.length / dialogues.length, wrongly: wrongly.map(({ said }) => said) };
}

describe('OBS-2 corrections by the user', () => {
  test('are told from other messages, seldom missed and not made up', () => {
    expect(OPEN.length + KEPT.length).toBeGreaterThanOrEqual(60);
    expect(scoreOf(OPEN).accuracy).toBeGreaterThan(0.95);
    expect(scoreOf(OPEN).wrongly).toEqual([]);
  });

  test('also in dialogues by which nothing was chosen', () => {
    expect(scoreOf(KEPT).accuracy).toBeGreaterThan(0.84);
    expect(scoreOf(KEPT).wrongly).toEqual([]);
  });

  test('several cues are surer than one, and none is certain', () => {
    const sure = (text: string) =>
      judge({ text, asked: [], did: DID.edited, isAnswer: false })?.certainty ?? 0;
    expect(sure('no')).toBeGreaterThan(0.5);
    expect(sure('no, that is wrong')).toBeGreaterThan(sure('no'));
    expect(sure('no, that is wrong, undo it!!')).toBeGreaterThan(sure('no, that is wrong'));
    expect(sure('no, that is wrong, undo it!!')).toBeLessThan(1);
    expect(sure('')).toBe(0);
  });

  test('a "no" that answers a question, or tells that there is none, corrects nothing', () => {
    const answered = (said: string, text: string) => {
      const { correction } = heard(told(acted(SILENT, DID.edited), said), text);
      return correction?.certainty ?? 0;
    };
    expect(answered('Done.', 'no, use tabs')).toBeGreaterThanOrEqual(0.5);
    expect(answered('Shall I also format it?', 'no, use tabs')).toBeLessThan(0.5);
    expect(answered('Done.', 'No tests exist yet: write some')).toBeLessThan(0.5);
    // It asked earlier, and went on by itself.
    const went = told(told(acted(SILENT, DID.edited), 'Which one?'), 'I took the first.');
    expect(heard(went, 'no, the second').correction?.certainty).toBeGreaterThanOrEqual(0.5);
  });

  test('whatever is said, the certainty is one, in the same time for each sign', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        const judged = judge({
          text,
          asked: tokensOf(wordsOf(text)),
          did: DID.ran,
          isAnswer: false,
        });
        expect(judged?.certainty ?? 0).toBeLessThanOrEqual(1);
      }),
    );
    for (const unit of [' ', 'no', "n't ", '!?', 'at x:1:1\n', 'A ', '不', '<', 'File "', '- not '])
      judge({ text: unit.repeat(300_000), asked: [1, 2, 3], did: DID.edited, isAnswer: false });
  });
});

describe('what is remembered of a conversation', () => {
  test('words in any script, as numbers too small to tell them', () => {
    expect(wordsOf("Don’t use IT's über_x")).toEqual(["don't", 'use', "it's", 'über_x']);
    expect(wordsOf('把按钮改')).toEqual(['把按', '按钮', '钮改']);
    for (const token of tokensOf(wordsOf('hunter2 correct horse battery staple')))
      expect(token).toBeLessThan(2 ** 16);
    expect(coverage(tokensOf(['a', 'b']), tokensOf(['b', 'a', 'c']))).toBe(1);
    expect(coverage([], [1])).toBe(0);
  });

  test('stays small', () => {
    let talk = SILENT;
    for (let at = 0; at < 500; at++) {
      ({ talk } = heard(talk, `request number ${at} ${'word '.repeat(at)}`, `line ${at}`));
      ({ talk } = edited(talk, `file ${at}`, 'a', 'b'));
    }
    expect(JSON.stringify(talk).length).toBeLessThan(4000);
  });

  test('what is said in two ways is one correction, and the next turn begins anew', () => {
    const first = stated(acted(SILENT, DID.ran), { correction: 'abandon' });
    expect(first.correction).toBeDefined();
    const again = stated(first.talk, { correction: 'abandon' });
    expect(again.correction).toBe(undefined);
    const said = heard(again.talk, 'no, wrong');
    expect(said.correction).toBe(undefined);
    expect(heard(acted(said.talk, DID.ran), 'no, wrong').correction).toBeDefined();
  });

  test('"continue" does not hide that a request comes again', () => {
    const ask = 'implement retry with backoff';
    let { talk } = heard(SILENT, ask);
    ({ talk } = heard(acted(talk, DID.ran), 'continue'));
    expect(heard(acted(talk, DID.ran), ask).correction).toMatchObject({ correction: 'retry' });
  });

  test('git that takes nothing of the agent back says nothing', () => {
    expect(ran(SILENT, 'git restore a.ts').correction).toBe(undefined);
  });
});
