/** Whose results were checked, and which tasks are open. */
import type { Migration } from './types.ts';

/** Refusals in a row are counted for each sub-agent of a task; empty where the worker speaks itself. */
const COLUMN = `
ALTER TABLE claim_checks ADD COLUMN agent TEXT NOT NULL DEFAULT '';
`;

/**
 * When a task last made progress is no longer in an index: every transition moved it there, a page of each commit on SQLite,
 * and on PostgreSQL a new row in every index of the table. Who looks for stalled tasks reads those that are open.
 */
const OPEN_TASKS = `
DROP INDEX process_tasks_state;
CREATE INDEX process_tasks_open ON process_tasks (id) WHERE state = 'open';
`;

export const agentsAtWork: Migration = {
  id: 40,
  name: 'agents-at-work',
  breaking: false,
  sqlite: COLUMN + OPEN_TASKS,
  postgres: COLUMN + OPEN_TASKS,
};
