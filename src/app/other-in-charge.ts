/** Whether another installation is in charge of the target, for `hone status`. */
import { join } from 'node:path';
import { readPlainFile } from '../git/at-start.ts';
import type { Home } from '../home/index.ts';
import { readKeys } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';

/** `INSTALLATION_REF` of `deploy/`, which loads git; that of a remote as it was seen last. */
const MARKER = 'refs/hone/installation';
const MARKER_OF_REMOTE = 'refs/hone/remote/hone/installation';

/**
 * Without git: the ref as a file, compared with what was kept when this installation was found to
 * be in charge. Only another one is looked into. If refs are packed or stored in another form it gives no
 * answer; a deployment asks git.
 */
export async function isOtherInCharge(home: Home, store: Store, forge: string): Promise<boolean> {
  const read = (path: string) => readPlainFile(path).catch(() => undefined);
  const marker = (
    await read(join(home.gitDir, forge === 'local' ? MARKER : MARKER_OF_REMOTE))
  )?.trim();
  if (marker === undefined || marker === (await read(home.markerFile))?.trim()) return false;
  const { markersOf } = await import('../deploy/at-start.ts');
  // Reporting a damaged ledger is the job of `hone ledger verify`.
  const keys = await readKeys(store);
  const key = keys.ok ? keys.keys[0] : undefined;
  return key !== undefined && !(await markersOf(key)).includes(marker);
}
