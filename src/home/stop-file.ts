/** The file that stops everything while it exists. */
import { lstatSync } from 'node:fs';
import { errorCode } from '../base/index.ts';
import type { Home } from './home.ts';

/** Anything there stops Hone, even a dangling link; so does an error while looking. */
export function stopFileExists({ stopFile }: Home): boolean {
  try {
    lstatSync(stopFile);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
