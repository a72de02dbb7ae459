import { describe, expect, test } from 'vitest';
import { firstWrongStep, type SessionStep } from './first-wrong-step.ts';

const says = (who: string, said: string): SessionStep => ({ who, said });
const does = (who: string, act: string, failed = false): SessionStep => ({
  who,
  said: `I try ${act}.`,
  act,
  tool: act.split(' ')[0],
  failed,
});
const result = (said: string): SessionStep => ({ who: 'shell', said, isResult: true });

describe('the first wrong step', () => {
  test('is the first failure that was not made good', () => {
    const steps = [
      does('reader', 'open a', true),
      does('reader', 'open b'),
      does('writer', 'save a', true),
      does('writer', 'send a', true),
    ];
    expect(firstWrongStep(steps)).toMatchObject({ step: 2, who: 'writer', sign: 'failure' });
    expect(firstWrongStep(steps.slice(0, 2))).toMatchObject({ step: 0, sign: 'start' });
  });

  test('a tool that works for another has made nothing good', () => {
    const steps = [does('reader', 'open a', true), does('writer', 'open b')];
    expect(firstWrongStep(steps)).toMatchObject({ step: 0, sign: 'failure' });
  });

  test('is the statement that the answer goes back to, when nobody checked it', () => {
    const steps = [
      says('planner', 'Find the price.'),
      says('expert', 'Both were sold: the first for 850,000, the second for 950,000.'),
      says('checker', 'Verified: the second sold for more, 950000.'),
      says('planner', 'Done.'),
    ];
    expect(firstWrongStep(steps, 'Which one sold for more?')).toMatchObject({
      step: 1,
      who: 'expert',
      sign: 'origin',
    });
  });

  test('what the task says already is nobody’s statement', () => {
    const steps = [says('planner', 'We compare 2019.'), says('expert', 'It was 1234 in 2019.')];
    expect(firstWrongStep([...steps, says('planner', '1234')], 'How much in 2019?')).toMatchObject({
      step: 1,
    });
  });

  test('is the act behind the result that the answer goes back to', () => {
    const steps = [
      says('planner', 'Count the rows.'),
      does('analyst', 'run count'),
      result('4711'),
      says('checker', 'There are **4711** rows.'),
    ];
    expect(firstWrongStep(steps)).toMatchObject({ step: 1, who: 'analyst', sign: 'origin' });
    expect(firstWrongStep(steps.slice(0, 3))).toMatchObject({ step: 1, sign: 'origin' });
  });

  test('is the last of what was done over and over before the course changed', () => {
    const scroll = does('surfer', 'scroll down');
    const lead = says('lead', 'Go on.');
    const steps = [
      does('surfer', 'search x'),
      ...[1, 2, 3].flatMap(() => [lead, scroll]),
      lead,
      does('coder', 'compute y'),
    ];
    expect(firstWrongStep(steps)).toMatchObject({ step: 6, who: 'surfer', sign: 'repeats' });
  });

  test('doing it twice, or going on to something else, is no loop', () => {
    const scroll = does('surfer', 'scroll down');
    const twice = [scroll, scroll, does('coder', 'compute y')];
    expect(firstWrongStep(twice)?.sign).toBe('start');
    const goesOn = [scroll, scroll, scroll, does('surfer', 'click z'), does('coder', 'compute y')];
    expect(firstWrongStep(goesOn)?.sign).toBe('start');
  });

  test('agreement is the share of the signs that point there', () => {
    const failing = [does('a', 'open x', true), does('a', 'save y', true)];
    expect(firstWrongStep(failing)?.agreement).toBe(1);
    const late = [does('a', 'open x'), does('a', 'save y', true)];
    expect(firstWrongStep(late)).toMatchObject({ step: 1, agreement: 0.5 });
  });

  test('where nobody did anything, nothing is said', () => {
    expect(firstWrongStep([])).toBeUndefined();
    expect(firstWrongStep([says('a', 'Hello.')])).toBeUndefined();
  });

  test('ten thousand steps take no time', () => {
    const steps = Array.from({ length: 10_000 }, (_, at) => does('a', `open ${at}`, at % 2 === 0));
    const start = performance.now();
    expect(firstWrongStep([...steps, says('a', 'It failed at "open 77".')])).toBeDefined();
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
