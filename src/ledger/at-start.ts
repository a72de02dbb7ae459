/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { foldRows, type StoredRow, sameRows } from './fold-rows.ts';
export { CONFIG_SUBJECT, newestState, TOKENS_SUBJECT, tokenEntries } from './newest-state.ts';
export { recordedTimes } from './recorded-times.ts';
