/**
 * Puts a backup in place of the installation. A person does it; where there is an installation with an operator,
 * that operator: a backup brings back tokens that were revoked since, and weaker settings.
 */
import {
  type Backup,
  openBackup,
  type Restored,
  restoreBackup as restore,
} from '../backup/index.ts';
import type { RestoredBackup } from '../contracts/backup.ts';
import type { Actor } from '../facts/index.ts';
import { type Accepted, type Home, hasKey, readAccepted } from '../home/index.ts';
import { knownRoot, LedgerView, parseVerifier, recordedKeys } from '../ledger/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import { databaseUrl } from './database-url.ts';
import { ledgerKey } from './ledger-key.ts';
import type { Refusal } from './refusal.ts';

export async function restoreBackup(
  context: AppContext,
  file: string,
  { replace, signal }: { readonly replace: boolean; readonly signal: AbortSignal },
): Promise<RestoredBackup | Refusal> {
  const home = context.home();
  await using backup = await openBackup(file);
  const config = await configOf(home, backup);
  if (config === undefined) {
    return { refused: `${file} has no accepted configuration, and there is none here.` };
  }
  const before = await lookBefore(context, config);
  if ('refused' in before) return before;
  const restored = await restore({
    home,
    backup,
    databaseUrl: databaseUrl(context, config),
    actor: before.actor,
    replace,
    clock: context.clock,
    random: context.random,
    signal,
    onProgress: (text) => context.progress(text),
  });
  return lookAfter(context, { backup, restored, sizeBefore: before.size });
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

async function lookBefore(context: AppContext, config: HoneConfig): Promise<Before | Refusal> {
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
    const who = await authorise(context, opened, { action: 'restore' });
    if ('refused' in who) return who;
    await opened.placePending();
    return { actor: who.actor, size: await new LedgerView(opened.store).size() };
  } finally {
    await opened.close();
  }
}

async function lookAfter(
  context: AppContext,
  {
    backup,
    restored,
    sizeBefore,
  }: { backup: Backup; restored: Restored; sizeBefore: number | null },
): Promise<RestoredBackup> {
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

async function keyState({ store, home }: Opened): Promise<RestoredBackup['key']> {
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
