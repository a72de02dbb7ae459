/** A temporary folder that is gone afterwards, also when the work in it threw or was interrupted. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder } from '../../test/memory-folder.ts';

export function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  return inFolderBelow(tmpdir(), work);
}

/** Without a disk below it where the machine can: for what is about calls, not about the device. */
export function inMemoryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  return inFolderBelow(memoryFolder(), work);
}

async function inFolderBelow<T>(place: string, work: (folder: string) => Promise<T>): Promise<T> {
  // Resolved, because strace compares the paths that the kernel sees.
  const folder = realpathSync(mkdtempSync(join(place, 'hone-chaos-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, interrupted);
  try {
    return await work(folder);
  } finally {
    for (const signal of signals) process.off(signal, interrupted);
    remove();
  }
}
