/** How long the packed command takes to start, against bare `node`. */
import { spawnSync } from 'node:child_process';
import { makeInstallation } from '../test/cli.ts';
import { packHone } from '../test/packed.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { median, takeTurns } from './parts/timing.ts';

export const measurement: Measurement = {
  what: 'the packed bin against bare node',
  aims: { version_ratio: '<=1.8', status_ratio: '<=2.5' },
  async *run({ scale, progress }) {
    progress('packing and installing');
    using packed = packHone();
    using here = makeInstallation({ bin: [process.execPath, packed.bin] });
    await here.hone('init');
    await here.hone('status'); // fills Node's compile cache, as the first run of every user does
    const start = (args: string[]) => () => {
      const { status } = spawnSync(process.execPath, args, {
        cwd: here.repository,
        env: here.environment,
        stdio: 'ignore',
      });
      if (status !== 0) throw new Error(`node ${args.join(' ')} failed`);
    };
    const bare = start(['-e', '0']);
    const count = Math.ceil(60 * scale);
    for (const [metric, argument] of [
      ['version_ratio', '--version'],
      ['status_ratio', 'status'],
    ] as const) {
      const measured = start([packed.bin, argument]);
      const times = await takeTurns({ measured, floor: bare, count, block: 5 });
      yield ratio(metric, median(times.measured), median(times.floor));
    }
  },
};

function ratio(metric: string, measured: number, floor: number): Figure {
  return { metric, value: measured / floor, measured, floor, unit: 'ms p50' };
}
