import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxProblem } from '../../../test/sandbox.ts';
import { systemClock } from '../../base/index.ts';
import { openToSandbox, runSandboxed } from '../../sandbox/index.ts';
import { ENVIRONMENT, NODE_INSIDE, nodeBinds } from './inside.ts';

const MB = 1024 * 1024;
const LIMITS = {
  ...{ wallMs: 20_000, cpuSeconds: 20, memoryBytes: 512 * MB, processes: 64 },
  ...{ fileBytes: MB, scratchBytes: MB, outputBytes: MB, openFiles: 256 },
};

/** As a version manager lays it out below a home folder that others cannot look into. */
test.skipIf(sandboxProblem() !== undefined || NODE_INSIDE === process.execPath)(
  'VAL-4 npm of the Node that runs Hone can be started, wherever it lies',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'hone-inside-test-'));
    const folder = mkdtempSync(join(tmpdir(), 'hone-inside-test-'));
    try {
      const npm = join(home, 'lib', 'node_modules', 'npm', 'bin');
      for (const path of [npm, join(home, 'bin')]) mkdirSync(path, { recursive: true });
      cpSync(process.execPath, join(home, 'bin', 'node'));
      writeFileSync(join(npm, 'npm-cli.js'), 'console.log("npm", ...process.argv.slice(2));');
      await openToSandbox(folder);
      const readOnly = await nodeBinds(folder, join(home, 'bin', 'node'));
      const { stdout, stderr } = await runSandboxed(
        {
          ...{ argv: ['/opt/node/bin/npm', 'run', 'a b'], readOnly, scratch: [], masked: [] },
          ...{ cwd: '/tmp', environment: ENVIRONMENT, limits: LIMITS },
        },
        { clock: systemClock, newId: () => `inside-${process.pid}` },
      );
      expect([stdout.toString(), stderr.toString()]).toEqual(['npm run a b\n', '']);
    } finally {
      for (const one of [home, folder]) rmSync(one, { recursive: true, force: true });
    }
  },
);
