/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { checkedOutByFiles } from './checked-out.ts';
export { readPlainFile } from './plain-files.ts';
