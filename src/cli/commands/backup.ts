/** `hone backup`: one file with all of an installation, taken while it runs. */
import { takeBackup } from '../../app/backup.ts';
import type { TakenBackup } from '../../contracts/backup.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { interruptible } from '../interruptible.ts';
import { plainLine } from '../io.ts';
import { fields, wrap } from '../layout.ts';

export function backup(
  context: Context,
  options: { output?: string; withKey: boolean },
): Promise<number> {
  const asked = interruptible('Interrupted. No backup was made.', (signal) =>
    takeBackup(context, { ...options, signal }),
  );
  return answer(context, asked, (taken) => backupText(taken, context.io.columns));
}

function backupText(taken: TakenBackup, columns: number): string {
  const { output, sizeBytes, entries, withKey, digest } = taken;
  const key = withKey
    ? 'It holds the ledger’s signing key: whoever reads it can sign in the ledger’s name.'
    : 'The ledger’s signing key is not in it: keep a copy of the key, or take backups with --with-key.';
  const size = `${(sizeBytes / 1e6).toFixed(1)} MB`;
  return [
    wrap(`Wrote ${plainLine(output)}: ${size}, ${entries} ledger entries.`, columns),
    fields([['Digest', digest]], columns),
    wrap(`${key} Keep the backup on another machine. "hone restore FILE" puts it back.`, columns),
  ].join('');
}
