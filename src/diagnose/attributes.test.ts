import { describe, expect, test } from 'vitest';
import { seededRandom } from '../base/index.ts';
import type { AttributeCell, FailureGroup } from '../facts/index.ts';
import { attributesOf } from './attributes.ts';
import { COMMIT, group, LIMITS, WINDOW } from './failures.test-support.ts';
import { findPatterns } from './find-patterns.ts';
import { mergeAlike } from './identity.ts';

const cell = (
  attribute: AttributeCell['attribute'],
  value: string,
  failures: number,
  calls: number,
): AttributeCell => ({ attribute, value, failures, calls });

const reasons = (changes: Partial<FailureGroup>) =>
  findPatterns({
    ...{ window: WINDOW, groups: [group(changes)], settings: [], commit: COMMIT, commits: [] },
    ...{ limits: LIMITS, known: [] },
  }).patterns[0]!.reasons.filter((text) => text.startsWith('It goes with'));

describe('DIAG-4 attributes that go with a failure', () => {
  test('are told from a correlation of 0.7, the strongest first, with what the others do', () => {
    const attributes = [
      cell('model', 'aria-mini', 400, 430),
      cell('version', '2.1', 380, 500),
      cell('provider', 'east', 300, 2000),
    ];
    expect(reasons({ attributes })).toEqual([
      'It goes with the model aria-mini: 93 % of its 430 calls fail, 0.3 % of the others (correlation 0.95).',
      'It goes with the version 2.1: 76 % of its 500 calls fail, 0.8 % of the others (correlation 0.82).',
    ]);
  });

  test('one that every call has, or too few, says nothing', () => {
    expect(reasons({ attributes: [cell('model', 'aria', 412, 4320)] })).toEqual([]);
    const few = { failures: 3, calls: 12, sessions: 3 };
    expect(reasons({ ...few, attributes: [cell('model', 'aria', 3, 3)] })).toEqual([]);
  });

  test('of a thousand that mean nothing hardly one is told', () => {
    const random = seededRandom(1);
    const failures = Array.from({ length: 100 }, (_, at) => {
      const attributes = Array.from({ length: 10 }, (_, value) => {
        const calls = 20 + Math.floor(200 * random.next());
        const failed = Array.from({ length: calls }, () => random.next() < 0.1);
        return cell('task', `t${value}`, failed.filter(Boolean).length, calls);
      });
      return group({ tool: `tool_${at}`, failures: 412, calls: 4320, attributes });
    });
    expect(attributesOf(mergeAlike(failures)).size).toBe(0);
  });

  test('forms of one failure are added up', () => {
    const half = (code: string) =>
      group({ errorCode: code, failures: 206, attributes: [cell('model', 'aria', 200, 430)] });
    const [both] = mergeAlike([half('TIMEOUT'), { ...half('TIMEOUT'), template: 'other words' }]);
    expect(both!.attributes).toEqual([cell('model', 'aria', 400, 430)]);
  });
});
