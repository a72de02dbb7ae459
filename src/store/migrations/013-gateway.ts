/** What the gateway asks people, which definitions of tools are pinned, and what a session did. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE gateway_asks (
  id TEXT PRIMARY KEY,
  subject TEXT NOT NULL,
  session_id TEXT,
  task_id TEXT,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  call_digest TEXT NOT NULL,
  why TEXT NOT NULL,
  shown TEXT NOT NULL,
  state TEXT NOT NULL,
  asked_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  answered_by TEXT,
  verified TEXT,
  answered_at_ms INTEGER
);
CREATE INDEX gateway_asks_call ON gateway_asks (call_digest);
CREATE TABLE gateway_pins (
  name TEXT PRIMARY KEY,
  definition_digest TEXT NOT NULL,
  pinned_at_ms INTEGER NOT NULL,
  offered_digest TEXT
);
CREATE TABLE gateway_marks (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  mark TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
`;

export const gateway: Migration = {
  id: 13,
  name: 'gateway',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT'),
};
