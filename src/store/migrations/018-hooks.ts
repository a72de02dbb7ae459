/** The hooks of coding agents: whether they are installed, and what the last probe found. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE gateway_hooks (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  place TEXT NOT NULL,
  state TEXT,
  changed_at_ms INTEGER,
  verdict TEXT,
  why TEXT,
  probed_at_ms INTEGER
);
`;

export const hooks: Migration = {
  id: 18,
  name: 'hooks',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT'),
};
