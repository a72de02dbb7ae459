import { describe, expect, test } from 'vitest';
import { outboxPorts } from '../../test/outbox.ts';
import { ScriptedDestination } from '../../test/scripted-destination.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { type Actor, type EffectDraft, STEP_KINDS, type StepKind } from '../facts/index.ts';
import { KillSwitch } from '../policy/index.ts';
import { deliverAll } from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };

describe.each(['memory', 'postgres'] as const)('KILL-1 and the outbox on %s', (kind) => {
  const open = storePerTest(kind);

  test('stopped effects wait; rollback and monitor go on, to the same destination', async () => {
    const there = new ScriptedDestination('keyed');
    const draft = (step: StepKind): EffectDraft => ({
      key: step,
      destination: there.name,
      payload: null,
      step,
    });
    await open().store.commit({ effects: STEP_KINDS.map(draft) });
    const killSwitch = new KillSwitch(open().store, () => false);
    const ports = { ...outboxPorts(open()), allowedSteps: () => killSwitch.allowedSteps() };
    await killSwitch.stop(OPERATOR, 'odd numbers', 'command');
    expect(await deliverAll(there.destination, ports)).toBe(2);
    expect(there.sends).toEqual(['monitor', 'rollback']);
    await killSwitch.resume(OPERATOR, 'explained');
    expect(await deliverAll(there.destination, ports)).toBe(STEP_KINDS.length - 2);
    const rest = there.sends.slice(2);
    expect(rest.toSorted()).toEqual(STEP_KINDS.slice(0, -2).toSorted());
    const decisions = ['approve', 'deploy'];
    expect(rest.filter((key) => decisions.includes(key))).toEqual(decisions);
    const news = STEP_KINDS.slice(0, -2).filter((key) => !decisions.includes(key));
    expect(rest.filter((key) => !decisions.includes(key))).toEqual(news);
  });

  test('a switch pulled while another sender was awaited still stops the send', async () => {
    const there = new ScriptedDestination('keyed');
    const draft = { key: 'a', destination: there.name, payload: null, step: 'deploy' } as const;
    await open().store.commit({ effects: [draft] });
    const killSwitch = new KillSwitch(open().store, () => false);
    let asked = 0;
    const allowedSteps = async () => {
      if (++asked === 2) await killSwitch.stop(OPERATOR, 'now', 'http');
      return killSwitch.allowedSteps();
    };
    const ports = { ...outboxPorts(open()), allowedSteps };
    await deliverAll(there.destination, ports, ['decision']);
    expect(asked).toBe(2);
    expect(there.sends).toEqual([]);
  });
});
