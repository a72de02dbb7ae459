import { expect, test } from 'vitest';
import { lookAt } from './looks.ts';
import { bundledScenario } from './scenario-files.ts';

test('a world that is only looked at states what a whole play would state, with all that competed', async () => {
  const { stated, weighed } = await lookAt({ ...bundledScenario('timeout-too-low'), days: 1 }, 1);
  expect(stated).toMatchObject([{ isRight: true }]);
  expect(stated[0]!.confidence).toBeGreaterThan(0.6);
  const [cause] = weighed[0]!.causes;
  expect(cause).toMatchObject({ isRight: true, clues: { how: 'setting-limit strong' } });
});
