/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { checkedOutByFiles } from './checked-out.ts';
export { readPlainFile } from './plain-files.ts';
