/** Stores and plans for measuring: a change as rooms make it, and the bare INSERT beside it. */

import assert from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CleanText } from '../../src/base/index.ts';
import type { EntryDraft } from '../../src/facts/index.ts';
import { entryWriter } from '../../src/ledger/index.ts';
import { effectWriter } from '../../src/outbox/index.ts';
import {
  type CommitResult,
  controlMigrations,
  openSqlite,
  type Plan,
  type Store,
} from '../../src/store/index.ts';

export const parts = { entries: entryWriter, effects: effectWriter };

export function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hone-bench-'));
  return work(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

export function openFile(folder: string): Promise<Store> {
  return openSqlite({
    path: join(folder, 'control.db'),
    synchronous: 'full',
    migrations: controlMigrations,
    parts,
  });
}

/** A refused commit writes nothing: its time says nothing about committing. */
export function assertCommitted(result: CommitResult): void {
  assert(result.committed, `a measured commit was refused: ${JSON.stringify(result)}`);
}

const REASON = 'r'.repeat(200);

export function entry(number: number): EntryDraft {
  return {
    type: 'proposal.advanced',
    actor: { kind: 'system', id: 'hone', verified: 'local' },
    subject: `proposal:p_${number % 500}`,
    data: {
      from: 'draft',
      to: 'vetted',
      contentDigest: `sha256:${'0'.repeat(64)}`,
      reason: `${number} ${REASON}` as CleanText,
    },
  };
}

/** State change, entry and effect, with the expectation that guards them: what a room commits. */
export function change(number: number, version: number): Plan {
  const id = `p_${number % 500}`;
  const where = { id, version };
  return {
    expect: [{ table: 'proposal_proposals', where }],
    writes: [
      {
        update: 'proposal_proposals',
        where,
        set: { state: 'vetted', version: version + 1, changed_at_ms: number },
      },
    ],
    entries: [entry(number)],
    effects: [
      {
        key: `k${number}`,
        destination: 'webhook',
        step: 'notify',
        payload: { proposal: id, text: REASON.slice(0, 100) },
      },
    ],
  };
}

/** The rows that `change` expects. */
export function proposals(): Plan {
  return {
    writes: Array.from({ length: 500 }, (_, at) => ({
      insert: 'proposal_proposals',
      row: {
        id: `p_${at}`,
        version: 0,
        state: 'draft',
        digest: 'd',
        title: 'a title of usual length for a proposal',
        created_at_ms: 0,
        changed_at_ms: 0,
      },
    })),
  };
}

/** As many bytes as an entry's row has. */
export const ROW_BYTES = Buffer.alloc(560, 'x').toString();

/** A table with nothing but the bytes, in the same mode and folder. */
export function bareInsert(folder: string): { insert: () => void; close: () => void } {
  const database = new DatabaseSync(join(folder, 'bare.db'), { timeout: 0 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE bare (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const statement = database.prepare('INSERT INTO bare (body) VALUES (?)');
  return { insert: () => void statement.run(ROW_BYTES), close: () => database.close() };
}
