import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import type { EntryDraft } from '../facts/index.ts';
import { entryBody } from './entry-body.ts';
import { isPlainEntry } from './plain-entry.ts';
import { entryWriter } from './tip.ts';

const judged = {
  agent: 'claude-code',
  callDigest: `sha256:${'0'.repeat(64)}`,
  codes: ['destructive', 'no_task'],
  level: 3,
  phase: null,
  sessionId: 's-1',
  taskId: null,
  tool: 'claude-code/Bash',
  why: 'The call destroys what cannot be brought back.',
};
const draft = (data: object, more: object = {}): EntryDraft =>
  ({
    type: 'gateway.refused',
    actor: { kind: 'agent', id: 'claude-code', verified: 'none' },
    subject: 'session:s-1',
    data,
    ...more,
  }) as unknown as EntryDraft;

/** Values of every kind in the place of each member, right ones among them. */
const value = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 5 }),
  fc.constantFrom<unknown>(
    ...[null, undefined, -1, 0, 3, 4, 1.5, true, [], ['a'], ['a b'], {}, ''],
    ...['agent', 'none', 'a'.repeat(201), 'a'.repeat(4001), judged.callDigest, 'task:t-1', 'x:'],
    Array.from({ length: 21 }, () => 'a'),
  ),
);
const name = fc.constantFrom('extra', 'toJSON', ...Object.keys(judged));

describe('entries that are told without the schemas', () => {
  test('what a refusal records is one', () => {
    for (const type of ['gateway.passed', 'gateway.refused', 'gateway.let_pass'])
      expect(isPlainEntry(draft(judged, { type }))).toBe(true);
  });

  test('LEDGER-1 the schemas take every one of them, as the same bytes', () => {
    let plain = 0;
    const check = (entry: EntryDraft) => {
      if (!isPlainEntry(entry)) return;
      plain += 1;
      const body = entryBody(entry, 1);
      expect(entryWriter.unplaced([entry], 1)).toMatchObject([{ row: { body } }]);
    };
    const outside = fc.constantFrom('type', 'subject', 'artifacts');
    const actor = fc.constantFrom('kind', 'id', 'verified', 'extra');
    fc.assert(
      fc.property(name, outside, actor, value, (inner, outer, who, given) => {
        const { [inner as 'why']: _, ...without } = judged;
        check(draft({ ...judged, [inner]: given }));
        check(draft(without));
        check(draft(judged, { [outer]: given }));
        check(draft(judged, { actor: { ...draft(judged).actor, [who]: given } }));
      }),
      { numRuns: 2000 },
    );
    expect(plain).toBeGreaterThan(500);
  });

  test('a member too many, too few or of another kind is for the schemas to judge', () => {
    const { why: _, ...short } = judged;
    const wrong = [
      draft(short),
      draft({ ...judged, extra: 'a' }),
      draft({ ...judged, level: 4 }),
      draft({ ...judged, tool: 'two words' }),
      draft(judged, { subject: 'session' }),
      draft(judged, { artifacts: [] }),
      draft(judged, { type: 'gateway.asked' }),
    ];
    expect(wrong.filter(isPlainEntry)).toEqual([]);
  });
});
