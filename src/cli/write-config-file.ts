/**
 * Writes a new `hone.yaml` for everybody who works in the repository; never over an existing one. False
 * when there is one by now: somebody else set the repository up at the same moment.
 */
import { writeFileSync } from 'node:fs';
import { errorCode, errorMessage } from '../base/index.ts';
import { HomeError } from '../home/index.ts';

export function writeConfigFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o644 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw new HomeError('io', `Cannot write ${path}: ${errorMessage(error)}.`, {
      hint: 'Check your rights in the repository, then run "hone init" again.',
      cause: error,
    });
  }
}
