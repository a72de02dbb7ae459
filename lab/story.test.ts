/**
 * Every scenario that comes with Hone, with an approver that approves whatever it is asked. `npm start` plays two of them
 * with all of their traffic (`demo.test.ts`).
 */
import { expect, test } from 'vitest';
import { playScenario } from './play.ts';
import { bundledScenario } from './scenario-files.ts';
import { thinned } from './thinned.ts';

/** Of the two quiet weeks, the first with its bad restart, the weekend and the Monday after it. */
const QUIET_DAYS = 8;

test.each(['healthy', 'helps-then-hurts', 'timeout-too-low'])(
  '%s comes out as it should, whatever is asked is approved',
  async (name) => {
    const scenario = thinned(bundledScenario(name));
    const played = await playScenario({
      scenario: name === 'healthy' ? { ...scenario, days: QUIET_DAYS } : scenario,
      seed: 1,
      approver: 'blind',
    });
    expect(played).toMatchObject({ ok: true, harmLeft: false, violations: [] });
    // A rollback is made when somebody is at work.
    if (name !== 'timeout-too-low') expect(played.isAlikeForAll).toBe(name === 'healthy');
  },
);
