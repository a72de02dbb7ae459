/** The file that stops everything while it exists. */
import { lstatSync } from 'node:fs';
import { errorCode } from '../base/index.ts';
import type { Home } from './home.ts';

/** Whatever stands there stops, also a link to nothing; and so does not being able to look. */
export function stopFileExists({ stopFile }: Home): boolean {
  try {
    lstatSync(stopFile);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
