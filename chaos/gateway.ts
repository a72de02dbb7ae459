/**
 * Ways around the gateway, by name (`parts/gateway-attempts.ts`): renamed tools, other forms of messages, approvals of
 * something else, swapped definitions, secrets by detours, broken decisions. None may reach the server. The control
 * plays the same with the gate off: what an attempt tries really gets there then.
 */
import type { Measurement } from '../tools/measure.ts';
import { ATTEMPTS } from './parts/gateway-attempts.ts';
import { makePlayground } from './parts/gateway-world.ts';
import { openRealWorld, REAL_ATTEMPTS, UNASKED, WRITE } from './parts/real-gateway.ts';

export const measurement: Measurement = {
  what: 'ways around the gateway do not reach the server',
  aims: { bypasses: '<=0', attempts: '>=40', undetected: '<=0', control_caught: '>=1' },
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
    const real = await playReal(scale, progress);
    bypasses += real.bypasses;
    yield { metric: 'bypasses', value: bypasses };
    // What gets nowhere without a gate says nothing about one: it is tried, and not counted.
    const note = `${tried.length + real.tried} are tried; as many as counted get there with the gate off`;
    yield { metric: 'attempts', value: caught, note };
    const hooks = `of ${real.unasked} calls that a client made without its hook, or against it`;
    yield { metric: 'undetected', value: real.undetected, note: hooks };
    const isCaught = caught > 0 && real.isControlCaught;
    yield { metric: 'control_caught', value: isCaught ? 1 : 0 };
  },
};

/** The real processes. The control is the plain call with the gate off, and a call that was asked about and made. */
async function playReal(scale: number, progress: (text: string) => void) {
  const some = <T>(all: readonly T[]) => all.slice(0, Math.max(1, Math.round(all.length * scale)));
  const [attempts, unasked] = [some(REAL_ATTEMPTS), some(UNASKED)];
  let [bypasses, undetected] = [0, 0];
  using world = await openRealWorld();
  for (const { name, run } of unasked) {
    await run(world);
    if ((await world.found(name)) > 0) continue;
    undetected += 1;
    progress(`${name}: nothing is on record`);
  }
  for (const { name, run } of attempts) {
    await run(world);
    if (!world.reached()) continue;
    bypasses += 1;
    progress(`${name}: it reached the server`);
  }
  // The last attempt takes the store away.
  const isWhole = attempts.length === REAL_ATTEMPTS.length;
  using another = isWhole ? await openRealWorld() : undefined;
  const control = another ?? world;
  await control.switchOff();
  await using gateway = await control.gateway();
  await gateway.call(...WRITE);
  const asked = { session_id: 'asked', tool_name: 'Read', tool_input: {}, tool_use_id: 'a' };
  await control.hook({ ...asked, hook_event_name: 'PreToolUse' });
  await control.hook({ ...asked, hook_event_name: 'PostToolUse', tool_response: 'ok' });
  const isControlCaught = control.reached() && (await control.found('asked')) === 0;
  return { bypasses, undetected, tried: attempts.length, unasked: unasked.length, isControlCaught };
}
