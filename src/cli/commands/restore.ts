/**
 * `hone restore`: puts a backup in place of the installation. A person does it; where there is an installation with
 * an operator, that operator: a backup brings back tokens that were revoked since, and weaker settings.
 */

import { type Opened, withOpened } from '../../app/context.ts';
import { databaseUrl } from '../../app/database-url.ts';
import { ledgerKey } from '../../app/ledger-key.ts';
import { operatorOf } from '../../app/operator-only.ts';
import { type Backup, openBackup, type Restored, restoreBackup } from '../../backup/index.ts';
import type { Actor } from '../../facts/index.ts';
import { type Accepted, type Home, hasKey, readAccepted } from '../../home/index.ts';
import { knownRoot, LedgerView, parseVerifier, recordedKeys } from '../../ledger/index.ts';
import type { HoneConfig } from '../../loop/index.ts';
import type { Context } from '../context.ts';
import { interruptible } from '../interruptible.ts';
import { plainLine, present, refuse } from '../io.ts';
import { wrap } from '../layout.ts';

export async function restore(
  context: Context,
  file: string,
  options: { replace: boolean },
): Promise<number> {
  const { io } = context;
  const home = context.home();
  await using backup = await openBackup(file);
  const config = await configOf(home, backup);
  if (config === undefined) {
    return refuse(io, `${file} has no accepted configuration, and there is none here.`);
  }
  const before = await lookBefore(context, config);
  if ('refused' in before) return refuse(io, before.refused);
  const restored = await interruptible((signal) =>
    restoreBackup({
      home,
      backup,
      databaseUrl: databaseUrl(context, config),
      actor: before.actor,
      replace: options.replace,
      clock: context.clock,
      random: context.random,
      signal,
      onProgress: (text) => io.progress(text),
    }),
  );
  io.progressDone();
  if (restored === 'interrupted') return refuse(io, 'Interrupted. Nothing was changed.');
  const result = await lookAfter(context, { backup, restored, sizeBefore: before.size });
  present(io, result, (shown) => restoredText(shown, io.columns));
  return 0;
}

/** What is accepted here says where the store is; on a new machine the backup does. */
async function configOf(home: Home, backup: Backup): Promise<HoneConfig | undefined> {
  try {
    const accepted = readAccepted<HoneConfig>(home);
    if (accepted !== undefined) return accepted.config;
  } catch {
    // A damaged one is what a restore is for.
  }
  if (!backup.has('accepted.json')) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of backup.read('accepted.json')) chunks.push(chunk);
  return (JSON.parse(Buffer.concat(chunks).toString()) as Accepted<HoneConfig>).config;
}

interface Before {
  readonly actor: Actor;
  /** Entries of the ledger that is replaced; null where there is none that can be read. */
  readonly size: number | null;
}

async function lookBefore(
  context: Context,
  config: HoneConfig,
): Promise<Before | { readonly refused: string }> {
  const actor = await context.actor(config.identity.agents);
  if (actor.kind !== 'human') {
    return { refused: `${actor.id} is an agent, and only a person restores a backup.` };
  }
  let opened: Opened;
  try {
    opened = await context.open();
  } catch {
    return { actor, size: null }; // none, or one that cannot be opened: nobody to ask
  }
  try {
    const who = await operatorOf(context, opened);
    if ('refused' in who) return who;
    await opened.placePending();
    return { actor: who.actor, size: await new LedgerView(opened.store).size() };
  } finally {
    await opened.close();
  }
}

interface Shown {
  readonly digest: string;
  readonly takenAt: string;
  readonly entries: number;
  readonly uncertain: number;
  readonly kept: string | null;
  readonly key: 'usable' | 'missing' | 'other';
  /** Entries recorded here after the backup, which the restored ledger does not have. */
  readonly recordedSince: number | null;
  /** The largest size that the witness vouches for beyond the backup. */
  readonly witnessedSize: number | null;
}

async function lookAfter(
  context: Context,
  {
    backup,
    restored,
    sizeBefore,
  }: { backup: Backup; restored: Restored; sizeBefore: number | null },
): Promise<Shown> {
  const { takenAt, ledger } = backup.manifest;
  const found = await withOpened(context, async (opened) => ({
    key: await keyState(opened),
    witnessedSize: await witnessedSize(opened, ledger.size),
  }));
  return {
    digest: restored.digest,
    takenAt,
    entries: ledger.size,
    uncertain: restored.uncertain,
    kept: restored.kept,
    recordedSince: sizeBefore === null ? null : Math.max(0, sizeBefore - ledger.size),
    ...found,
  };
}

async function keyState({ store, home }: Opened): Promise<Shown['key']> {
  if (!hasKey(home)) return 'missing';
  return ledgerKey(store, home).then(
    () => 'usable' as const,
    () => 'other' as const,
  );
}

async function witnessedSize({ store, witness }: Opened, size: number): Promise<number | null> {
  const notes = (await witness?.read().catch(() => [])) ?? [];
  const verifiers = (await recordedKeys(store)).map(parseVerifier);
  const sizes = notes.flatMap((note) => {
    const known = knownRoot(note, 'the witness', verifiers);
    return known.ok ? known.roots.map((root) => root.size) : [];
  });
  const largest = Math.max(0, ...sizes);
  return largest > size ? largest : null;
}

const KEY_WORDS: Readonly<Record<Shown['key'], string | null>> = {
  usable: null,
  missing:
    'There is no signing key here. Copy ledger.key from the machine that had it, or run "hone init", which on SQLite makes a new one and records that.',
  other:
    'The key here is not the one that the restored ledger names: put the right ledger.key into the state folder.',
};

function restoredText(shown: Shown, columns: number): string {
  const { recordedSince, witnessedSize: witnessed } = shown;
  const lost =
    recordedSince === null || recordedSince === 0
      ? []
      : [
          `${recordedSince} entries were recorded after the backup. They are only in what was kept.`,
        ];
  const seen =
    witnessed === null
      ? []
      : [
          `The witness file has a checkpoint of ${witnessed} entries: "hone ledger verify" says from now on that the ledger is shorter or another one, and it is right. Keep that file with what was kept, and begin a new one (ledger.witnessFile).`,
        ];
  return [
    `Restored the backup of ${shown.takenAt}: ${shown.entries} ledger entries.`,
    ...(shown.kept === null ? [] : [`What was here is kept: ${plainLine(shown.kept)}`]),
    ...lost,
    ...seen,
    ...(shown.uncertain === 0
      ? []
      : [
          `${shown.uncertain} effects may have been sent since and are uncertain: "hone outbox list".`,
        ]),
    ...(KEY_WORDS[shown.key] === null ? [] : [KEY_WORDS[shown.key]!]),
    'Tokens that were revoked after the backup are valid again: see "hone token list".',
    'Everything automatic is stopped. Look at "hone doctor", "hone status" and "hone ledger verify", then "hone resume".',
  ]
    .map((line) => wrap(line, columns))
    .join('');
}
