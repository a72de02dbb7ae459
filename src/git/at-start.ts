/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
import type { ProcessOrder } from './start-process.ts';

export { checkedOutByFiles } from './checked-out.ts';
export { readPlainFile } from './plain-files.ts';

/** Loaded by those who start a process. */
export const runToEnd = async (order: ProcessOrder) =>
  (await import('./start-process.ts')).runToEnd(order);
