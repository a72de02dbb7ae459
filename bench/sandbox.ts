/** From start to exit of `true` in Hone's sandbox, with every limit, over the same in bare `bwrap`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../src/base/index.ts';
import { runSandboxed, SANDBOX_UID, type SandboxRun } from '../src/sandbox/index.ts';
import type { Measurement } from '../tools/measure.ts';
import { median, takeTurns } from './parts/timing.ts';

const MB = 1024 * 1024;
const RUN: SandboxRun = {
  argv: ['/bin/true'],
  readOnly: [],
  scratch: [],
  masked: [],
  cwd: '/tmp',
  environment: { PATH: '/usr/bin:/bin' },
  limits: {
    wallMs: 10_000,
    cpuSeconds: 5,
    memoryBytes: 256 * MB,
    processes: 64,
    fileBytes: 8 * MB,
    scratchBytes: 8 * MB,
    outputBytes: 64 * 1024,
    openFiles: 128,
  },
};
const BARE = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true'];

export const measurement: Measurement = {
  what: 'start to exit of true in the sandbox against bare bwrap',
  aims: { start_ratio: '<=2' },
  async *run({ scale, progress }) {
    let made = 0;
    const ports = { clock: systemClock, newId: () => `bench-${process.pid}-${++made}` };
    const measured = async () => {
      const { exitCode, ended } = await runSandboxed(RUN, ports);
      if (exitCode !== 0) throw new Error(`true ended by ${ended} in the sandbox`);
    };
    progress('taking turns with bare bwrap');
    const count = Math.max(5, Math.ceil(60 * scale));
    const times = await takeTurns({ measured, floor: bare, count, block: 5 });
    const [own, floor] = [median(times.measured), median(times.floor)];
    yield { metric: 'start_ratio', value: own / floor, measured: own, floor, unit: 'ms p50' };
  },
};

/** As the same user, and as asynchronously. */
async function bare(): Promise<void> {
  const nobody = process.getuid?.() === 0 ? { uid: SANDBOX_UID, gid: SANDBOX_UID } : {};
  const [code] = await once(spawn('bwrap', BARE, { stdio: 'ignore', env: {}, ...nobody }), 'exit');
  if (code !== 0) throw new Error(`bare bwrap ended with ${code}`);
}
