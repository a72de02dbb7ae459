/** One file with all of an installation, taken while it runs. */
import { stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { takeBackup as take } from '../backup/index.ts';
import { isoTime } from '../base/index.ts';
import type { TakenBackup } from '../contracts/backup.ts';
import { type Home, makePrivateFolder, whatIsInTheWay } from '../home/index.ts';
import { type AppContext, withLedger } from './context.ts';
import { databaseUrl } from './database-url.ts';
import { type Refusal, usage } from './refusal.ts';

export function takeBackup(
  context: AppContext,
  input: { readonly output?: string; readonly withKey: boolean; readonly signal: AbortSignal },
): Promise<TakenBackup | Refusal> {
  // Opened for its checks, and to place waiting entries; the copies are taken separately.
  return withLedger(context, async ({ home, config }): Promise<TakenBackup | Refusal> => {
    const nowMs = context.clock.nowMs();
    const output = await outputPath(home, input.output, isoTime(nowMs));
    const wrong = insideRepository(home, output) ?? (await whatIsInTheWay(output));
    if (wrong !== undefined) return usage(wrong);
    const taken = await take({
      home,
      output,
      databaseUrl: databaseUrl(context, config),
      build: context.build,
      nowMs,
      withKey: input.withKey,
      signal: input.signal,
      onProgress: (text) => context.progress(text),
    });
    if ('refused' in taken) return usage(taken.refused);
    const { ledger, ...rest } = taken;
    return { output, ...rest, entries: ledger.size, root: ledger.root };
  });
}

/** Without a path, in the state folder; for a folder, under a new name in it. */
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
  return `${output} is in the repository, where agents work and commit. Choose a path outside it.`;
}
