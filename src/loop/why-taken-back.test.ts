import { expect, test } from 'vitest';
import { SYSTEM } from '../facts/index.ts';
import { isVain, whyTakenBack } from './why-taken-back.ts';

const watch = { kind: 'monitoring', actor: SYSTEM } as const;
const person = { kind: 'human', id: 'ann@example.org', verified: 'local' } as const;

test('what did no harm is not said to have done any', () => {
  expect(whyTakenBack(watch, 'It was a trial.', 'none')).toBe('It was a trial.');
  expect(whyTakenBack(watch, 'More fail.', 'own')).toBe('it made things worse: More fail.');
  expect(whyTakenBack(watch, '', 'doubt')).toBe('it made things worse');
  const asked = { kind: 'rollback', actor: person } as const;
  expect(whyTakenBack(asked, 'Too slow.', 'own')).toBe('asked for by ann@example.org: Too slow.');
});

test('a trial is vain only where it is blamed for nothing', () => {
  const trial = { cutOffMs: 800 };
  expect(isVain({ trial }, 'none')).toBe(true);
  expect(isVain({ trial }, 'own')).toBe(false);
  expect(isVain({}, 'none')).toBe(false);
});
