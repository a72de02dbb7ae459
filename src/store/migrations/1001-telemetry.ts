/**
 * Telemetry: events, what was counted of them, and where each source was left. A file of its own on
 * SQLite, where no control migration runs before it; the control database on PostgreSQL, where either
 * may come first, so it brings the function that expectations need along.
 */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE observe_positions (
  source TEXT NOT NULL,
  stream TEXT NOT NULL,
  batch INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (source, stream)
);

CREATE TABLE observe_marks (
  source TEXT NOT NULL,
  mark TEXT NOT NULL,
  stream TEXT NOT NULL,
  PRIMARY KEY (source, mark, stream)
);

CREATE TABLE observe_sources (
  source TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,
  batch INTEGER NOT NULL,
  events INTEGER NOT NULL,
  series INTEGER NOT NULL,
  aside INTEGER NOT NULL,
  folded INTEGER NOT NULL,
  sampled INTEGER NOT NULL,
  cost_ms REAL NOT NULL,
  observed_ms REAL NOT NULL,
  last_event_ms INTEGER,
  last_read_ms INTEGER NOT NULL
);

CREATE TABLE observe_series (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  task TEXT NOT NULL,
  variant TEXT NOT NULL,
  model TEXT NOT NULL,
  version TEXT NOT NULL,
  provider TEXT NOT NULL,
  error_code TEXT NOT NULL,
  template TEXT NOT NULL,
  source TEXT NOT NULL,
  ok INTEGER,
  created_ms INTEGER NOT NULL
);

CREATE TABLE observe_events (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  series INTEGER NOT NULL,
  session TEXT NOT NULL,
  body TEXT NOT NULL,
  sanitiser INTEGER NOT NULL,
  source TEXT NOT NULL,
  failed INTEGER NOT NULL
);
CREATE INDEX observe_events_failed ON observe_events (series, at_ms, session) WHERE failed = 1;

CREATE TABLE observe_event_hours (
  hour_ms INTEGER NOT NULL,
  block INTEGER NOT NULL,
  PRIMARY KEY (hour_ms, block)
);

CREATE TABLE observe_rollups (
  unit_ms INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  series INTEGER NOT NULL,
  events INTEGER NOT NULL,
  first_at_ms INTEGER NOT NULL,
  last_at_ms INTEGER NOT NULL,
  measured INTEGER NOT NULL,
  measure_sum REAL,
  measure_min REAL,
  measure_max REAL,
  PRIMARY KEY (unit_ms, at_ms, series)
);

CREATE TABLE observe_spent (
  unit_ms INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  series INTEGER NOT NULL,
  retries INTEGER,
  input_tokens REAL,
  output_tokens REAL,
  input_bytes REAL,
  output_bytes REAL,
  cost_usd REAL,
  PRIMARY KEY (unit_ms, at_ms, series)
);

CREATE TABLE observe_latencies (
  hour_ms INTEGER NOT NULL,
  series INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (hour_ms, series, bucket)
);

CREATE TABLE observe_activity (
  minute_ms INTEGER NOT NULL,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  failed INTEGER NOT NULL DEFAULT 0,
  corrected INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (minute_ms, agent, session)
);

CREATE TABLE observe_miner (
  source INTEGER PRIMARY KEY,
  batch INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  version INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  forgotten INTEGER NOT NULL
);

CREATE TABLE observe_miner_forms (
  source INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  form INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (source, generation, form)
);

CREATE TABLE observe_miner_aliases (
  source INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  form INTEGER NOT NULL,
  target INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  PRIMARY KEY (source, generation, form)
);

CREATE TABLE observe_aside (
  id INTEGER PRIMARY KEY,
  seen_at_ms INTEGER NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  text TEXT NOT NULL,
  source TEXT NOT NULL,
  file TEXT NOT NULL,
  byte_offset INTEGER NOT NULL,
  line INTEGER
);

CREATE TABLE observe_session_key (
  id INTEGER PRIMARY KEY,
  secret TEXT NOT NULL
);
`;

/** The same text as in the control migrations. */
const EXPECT = `
CREATE OR REPLACE FUNCTION store_expect(ok boolean, which integer) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT ok THEN RAISE EXCEPTION USING ERRCODE = 'HN001', MESSAGE = which::text; END IF;
  END $$;
`;

/** Their keys are all they are looked up by. */
const KEYED = /(PRIMARY KEY \([a-z_, ]+\))\n\);/g;

export const telemetry: Migration = {
  id: 1001,
  name: 'telemetry',
  breaking: false,
  sqlite: TABLES.replaceAll(KEYED, '$1\n) STRICT, WITHOUT ROWID;').replaceAll(
    '\n);',
    '\n) STRICT;',
  ),
  postgres:
    EXPECT + TABLES.replaceAll(' INTEGER', ' BIGINT').replaceAll(' REAL', ' DOUBLE PRECISION'),
};
