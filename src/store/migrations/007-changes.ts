/**
 * What is known of a change after its close watch: how long it is on probation, what it brought, and whether its rollback
 * is proposed.
 */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE monitor_changes (
  proposal_id TEXT PRIMARY KEY,
  from_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  ended_at_ms INTEGER,
  measured TEXT,
  benefit REAL,
  benefit_low REAL,
  benefit_high REAL,
  rollback_why TEXT,
  rollback_since_ms INTEGER
);
`;

export const changes: Migration = {
  id: 7,
  name: 'changes',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT').replaceAll(' REAL', ' DOUBLE PRECISION'),
};
