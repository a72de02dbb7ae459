/** The rooms of the loop: patterns, deployments, watches, what was learnt, cycles, open work. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE diagnose_patterns (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  pattern_digest TEXT NOT NULL,
  cycle_id TEXT NOT NULL,
  occurrences INTEGER NOT NULL,
  score REAL NOT NULL,
  layer TEXT NOT NULL,
  first_at_ms INTEGER NOT NULL,
  last_at_ms INTEGER NOT NULL,
  found_at_ms INTEGER NOT NULL
);

CREATE TABLE deploy_deployments (
  proposal_id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  forge TEXT NOT NULL,
  branch TEXT NOT NULL,
  patch_branch TEXT NOT NULL,
  base_commit TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  backup_ref TEXT NOT NULL,
  revert_onto TEXT,
  revert_commit TEXT,
  changed_at_ms INTEGER NOT NULL
);

CREATE TABLE monitor_watches (
  proposal_id TEXT PRIMARY KEY,
  started_at_ms INTEGER NOT NULL,
  fast_until_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  baseline_digest TEXT NOT NULL
);

CREATE TABLE learn_fixes (
  proposal_id TEXT PRIMARY KEY,
  pattern_id TEXT,
  change_key TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  proposal_type TEXT NOT NULL,
  category TEXT NOT NULL,
  decided_at_ms INTEGER,
  at_ms INTEGER NOT NULL
);
CREATE INDEX learn_fixes_pattern ON learn_fixes (pattern_id, at_ms);
CREATE INDEX learn_fixes_at ON learn_fixes (at_ms);

CREATE TABLE learn_cycles (
  cycle_id TEXT PRIMARY KEY,
  patterns INTEGER NOT NULL,
  proposals INTEGER NOT NULL,
  lesson TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);

CREATE TABLE loop_cycles (
  id TEXT PRIMARY KEY,
  trigger_by TEXT NOT NULL,
  outcome TEXT,
  report_digest TEXT,
  patterns INTEGER NOT NULL,
  proposals INTEGER NOT NULL,
  active_ms INTEGER NOT NULL,
  started_at_ms INTEGER NOT NULL,
  finished_at_ms INTEGER
);
CREATE INDEX loop_cycles_started ON loop_cycles (started_at_ms);

CREATE TABLE loop_works (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  version INTEGER NOT NULL,
  step TEXT NOT NULL,
  urgency INTEGER NOT NULL,
  due_at_ms INTEGER,
  ready_at_ms INTEGER,
  token INTEGER NOT NULL,
  holder TEXT,
  attempts INTEGER NOT NULL,
  active_ms INTEGER NOT NULL,
  error TEXT,
  data TEXT NOT NULL,
  changed_at_ms INTEGER NOT NULL
);
CREATE INDEX loop_works_due ON loop_works (due_at_ms);
CREATE INDEX loop_works_ready ON loop_works (urgency, ready_at_ms, id) WHERE ready_at_ms IS NOT NULL;
CREATE INDEX loop_works_changed ON loop_works (changed_at_ms) WHERE due_at_ms IS NOT NULL;
`;

export const rooms: Migration = {
  id: 2,
  name: 'rooms',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT').replaceAll(' REAL', ' DOUBLE PRECISION'),
};
