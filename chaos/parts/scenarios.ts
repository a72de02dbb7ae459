/**
 * Short, repeatable stretches of a store's life whose file-system calls are failed one by one:
 * making a database, committing alone and together, recovering a WAL, a commit that checkpoints, the
 * first commits into the WAL after it, closing.
 */
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AUTOCHECKPOINT_PAGES } from '../../src/store/sqlite/database.ts';
import { changePlan, openChanges } from './changes.ts';

export interface Scenario {
  readonly name: string;
  readonly bursts: readonly number[];
  /** A folder with `control.db` and its WAL, to start from. */
  readonly template?: string;
  /** Which of its calls are failed: all, or those after the store was opened. */
  readonly from: 'start' | 'open';
}

const DATABASE = 'control.db';
const FILES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-journal`, `${DATABASE}-shm`];
const FRAME_BYTES = 4096 + 24;
/** One or two commits below where a commit also checkpoints. */
const NEARLY_FULL_FRAMES = AUTOCHECKPOINT_PAGES - 10;

export async function makeScenarios(folder: string): Promise<Scenario[]> {
  const short = await makeTemplate(join(folder, 'short'), 6 * FRAME_BYTES);
  const nearlyFull = await makeTemplate(join(folder, 'full'), NEARLY_FULL_FRAMES * FRAME_BYTES);
  return [
    { name: 'new', bursts: [1, 3, 1], from: 'start' },
    { name: 'recovery', bursts: [1], from: 'start', template: short },
    { name: 'checkpoint', bursts: [1, 1, 1, 1], from: 'open', template: nearlyFull },
  ];
}

/** A database whose WAL has at least this size, as a process that was killed leaves it. */
async function makeTemplate(folder: string, walBytes: number): Promise<string> {
  const path = join(folder, 'live', DATABASE);
  // Closing empties the WAL, so that the template's holds changes only, not the schema.
  await (await openChanges(path)).close();
  const store = await openChanges(path);
  for (let number = 1; number === 1 || statSync(`${path}-wal`).size < walBytes; number++)
    await store.commit(changePlan('template', number));
  for (const file of [DATABASE, `${DATABASE}-wal`])
    copyFileSync(join(folder, 'live', file), join(folder, file));
  await store.close();
  return folder;
}

/** Where one run of a scenario happens. */
export interface Place {
  readonly path: string;
  readonly said: string;
  /** The files and folders whose calls count. */
  readonly watched: readonly string[];
}

export function preparePlace(folder: string, { template }: Scenario): Place {
  const state = join(folder, 'state');
  mkdirSync(template === undefined ? folder : state, { recursive: true });
  if (template !== undefined)
    for (const file of [DATABASE, `${DATABASE}-wal`])
      copyFileSync(join(template, file), join(state, file));
  const watched = [folder, state, ...FILES.map((file) => join(state, file))];
  return { path: join(state, DATABASE), said: join(folder, 'said'), watched };
}
