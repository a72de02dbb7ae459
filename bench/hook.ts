/** How long the packed `hone hook` takes from its start to its answer, against bare `node`. */
import { spawnSync } from 'node:child_process';
import { makeInstallation } from '../test/cli.ts';
import { packHone } from '../test/packed.ts';
import type { Measurement } from '../tools/measure.ts';
import { median, takeTurns } from './parts/timing.ts';

const event = (tool_name: string, tool_input: object) =>
  JSON.stringify({
    session_id: 'bench',
    transcript_path: '/nowhere',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_input,
    tool_use_id: 'toolu_1',
  });

export const measurement: Measurement = {
  what: 'the packed hook against bare node',
  aims: { allow_ratio: '<=2', deny_ratio: '<=3' },
  async *run({ scale, progress }) {
    progress('packing and installing');
    using packed = packHone();
    using here = makeInstallation({ bin: [process.execPath, packed.bin] });
    await here.hone('init');
    await here.hone('switch', 'set', 'hooks', 'enforce', '--reason', 'to measure it');
    const start = (args: string[], input: string, exit: number) => () => {
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: here.repository,
        env: here.environment,
        input,
      });
      if (status !== exit) throw new Error(`exit ${status}: ${stderr}`);
    };
    const bare = start(['-e', '0'], '', 0);
    const hook = [packed.bin, 'hook', 'claude-code'];
    const count = Math.ceil(60 * scale);
    for (const [metric, input, exit] of [
      ['allow_ratio', event('Read', { file_path: 'README.md' }), 0],
      ['deny_ratio', event('Bash', { command: 'rm -rf /' }), 2],
    ] as const) {
      const measured = start(hook, input, exit);
      measured(); // fills Node's compile cache
      const times = await takeTurns({ measured, floor: bare, count, block: 5 });
      const [value, floor] = [median(times.measured), median(times.floor)];
      yield { metric, value: value / floor, measured: value, floor, unit: 'ms p50' };
    }
  },
};
