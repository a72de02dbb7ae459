/** The worker as one plain JavaScript file with a compile cache: thousands are started. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleScript } from '../../tools/bundle-script.ts';
import { start } from './child.ts';
import type { WorkerOptions } from './worker.ts';

const RUN_MS_MAX = 60_000;

export interface WorkerBundle {
  readonly env: Readonly<Record<string, string>>;
  command(options: WorkerOptions): [string, ...string[]];
}

export async function bundleWorker(folder: string): Promise<WorkerBundle> {
  const { file, env } = await bundleScript(new URL('worker.ts', import.meta.url), folder);
  const bundle: WorkerBundle = {
    env,
    command: (options) => [process.execPath, file, JSON.stringify(options)],
  };
  await runOnce(bundle, join(folder, 'first'));
  return bundle;
}

/** Fills the compile cache, which a killed process does not write, and shows that it works at all. */
async function runOnce({ command, env }: WorkerBundle, folder: string): Promise<void> {
  const path = join(folder, 'control.db');
  const [program, ...args] = command({ path, writer: 'first', bursts: [1] });
  const output = () => {};
  const { ended } = start({ command: program, args, env, limitMs: RUN_MS_MAX, output });
  const { code, stderr } = await ended;
  if (code !== 0) throw new Error(`the worker does not work: ${stderr}`);
  rmSync(folder, { recursive: true });
}
