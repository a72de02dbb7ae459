/** Restores a backup and kills itself at a named step, as a power cut would: nothing is cleaned up. */
import { flushCompileCache } from 'node:module';
import { openBackup, restoreBackup } from '../src/backup/index.ts';
import { systemClock, systemRandom } from '../src/base/index.ts';
import { findHome } from '../src/home/index.ts';

const [file, killAt] = process.argv.slice(2) as [string, string];
await using backup = await openBackup(file);
await restoreBackup({
  home: findHome({ cwd: process.cwd(), environment: process.env }),
  backup,
  databaseUrl: process.env['HONE_STORE'],
  actor: { kind: 'human', id: 'operator', verified: 'local' },
  replace: true,
  clock: systemClock,
  random: systemRandom,
  onStep: (step) => {
    process.stdout.write(`${step}\n`);
    if (step !== killAt) return;
    // A killed process leaves its successors no compiled code unless it does so before.
    flushCompileCache();
    process.kill(process.pid, 'SIGKILL');
  },
});
