/** What agents submitted, each with its number among those of its agent, kind and day. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE vet_submissions (
  id TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  kind TEXT NOT NULL,
  day TEXT NOT NULL,
  number INTEGER NOT NULL,
  content_digest TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE INDEX vet_submissions_agent ON vet_submissions (agent, kind, day, number);
`;

export const submissions: Migration = {
  id: 15,
  name: 'submissions',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT'),
};
