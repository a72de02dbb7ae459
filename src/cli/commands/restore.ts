/** `hone restore`: puts a backup in place of the installation. */
import { restoreBackup } from '../../app/restore.ts';
import type { RestoredBackup } from '../../contracts/backup.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { interruptible } from '../interruptible.ts';
import { plainLine } from '../io.ts';
import { wrap } from '../layout.ts';

export function restore(
  context: Context,
  file: string,
  { replace }: { replace: boolean },
): Promise<number> {
  const asked = interruptible('Interrupted. Nothing was changed.', (signal) =>
    restoreBackup(context, file, { replace, signal }),
  );
  return answer(context, asked, (restored) => restoredText(restored, context.io.columns));
}

const KEY_WORDS: Readonly<Record<RestoredBackup['key'], string | null>> = {
  usable: null,
  missing:
    'There is no signing key here. Copy ledger.key from the machine that had it, or run "hone init", which on SQLite makes a new one and records that.',
  other:
    'The key here is not the one the restored ledger names. Put the right ledger.key into the state folder.',
};

function restoredText(shown: RestoredBackup, columns: number): string {
  const { recordedSince, witnessedSize: witnessed } = shown;
  const lost =
    recordedSince === null || recordedSince === 0
      ? []
      : [
          `${recordedSince} entries were recorded after the backup. They are only in the copy that was kept.`,
        ];
  const seen =
    witnessed === null
      ? []
      : [
          `The witness file has a checkpoint of ${witnessed} entries: from now on "hone ledger verify" rightly reports that the ledger is shorter or another one. Keep that file with the copy that was kept, and start a new one (ledger.witnessFile).`,
        ];
  return [
    `Restored the backup of ${shown.takenAt}: ${shown.entries} ledger entries.`,
    ...(shown.kept === null ? [] : [`What was here is kept: ${plainLine(shown.kept)}`]),
    ...lost,
    ...seen,
    ...(shown.uncertain === 0
      ? []
      : [
          `${shown.uncertain} effects may have been sent since then and are uncertain: see "hone outbox list".`,
        ]),
    ...(KEY_WORDS[shown.key] === null ? [] : [KEY_WORDS[shown.key]!]),
    'Tokens that were revoked after the backup are valid again: see "hone token list".',
    'Everything automatic is stopped. Look at "hone doctor", "hone status" and "hone ledger verify", then "hone resume".',
  ]
    .map((line) => wrap(line, columns))
    .join('');
}
