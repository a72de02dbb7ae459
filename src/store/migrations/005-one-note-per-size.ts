/**
 * A checkpoint stays what it was. On SQLite `INSERT OR REPLACE` deletes the row in its way without asking the
 * triggers on DELETE and UPDATE, so the one on INSERT has to refuse; entries are safe, because theirs refuses
 * every place but the next. On PostgreSQL what replaces a row is an UPDATE, which is refused already. A build
 * that does not know it may go on: it never writes another note for a size that has one.
 */
import type { Migration } from './types.ts';

export const oneNotePerSize: Migration = {
  id: 5,
  name: 'one note per size',
  breaking: false,

  sqlite: `
DROP TRIGGER ledger_checkpoints_grow;
CREATE TRIGGER ledger_checkpoints_grow BEFORE INSERT ON ledger_checkpoints
  WHEN NEW.size < (SELECT coalesce(max(size), -1) FROM ledger_checkpoints)
    OR EXISTS (SELECT 1 FROM ledger_checkpoints WHERE size = NEW.size AND note IS NOT NEW.note)
  BEGIN SELECT raise(ABORT, 'checkpoints only grow'); END;
`,

  postgres: 'SELECT 1',
};
