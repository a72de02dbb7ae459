/**
 * Ways around the gateway, by name (`parts/gateway-attempts.ts`): renamed tools, other forms of messages, approvals of
 * something else, swapped definitions, secrets by detours, broken decisions. None may reach the server. The control
 * plays the same with the gate off: what an attempt tries really gets there then.
 */
import type { Measurement } from '../tools/measure.ts';
import { ATTEMPTS } from './parts/gateway-attempts.ts';
import { makePlayground } from './parts/gateway-world.ts';

export const measurement: Measurement = {
  what: 'ways around the gateway do not reach the server',
  aims: { bypasses: '<=0', attempts: '>=40', control_caught: '>=1' },
  async *run({ scale, progress }) {
    const every = Math.max(1, Math.round(1 / scale));
    const tried = ATTEMPTS.filter((_, at) => at % every === 0);
    let bypasses = 0;
    let caught = 0;
    for (const { name, run } of tried) {
      for (const enforces of [true, false]) {
        await using playground = await makePlayground(enforces);
        await run(playground.on);
        const reached = playground.bypasses();
        if (!enforces && reached.length > 0) caught += 1;
        if (enforces && reached.length > 0) {
          bypasses += 1;
          progress(`${name}: ${reached.join(', ')}`);
        }
      }
    }
    yield { metric: 'bypasses', value: bypasses };
    // What gets nowhere without a gate says nothing about one: it is tried, and not counted.
    const note = `${tried.length} are tried; as many as counted get there with the gate off`;
    yield { metric: 'attempts', value: caught, note };
    yield { metric: 'control_caught', value: caught > 0 ? 1 : 0 };
  },
};
