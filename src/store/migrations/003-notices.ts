/** News that can wait, until a schedule sends them in one batch. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE notify_pending (
  key TEXT PRIMARY KEY,
  recipient TEXT NOT NULL,
  severity TEXT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE INDEX notify_pending_severity ON notify_pending (severity, at_ms);
`;

export const notices: Migration = {
  id: 3,
  name: 'notices',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT'),
};
