/**
 * Tables whose rows are claimed (`Claim`): each has `id`, `token`, `holder`, `ready_at_ms` (when somebody may take the
 * row: its due time, or the end of the claim on it), `due_at_ms` and `changed_at_ms`. A restore takes every claim
 * back, and so has to know them all.
 */
export const CLAIMED_TABLES = ['loop_works'] as const;
