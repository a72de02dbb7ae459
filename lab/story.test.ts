/** Every scenario that comes with Hone, with an approver that approves whatever it is asked. */
import { expect, test } from 'vitest';
import { playScenario } from './play.ts';
import { bundledScenario } from './scenario-files.ts';

test.each(['healthy', 'helps-then-hurts', 'timeout-too-low'])(
  '%s comes out as it should, whatever is asked is approved',
  async (name) => {
    const played = await playScenario({
      scenario: bundledScenario(name),
      seed: 1,
      approver: 'blind',
    });
    expect(played).toMatchObject({ ok: true, harmLeft: false, violations: [] });
  },
);
