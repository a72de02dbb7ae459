/** Files that are read once, into a store in memory: nothing is set up, and nothing stays. */
import { nodeSourceFiles } from '../observe/index.ts';
import { openSqlite, type Store, telemetryMigrations } from '../store/index.ts';
import type { AppContext } from './context.ts';

export interface PassingLook {
  readonly store: Store;
  readonly files: ReturnType<typeof nodeSourceFiles>;
}

export async function withPassingLook<T>(
  { clock, random, cwd }: AppContext,
  work: (look: PassingLook) => Promise<T>,
): Promise<T> {
  const store = await openSqlite({
    path: ':memory:',
    synchronous: 'off',
    migrations: telemetryMigrations,
    clock,
    random,
  });
  try {
    // Nothing continues where it ends, so a last line needs no line break.
    await using files = nodeSourceFiles(cwd, { isFinal: true });
    return await work({ store, files });
  } finally {
    await store.close();
  }
}
