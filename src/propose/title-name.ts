import { mask } from '../sanitise/index.ts';
import { isPlainName } from '../text/index.ts';
import { shown } from './wording.ts';

/** A title becomes a subject, a file's name and a notice: only plain names may be in it, others go into the body. */
export function titleName(name: string, otherwise: string): string {
  return isPlainName(name) && mask(name).count === 0 ? shown(name, 40) : otherwise;
}
