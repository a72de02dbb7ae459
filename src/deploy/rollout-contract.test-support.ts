/** What every rollout promises. A member's test calls it with a way to make one. */
import { describe, expect, test } from 'vitest';
import { beforeDecision } from './before-decision.ts';
import { ROLLOUTS } from './rollouts.ts';
import type { Rollout } from './types.ts';

export function rolloutContract(
  name: string,
  make: () => Promise<{ readonly rollout: Rollout }>,
): void {
  describe(`the contract of a rollout: ${name}`, () => {
    test('has a name for the configuration that no other one has', async () => {
      const { rollout } = await make();
      expect(rollout.name).toMatch(/^[a-z][a-z0-9-]{0,39}$/);
      expect(rollout.about).toMatch(/^[^.\n]{10,200}$/);
      const others = ROLLOUTS.filter((one) => one !== rollout);
      expect(others.map((one) => one.name)).not.toContain(rollout.name);
    });

    test('says in whole sentences how much a change reaches', async () => {
      const { words, reaches } = (await make()).rollout;
      expect(words).toMatch(/^[A-Z][^\n\p{Cc}\p{Cf}]{30,400}\.$/u);
      // If it reaches everything, the person who decides must not mistake the change for a trial.
      if (reaches === 'whole') expect(words).toMatch(/everything at once/);
    });

    test('is heard by whoever decides, once it is in the list', async () => {
      const { rollout } = await make();
      expect(ROLLOUTS).toContain(rollout);
      const told = beforeDecision({
        ...{ forge: 'local', branch: 'main', remote: 'origin' },
        rollout: rollout.name,
        hooks: [],
        deployed: { command: [], url: '', telemetry: false, timeout: 0 },
        smoke: { command: [], timeout: 0 },
        verify: { command: [], timeout: 0 },
      });
      expect(told).toContain(rollout.words);
    });
  });
}
