import { expect, test } from 'vitest';
import { composeSections } from '../../config/index.ts';
import { honeSections } from '../../loop/index.ts';
import type { SandboxProbe } from '../../sandbox/index.ts';
import { CHECKS } from './list.ts';
import type { WithLoop } from './types.ts';

const check = CHECKS.find(({ name }) => name === 'sandbox')!;

const look = (validate: object, probe?: SandboxProbe) => {
  const config = composeSections(honeSections).parse({ validate });
  const runner = probe === undefined ? {} : { runner: { probe: async () => probe } };
  return check.look({ opened: { config }, open: { ports: runner } } as unknown as WithLoop & never);
};

test('VAL-4 doctor says whether a sandbox can be made, and by what its limits are kept', async () => {
  const kept = { wallMs: 'timer', memoryBytes: 'cgroup', processes: 'cgroup' } as never;
  expect(await look({})).toMatchObject({
    state: 'ok',
    text: expect.stringContaining('docs/guides/prove-a-change.md'),
  });
  const tests = { test: ['npm', 'test'] };
  expect(await look(tests, { available: true, version: '0.8.0', kept })).toMatchObject({
    state: 'ok',
    text: 'bwrap 0.8.0; every limit was tried: wallMs by timer; memoryBytes, processes by cgroup',
  });
  expect(await look(tests, { available: false, why: 'There is no bubblewrap.' })).toMatchObject({
    state: 'error',
    text: 'There is no bubblewrap.',
  });
});
