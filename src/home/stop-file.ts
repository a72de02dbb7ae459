/** The file that stops everything while it exists. */
import { lstatSync } from 'node:fs';
import type { Home } from './home.ts';

/** Anything there stops Hone, even a dangling link; so does an error while looking. */
export function stopFileExists({ stopFile }: Home): boolean {
  try {
    // Nearly always it is not there, and asked for many times a second: no error is made for that.
    return lstatSync(stopFile, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
