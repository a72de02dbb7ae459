/** Tasks of agents at work: where each stands, the sessions that work on it, its evidence, and what its agents claimed. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE process_tasks (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  process TEXT NOT NULL,
  definition_digest TEXT NOT NULL,
  state TEXT NOT NULL,
  phase TEXT NOT NULL,
  round INTEGER NOT NULL,
  fresh_from TEXT NOT NULL,
  base_commit TEXT,
  current_commit TEXT,
  persona TEXT,
  worker TEXT NOT NULL,
  violations TEXT NOT NULL,
  escalated TEXT,
  escalated_why TEXT,
  progressed_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL
);
CREATE TABLE process_sessions (
  session_id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  worker TEXT NOT NULL,
  bound_at_ms INTEGER NOT NULL
);
CREATE TABLE evidence_items (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  origin TEXT NOT NULL,
  phase TEXT NOT NULL,
  round INTEGER NOT NULL,
  about_commit TEXT,
  is_valid INTEGER NOT NULL,
  problem TEXT,
  manifest_digest TEXT NOT NULL,
  actor TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE TABLE claim_checks (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  refused INTEGER NOT NULL,
  report_digest TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE TABLE prompt_attestations (
  task_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  files TEXT NOT NULL,
  PRIMARY KEY (task_id, version)
);
`;

const INDEXES = `
CREATE INDEX process_tasks_state ON process_tasks (state, progressed_at_ms);
CREATE INDEX evidence_items_task ON evidence_items (task_id, position);
CREATE INDEX claim_checks_task ON claim_checks (task_id, at_ms);
`;

export const tasks: Migration = {
  id: 12,
  name: 'tasks',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;') + INDEXES,
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT') + INDEXES,
};
