/** `hone backup`: one file with all of an installation, taken while it runs. */
import { stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { withLedger } from '../../app/context.ts';
import { databaseUrl } from '../../app/database-url.ts';
import { megabytes, type Taken, takeBackup } from '../../backup/index.ts';
import { isoTime } from '../../base/index.ts';
import { type Home, makePrivateFolder, whatIsInTheWay } from '../../home/index.ts';
import type { Context } from '../context.ts';
import { interruptible } from '../interruptible.ts';
import { plainLine, present, refuse } from '../io.ts';
import { fields, wrap } from '../layout.ts';

interface BackupCommand {
  readonly output?: string;
  readonly withKey: boolean;
}

export function backup(context: Context, options: BackupCommand): Promise<number> {
  const { io } = context;
  // Opened for its checks, and so that no entry waits for its place; the copies are taken beside it.
  return withLedger(context, async ({ home, config }) => {
    const nowMs = context.clock.nowMs();
    const output = await outputPath(home, options.output, isoTime(nowMs));
    const wrong = insideRepository(home, output) ?? (await whatIsInTheWay(output));
    if (wrong !== undefined) return refuse(io, wrong, 2);
    const taken = await interruptible((signal) =>
      takeBackup({
        home,
        output,
        databaseUrl: databaseUrl(context, config),
        build: context.build,
        nowMs,
        withKey: options.withKey,
        signal,
        onProgress: (text) => io.progress(text),
      }),
    );
    io.progressDone();
    if (taken === 'interrupted') return refuse(io, 'Interrupted. No backup was made.');
    if ('refused' in taken) return refuse(io, taken.refused, 2);
    const { ledger, ...rest } = taken;
    const result = { output, ...rest, entries: ledger.size, root: ledger.root };
    present(io, result, () => backupText(output, taken, io.columns));
    return 0;
  });
}

/** Without a place, in the state folder; in a folder, under a name of its own. */
async function outputPath(home: Home, output: string | undefined, at: string): Promise<string> {
  const name = `hone-${home.id}-${at.replace(/[-:]|\.\d+/g, '')}.backup`;
  if (output === undefined) {
    const folder = join(home.stateDir, 'backups');
    makePrivateFolder(folder);
    return join(folder, name);
  }
  const path = resolve(output);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  return isFolder ? join(path, name) : path;
}

/** It holds all that the store does, and agents work in the repository. */
function insideRepository({ root }: Home, output: string): string | undefined {
  if (!output.startsWith(root + sep)) return undefined;
  return `${output} is in the repository, where agents work and commits are made. Give a place outside of it.`;
}

function backupText(
  output: string,
  { sizeBytes, ledger, withKey, digest }: Taken,
  columns: number,
): string {
  const key = withKey
    ? 'It holds the ledger’s signing key: whoever reads it can sign in the ledger’s name.'
    : 'The ledger’s signing key is not in it: keep a copy of the key, or take backups with --with-key.';
  return [
    wrap(
      `Wrote ${plainLine(output)}: ${megabytes(sizeBytes)}, ${ledger.size} ledger entries.`,
      columns,
    ),
    fields([['Digest', digest]], columns),
    wrap(`${key} Keep the backup on another machine. "hone restore FILE" puts it back.`, columns),
  ].join('');
}
