/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { foldRows, type StoredRow, sameRows } from './fold-rows.ts';
export {
  AUTOMATIC_SUBJECT,
  CONFIG_SUBJECT,
  newestState,
  TOKENS_SUBJECT,
  tokenEntries,
} from './newest-state.ts';
export { recordedTimes } from './recorded-times.ts';
