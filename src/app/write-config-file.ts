/**
 * Writes a new `hone.yaml` for everybody who works in the repository; never over an existing one. False
 * when there is one by now: somebody else set the repository up at the same moment.
 */
import { writeWholeFile } from '../home/index.ts';

export function writeConfigFile(path: string, text: string): boolean {
  return writeWholeFile(path, text, { exclusive: true, mode: 0o644 });
}
