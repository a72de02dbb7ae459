/** The ground: ledger, artifacts, leases, outbox, identity, policy, proposals, schedules, config. */
import type { Migration } from './types.ts';

export const foundation: Migration = {
  id: 1,
  name: 'foundation',
  breaking: false,

  sqlite: `
CREATE TABLE ledger_entries (
  idx INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  hashes BLOB NOT NULL
) STRICT;
CREATE INDEX ledger_entries_subject ON ledger_entries (subject, idx);
CREATE TRIGGER ledger_entries_dense BEFORE INSERT ON ledger_entries
  WHEN NEW.idx IS NOT (SELECT coalesce(max(idx), -1) + 1 FROM ledger_entries)
  BEGIN SELECT raise(ABORT, 'the ledger only grows at its end'); END;
CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
  BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
  BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;

CREATE TABLE ledger_checkpoints (
  size INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;
CREATE TRIGGER ledger_checkpoints_grow BEFORE INSERT ON ledger_checkpoints
  WHEN NEW.size < (SELECT coalesce(max(size), -1) FROM ledger_checkpoints)
  BEGIN SELECT raise(ABORT, 'checkpoints only grow'); END;
CREATE TRIGGER ledger_checkpoints_no_update BEFORE UPDATE ON ledger_checkpoints
  BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_checkpoints_no_delete BEFORE DELETE ON ledger_checkpoints
  BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;

CREATE TABLE ledger_cursors (
  consumer TEXT PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Tables that a rebuild is making anew, inside its transaction; always empty outside of one.
CREATE TABLE ledger_rebuilds (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE artifact_blobs (
  digest TEXT PRIMARY KEY,
  media_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  content BLOB NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE lease_leases (
  name TEXT PRIMARY KEY,
  token INTEGER NOT NULL,
  holder TEXT,
  expires_at_ms INTEGER NOT NULL,
  ttl_ms INTEGER NOT NULL,
  contended INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox_effects (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  destination TEXT NOT NULL,
  step TEXT NOT NULL,
  lane TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at_ms INTEGER NOT NULL,
  payload TEXT NOT NULL,
  error TEXT,
  result TEXT,
  changed_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_effects_open ON outbox_effects (destination, lane, id)
  WHERE state IN ('queued', 'sending');

CREATE TABLE identity_tokens (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  secret_hash TEXT NOT NULL UNIQUE,
  created_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE policy_switches (
  gate TEXT PRIMARY KEY,
  mode TEXT NOT NULL,
  reason TEXT NOT NULL,
  changed_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE policy_stops (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  stopped INTEGER NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  changed_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE proposal_proposals (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  digest TEXT NOT NULL,
  title TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_proposals_state ON proposal_proposals (state, changed_at_ms);

CREATE TABLE proposal_attestations (
  id TEXT PRIMARY KEY,
  proposal_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  content_digest TEXT NOT NULL,
  verdict TEXT NOT NULL,
  scope TEXT NOT NULL,
  artifacts TEXT NOT NULL,
  actor TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  UNIQUE (proposal_id, position)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER proposal_attestations_no_update BEFORE UPDATE ON proposal_attestations
  BEGIN SELECT raise(ABORT, 'attestations are only ever added'); END;
-- Only a rebuild from the ledger takes rows out, in the transaction that puts the right ones in.
CREATE TRIGGER proposal_attestations_no_delete BEFORE DELETE ON proposal_attestations
  WHEN NOT EXISTS (SELECT 1 FROM ledger_rebuilds WHERE name = 'proposal_attestations')
  BEGIN SELECT raise(ABORT, 'attestations are only ever added'); END;
-- INSERT OR REPLACE deletes the row in its way without asking the triggers above.
CREATE TRIGGER proposal_attestations_no_replace BEFORE INSERT ON proposal_attestations
  WHEN EXISTS (SELECT 1 FROM proposal_attestations WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM proposal_attestations
      WHERE proposal_id = NEW.proposal_id AND position = NEW.position)
  BEGIN SELECT raise(ABORT, 'attestations are only ever added'); END;

CREATE TABLE schedule_schedules (
  name TEXT PRIMARY KEY,
  next_due_ms INTEGER NOT NULL,
  cron TEXT NOT NULL,
  last_due_ms INTEGER,
  last_outcome TEXT,
  last_finished_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE config_pins (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  digest TEXT NOT NULL,
  accepted_at_ms INTEGER NOT NULL
) STRICT;
`,

  postgres: `
CREATE OR REPLACE FUNCTION store_expect(ok boolean, which integer) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT ok THEN RAISE EXCEPTION USING ERRCODE = 'HN001', MESSAGE = which::text; END IF;
  END $$;

CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  idx bigint UNIQUE,
  subject text NOT NULL,
  body text NOT NULL,
  hashes bytea
);
CREATE INDEX ledger_entries_subject ON ledger_entries (subject, idx);
CREATE INDEX ledger_entries_unplaced ON ledger_entries (id) WHERE idx IS NULL;
CREATE FUNCTION ledger_guard() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'ledger_entries' THEN
      -- The sequencer gives an entry its place once; nothing else of it ever changes.
      IF OLD.idx IS NULL AND NEW.idx IS NOT NULL AND NEW.hashes IS NOT NULL
        AND NEW.id = OLD.id AND NEW.subject = OLD.subject AND NEW.body = OLD.body THEN
        RETURN NEW;
      END IF;
    END IF;
    RAISE EXCEPTION 'the ledger is append-only';
  END $$;
CREATE TRIGGER ledger_entries_guard BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION ledger_guard();
CREATE TRIGGER ledger_entries_no_truncate BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_guard();

CREATE TABLE ledger_checkpoints (
  size bigint PRIMARY KEY,
  note text NOT NULL
);
CREATE FUNCTION ledger_growth() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.size < (SELECT coalesce(max(size), -1) FROM ledger_checkpoints) THEN
      RAISE EXCEPTION 'checkpoints only grow';
    END IF;
    RETURN NEW;
  END $$;
CREATE TRIGGER ledger_checkpoints_grow BEFORE INSERT ON ledger_checkpoints
  FOR EACH ROW EXECUTE FUNCTION ledger_growth();
CREATE TRIGGER ledger_checkpoints_guard BEFORE UPDATE OR DELETE ON ledger_checkpoints
  FOR EACH ROW EXECUTE FUNCTION ledger_guard();
CREATE TRIGGER ledger_checkpoints_no_truncate BEFORE TRUNCATE ON ledger_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_guard();

CREATE TABLE ledger_cursors (
  consumer text PRIMARY KEY,
  position bigint NOT NULL
);

-- Tables that a rebuild is making anew, inside its transaction; always empty outside of one.
CREATE TABLE ledger_rebuilds (
  name text PRIMARY KEY
);

CREATE TABLE artifact_blobs (
  digest text PRIMARY KEY,
  media_type text NOT NULL,
  size_bytes bigint NOT NULL,
  content bytea NOT NULL,
  created_at_ms bigint NOT NULL
);

CREATE TABLE lease_leases (
  name text PRIMARY KEY,
  token bigint NOT NULL,
  holder text,
  expires_at_ms bigint NOT NULL,
  ttl_ms bigint NOT NULL,
  contended bigint NOT NULL
);

CREATE TABLE outbox_effects (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE,
  destination text NOT NULL,
  step text NOT NULL,
  lane text NOT NULL,
  state text NOT NULL,
  attempts bigint NOT NULL,
  due_at_ms bigint NOT NULL,
  payload text NOT NULL,
  error text,
  result text,
  changed_at_ms bigint NOT NULL
);
CREATE INDEX outbox_effects_open ON outbox_effects (destination, lane, id)
  WHERE state IN ('queued', 'sending');

CREATE TABLE identity_tokens (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  role text NOT NULL,
  secret_hash text NOT NULL UNIQUE,
  created_at_ms bigint NOT NULL,
  revoked_at_ms bigint
);

CREATE TABLE policy_switches (
  gate text PRIMARY KEY,
  mode text NOT NULL,
  reason text NOT NULL,
  changed_at_ms bigint NOT NULL
);

CREATE TABLE policy_stops (
  id bigint PRIMARY KEY CHECK (id = 1),
  stopped bigint NOT NULL,
  reason text NOT NULL,
  actor text NOT NULL,
  changed_at_ms bigint NOT NULL
);

CREATE TABLE proposal_proposals (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  state text NOT NULL,
  digest text NOT NULL,
  title text NOT NULL,
  created_at_ms bigint NOT NULL,
  changed_at_ms bigint NOT NULL
);
CREATE INDEX proposal_proposals_state ON proposal_proposals (state, changed_at_ms);

CREATE TABLE proposal_attestations (
  id text PRIMARY KEY,
  proposal_id text NOT NULL,
  position bigint NOT NULL,
  kind text NOT NULL,
  content_digest text NOT NULL,
  verdict text NOT NULL,
  scope text NOT NULL,
  artifacts text NOT NULL,
  actor text NOT NULL,
  at_ms bigint NOT NULL,
  UNIQUE (proposal_id, position)
);
CREATE FUNCTION proposal_guard() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- Only a rebuild from the ledger takes rows out, in the transaction that puts the right ones in.
    IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM ledger_rebuilds WHERE name = TG_TABLE_NAME) THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'attestations are only ever added';
  END $$;
CREATE TRIGGER proposal_attestations_guard BEFORE UPDATE OR DELETE ON proposal_attestations
  FOR EACH ROW EXECUTE FUNCTION proposal_guard();
CREATE TRIGGER proposal_attestations_no_truncate BEFORE TRUNCATE ON proposal_attestations
  FOR EACH STATEMENT EXECUTE FUNCTION proposal_guard();

CREATE TABLE schedule_schedules (
  name text PRIMARY KEY,
  next_due_ms bigint NOT NULL,
  cron text NOT NULL,
  last_due_ms bigint,
  last_outcome text,
  last_finished_ms bigint
);

CREATE TABLE config_pins (
  id bigint PRIMARY KEY CHECK (id = 1),
  digest text NOT NULL,
  accepted_at_ms bigint NOT NULL
);
`,
};
