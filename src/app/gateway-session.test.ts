import { expect, test } from 'vitest';
import { makeGatewayWorld } from '../../test/gateway-world.ts';
import { makeContext } from '../compose/context.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import { GatewaySession } from './gateway-session.ts';

test('what is kept between calls is never older than a call: mode, task and phase count at once', async () => {
  using world = await makeGatewayWorld();
  const { here } = world;
  const { environment, repository: cwd } = here;
  const context = makeContext(false, 'test', { ...processSurroundings(), environment, cwd });
  const options = { server: 'files', session: 's1', task: undefined };
  await using session = await GatewaySession.open(context, options);
  const write = async () => {
    const { passes, observed, context } = await session.judge({
      ...{ tool: 'write_file', arguments: { path: 'a.ts' }, definition: 'pinned' },
    });
    return { passes, observed, phase: context?.phase };
  };
  const hone = async (...args: string[]) => {
    const done = await here.hone(...args);
    expect(done.err + (done.exit === 0 ? '' : done.out)).toBe('');
    return done.out;
  };
  expect(await write()).toEqual({ passes: true, observed: false, phase: undefined });
  expect(await write()).toEqual({ passes: true, observed: false, phase: undefined });
  await hone('task', 'start', '--process', 'autopilot', 'Retry with jitter', '--session', 's1');
  expect(await write()).toEqual({ passes: false, observed: false, phase: 'strategize' });
  await hone('switch', 'set', 'gateway', 'observe', '--reason', 'a test');
  expect(await write()).toEqual({ passes: true, observed: true, phase: 'strategize' });
  await hone('switch', 'set', 'gateway', 'enforce', '--reason', 'a test');
  expect(await write()).toEqual({ passes: false, observed: false, phase: 'strategize' });
});
