/** Patterns that people say are one failure. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE diagnose_merged (
  pattern_id TEXT PRIMARY KEY,
  into_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
`;

export const mergedPatterns: Migration = {
  id: 35,
  name: 'merged-patterns',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT'),
};
