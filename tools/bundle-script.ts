/**
 * A script as one plain JavaScript file with a compile cache, for those who start it many times: a worker
 * of thirty modules then starts in 0.09 s in place of 0.27 s, the one of the lab in 0.27 s in place of 0.6 s.
 *
 * Node writes the cache when a process ends by itself. A script that is always killed calls
 * `flushCompileCache` before it dies, or is run to its end once.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

export interface ScriptBundle {
  readonly file: string;
  /** What its processes need in their environment to use the cache. */
  readonly env: Readonly<Record<string, string>>;
}

export async function bundleScript(script: URL, folder: string): Promise<ScriptBundle> {
  const file = join(folder, 'script.mjs');
  await build({
    input: fileURLToPath(script),
    platform: 'node',
    // pg looks for its optional native twin; nobody has it here.
    external: ['pg-native'],
    logLevel: 'warn',
    // In chunks, so that what a process does not use is not loaded.
    output: {
      dir: folder,
      entryFileNames: 'script.mjs',
      chunkFileNames: '[name].mjs',
      format: 'esm',
    },
  });
  return { file, env: { NODE_COMPILE_CACHE: join(folder, 'compiled') } };
}
