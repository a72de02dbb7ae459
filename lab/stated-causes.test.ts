import { expect, test } from 'vitest';
import type { Expectation } from './expect-schema.ts';
import { findPlace } from './places.ts';
import { firstFiles } from './scenario.ts';
import { bundledScenario } from './scenario-files.ts';
import { isRightCause } from './stated-causes.ts';

const tooLow = bundledScenario('timeout-too-low');
const files = firstFiles(tooLow);
const file = 'agents/researcher.yaml';
const place = { file, path: ['tools', 'web_search', 'timeout_ms'] };
const { line } = findPlace(files, place)!;
const setting = (at: number) => ({ kind: 'setting', file, line: at });

test('a stated cause is right at the right place, outside where nothing of the target is to blame', () => {
  const judged = (agent: string, subject: object, expect: Expectation | undefined = undefined) =>
    isRightCause(
      { agent, subject: subject as never },
      { ...tooLow, expect: expect ?? tooLow.expect },
      files,
    );
  expect(judged('researcher', setting(line))).toBe(true);
  expect(judged('researcher', setting(line + 3))).toBe(false);
  expect(judged('librarian', setting(line))).toBe(false);
  expect(judged('researcher', { kind: 'service' })).toBe(false);
  expect(judged('librarian', { kind: 'service' })).toBe(true);
  expect(judged('researcher', { kind: 'unknown' })).toBeUndefined();
  expect(judged('researcher', setting(line), { outcome: 'untouched' })).toBe(false);
  expect(
    judged('researcher', setting(line), { outcome: 'untouched', may_try: [place] }),
  ).toBeUndefined();
  // Which limit the trap is, such a scenario does not say.
  expect(judged('researcher', setting(line), { outcome: 'taken_back' })).toBeUndefined();
  const trap: Expectation = { outcome: 'taken_back', places: [place] };
  expect(judged('researcher', setting(line), trap)).toBeUndefined();
  expect(judged('researcher', setting(line + 3), trap)).toBe(false);
});
