/** Files that were chosen one by one, as a source sees them: what it lists is what was chosen. */
import { basename } from 'node:path';
import { isSystemFault } from './faults.ts';
import type { SourceFiles } from './types.ts';

/**
 * `chosen`: by the path that the source is given. `from`: opens them. A file that may not be read is passed over,
 * and does not hold up the others.
 */
export function chosenFiles(
  chosen: ReadonlyMap<string, readonly string[]>,
  from: Pick<SourceFiles, 'open'>,
  onUnreadable: (path: string) => void,
): SourceFiles {
  return {
    list: (path) => {
      const files = (chosen.get(path) ?? []).map((one) => ({ name: basename(one), path: one }));
      return Promise.resolve({ exists: files.length > 0, files, notes: [] });
    },
    open: async (path) => {
      try {
        return await from.open(path);
      } catch (error) {
        if (!isSystemFault(error)) throw error;
        onUnreadable(path);
        return undefined;
      }
    },
  };
}
