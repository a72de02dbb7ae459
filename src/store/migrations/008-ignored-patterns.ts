/** Patterns that people want to hear nothing more of. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE diagnose_ignored (
  pattern_id TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
`;

export const ignoredPatterns: Migration = {
  id: 8,
  name: 'ignored-patterns',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT'),
};
