/** What asks for a cycle, until one has looked at it. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE loop_triggers (
  key TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  urgency TEXT NOT NULL,
  detail TEXT NOT NULL,
  times INTEGER NOT NULL,
  first_at_ms INTEGER NOT NULL,
  last_at_ms INTEGER NOT NULL,
  cycle_id TEXT,
  taken_at_ms INTEGER
);
`;

export const triggers: Migration = {
  id: 6,
  name: 'triggers',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT'),
};
