/**
 * What tells a copy of a file from another file (the bytes right before where reading stopped), the number
 * of a line, what each source brought, and the key that keeps changed session ids apart. A build that does
 * not know it may go on: a cursor that it moved has another `tail_at` than `byte_offset`, and counts as one
 * without a tail. What it brings is then missing in `observe_sources`, and only there.
 */
import type { Migration } from './types.ts';

const CHANGES = `
ALTER TABLE observe_cursors ADD COLUMN tail TEXT NOT NULL DEFAULT '';
ALTER TABLE observe_cursors ADD COLUMN tail_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observe_cursors ADD COLUMN tail_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observe_cursors ADD COLUMN lines INTEGER;
CREATE INDEX observe_cursors_head ON observe_cursors (source, head);
ALTER TABLE observe_aside ADD COLUMN line INTEGER;
CREATE TABLE observe_sources (
  source TEXT PRIMARY KEY,
  events INTEGER NOT NULL,
  aside INTEGER NOT NULL,
  last_event_ms INTEGER,
  last_read_ms INTEGER NOT NULL
);
CREATE TABLE observe_session_key (
  id INTEGER PRIMARY KEY,
  secret TEXT NOT NULL
);
INSERT INTO observe_sources (source, events, aside, last_event_ms, last_read_ms)
SELECT c.source,
  (SELECT COUNT(*) FROM observe_events e WHERE e.source = c.source),
  (SELECT COUNT(*) FROM observe_aside a WHERE a.source = c.source),
  (SELECT MAX(e.at_ms) FROM observe_events e WHERE e.source = c.source),
  MAX(c.read_at_ms)
FROM observe_cursors c GROUP BY c.source;
`;

export const rotation: Migration = {
  id: 1002,
  name: 'rotation',
  breaking: false,
  sqlite: CHANGES.replaceAll('\n);', '\n) STRICT;'),
  postgres: CHANGES.replaceAll(' INTEGER', ' BIGINT'),
};
