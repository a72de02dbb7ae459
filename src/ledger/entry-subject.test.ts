import { expect, test } from 'vitest';
import { canonicalJson } from '../base/index.ts';
import { subjectMatches } from './entry-subject.ts';

const body = (subject: string, data: object) =>
  canonicalJson({ v: 1, type: 'room.happened', subject, data, at: '', actor: '' } as never);

test('LEDGER-2 the subject is the entry’s own, never one in its data', () => {
  const tricky = body('hone:real', { subject: 'hone:fake', type: 'room.happened', v: 1 });
  expect(subjectMatches(tricky, 'hone:real')).toBe(true);
  expect(subjectMatches(tricky, 'hone:fake')).toBe(false);
  const quoted = body('hone:real', { z: ',"subject":"hone:fake","type":"room.happened","v":1}' });
  expect(subjectMatches(quoted, 'hone:real')).toBe(true);
  expect(subjectMatches(quoted, 'hone:fake')).toBe(false);
});

test.each([
  'hone:"',
  'hone:\\',
  'hone:ü\ufffd\u{1F600}',
  'hone:","type":"x',
  `hone:${'x'.repeat(295)}`,
])('LEDGER-2 %j is found, and nothing near it', (subject) => {
  expect(subjectMatches(body(subject, {}), subject)).toBe(true);
  for (const other of [`${subject}x`, subject.slice(0, -1), subject.slice(1), ''])
    expect(subjectMatches(body(subject, {}), other)).toBe(false);
});

test('LEDGER-2 what is no entry has no subject', () => {
  for (const text of ['', '{}', 'x'.repeat(1000), ',"subject":"a","type":"'])
    expect(subjectMatches(text, 'a')).toBe(false);
});
