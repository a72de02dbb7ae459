/** Temporary folders that must not outlive the process, even if it ends in the middle of something. */
import { rmSync } from 'node:fs';

const folders = new Set<string>();

export function removeAtExit(folder: string): void {
  if (!process.listeners('exit').includes(removeAll)) process.once('exit', removeAll);
  folders.add(folder);
}

/** It was removed, or is to stay. */
export function forgetAtExit(folder: string): void {
  folders.delete(folder);
}

function removeAll(): void {
  for (const folder of folders) {
    try {
      // A program that we started may still write there.
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The process ends; what is left is the machine's to clear.
    }
  }
}
