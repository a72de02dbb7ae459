/** Writes a new `hone.yaml` for everybody who works in the repository; never over an existing one. */
import { writeFileSync } from 'node:fs';
import { errorMessage } from '../base/index.ts';
import { HomeError } from '../home/index.ts';

export function writeConfigFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    throw new HomeError('io', `Cannot write ${path}: ${errorMessage(error)}.`, {
      hint: 'Check your rights in the repository, then run "hone init" again.',
      cause: error,
    });
  }
}
