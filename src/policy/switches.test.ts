import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { type Actor, SWITCH_MODES, SYSTEM } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import {
  ENFORCED,
  FIXED_GATES,
  KillSwitch,
  PROJECTED_TABLES,
  projectEntry,
  Switches,
} from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };
const AGENT: Actor = { kind: 'agent', id: 'coder', verified: 'token' };
const DEFAULTS = { vetting: 'enforce', telemetry: 'observe', spare: 'off' } as const;

describe.each(['memory', 'postgres'] as const)('SWITCH-1 on %s', (kind) => {
  const open = storePerTest(kind);
  const make = () => new Switches(open().store, DEFAULTS);

  test('a gate has the mode it was configured with until somebody sets one', async () => {
    expect(await make().mode('telemetry')).toBe('observe');
    await make().set('telemetry', 'enforce', OPERATOR, 'ready');
    expect(await make().list()).toEqual([
      { gate: 'vetting', mode: 'enforce', source: 'default' },
      { gate: 'telemetry', mode: 'enforce', source: 'set' },
      { gate: 'spare', mode: 'off', source: 'default' },
    ]);
  });

  test('a reason that no database keeps as it is does not hold it up', async () => {
    await make().set('telemetry', 'enforce', OPERATOR, 'rea\u0000dy\udc00');
    expect(await make().mode('telemetry')).toBe('enforce');
    expect((await recorded(open().store)).at(-1)!.data['reason']).toBe('rea dy\ufffd');
  });

  test('a gate nobody knows is enforced, and cannot be set', async () => {
    expect(await make().mode('veting')).toBe('enforce');
    expect(await make().set('veting', 'off', OPERATOR, 'typo')).toEqual({
      set: false,
      why: 'unknown_gate',
    });
    expect(await recorded(open().store)).toEqual([]);
  });

  test('what the constitution fixes is in no list, and neither a person, a file nor a row opens it', async () => {
    const defaults = Object.fromEntries([...FIXED_GATES.keys()].map((gate) => [gate, 'off']));
    const switches = new Switches(open().store, { ...DEFAULTS, ...(defaults as object) });
    for (const gate of FIXED_GATES.keys()) {
      expect(await switches.set(gate, 'off', OPERATOR, 'x')).toEqual({ set: false, why: 'fixed' });
      const row = { gate, mode: 'off', reason: '', changed_at_ms: 0 };
      await open().store.commit({ writes: [{ insert: 'policy_switches', row }] });
      expect(await switches.read(gate)).toEqual(ENFORCED);
    }
    expect((await switches.list()).map(({ gate }) => gate)).toEqual(Object.keys(DEFAULTS));
    expect([...FIXED_GATES.keys()]).toContain('deploy');
    expect(await recorded(open().store)).toEqual([]);
  });

  test('a mode that cannot be read, or is none, is enforce', async () => {
    const { store } = open();
    const row = { gate: 'spare', mode: 'of', reason: '', changed_at_ms: 0 };
    await store.commit({ writes: [{ insert: 'policy_switches', row }] });
    expect(await make().read('spare')).toEqual(ENFORCED);
    const down = { ...store, all: () => Promise.reject(new Error('connection lost')) };
    expect(await new Switches(down, DEFAULTS).read('telemetry')).toEqual(ENFORCED);
  });

  test.each([
    ['as configured', async () => {}],
    ['as set', async () => void (await make().set('spare', 'observe', OPERATOR, 'trial'))],
  ])('what a weaker mode, %s, let pass does not commit once it is set back', async (_, prepare) => {
    const { store } = open();
    await prepare();
    const { mode, unchanged } = await make().read('spare');
    expect(mode).not.toBe('enforce');
    expect(await store.commit({ expect: unchanged })).toEqual({ committed: true });
    await make().set('spare', 'enforce', OPERATOR, 'enough');
    expect(await store.commit({ expect: unchanged })).toMatchObject({
      committed: false,
      refused: { name: 'switch' },
    });
    expect(await make().read('spare')).toEqual(ENFORCED);
  });

  test.each([AGENT, SYSTEM])('$kind may enforce, and never weaken', async (actor) => {
    for (const mode of ['off', 'observe'] as const)
      for (const gate of Object.keys(DEFAULTS))
        expect(await make().set(gate, mode, actor, 'x')).toEqual({ set: false, why: 'not_human' });
    expect(await make().set('telemetry', 'enforce', actor, 'stricter')).toEqual({
      set: true,
      previous: 'observe',
    });
    expect(await recorded(open().store)).toHaveLength(1);
  });

  test('vetting goes off and comes back: every change is recorded with what it was', async () => {
    for (const mode of ['off', 'observe', 'enforce'] as const)
      expect(await make().set('vetting', mode, OPERATOR, `to ${mode}`)).toMatchObject({
        set: true,
      });
    const entries = await recorded(open().store);
    expect(entries.map(({ data }) => data)).toEqual([
      { gate: 'vetting', mode: 'off', previousMode: 'enforce', reason: 'to off' },
      { gate: 'vetting', mode: 'observe', previousMode: 'off', reason: 'to observe' },
      { gate: 'vetting', mode: 'enforce', previousMode: 'observe', reason: 'to enforce' },
    ]);
    expect(entries.every(({ actor }) => actor.id === OPERATOR.id)).toBe(true);
    expect(await make().mode('vetting')).toBe('enforce');
  });

  test('of many who set it at once each knows what it changed', async () => {
    for (let round = 0; round < 5; round++) {
      const modes = Array.from({ length: 9 }, (_, at) => SWITCH_MODES[at % 3]!);
      await Promise.all(modes.map((mode) => make().set('spare', mode, OPERATOR, 'race')));
    }
    const changes = (await recorded(open().store)).map(({ data }) => data);
    expect(changes.length).toBeGreaterThanOrEqual(5);
    let mode: unknown = 'off';
    for (const { previousMode: previous, mode: next } of changes) {
      expect(previous).toBe(mode);
      mode = next;
    }
  });

  test('LEDGER-4: the tables, dropped and folded from the ledger, are byte-equal', async () => {
    const { store, clock } = open();
    const killSwitch = new KillSwitch(store, () => false);
    for (const mode of SWITCH_MODES)
      for (const gate of Object.keys(DEFAULTS)) {
        clock.advance(7);
        await make().set(gate, mode, OPERATOR, `${gate} \u{1F600} ${mode}`);
      }
    await killSwitch.stop(OPERATOR, 'once', 'command');
    await killSwitch.resume(OPERATOR, 'fine');
    clock.advance(1);
    await killSwitch.stop(AGENT, 'twice', 'http');
    const before = await dump(store);
    expect(before).toContain('twice');
    await store.commit({
      writes: [
        { delete: 'policy_stops', where: { id: 1 } },
        ...Object.keys(DEFAULTS).map((gate) => ({ delete: 'policy_switches', where: { gate } })),
      ],
    });
    expect(await dump(store)).not.toContain('twice');
    for (const entry of await recorded(store)) await store.commit({ writes: projectEntry(entry) });
    expect(await dump(store)).toBe(before);
  });
});

async function dump(store: Store): Promise<string> {
  const tables = PROJECTED_TABLES.map((table) => store.all(`SELECT * FROM ${table} ORDER BY 1`));
  return JSON.stringify(await Promise.all(tables));
}
