/** The room's table from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { SUBMISSIONS, submittedWrite } from './submission-store.ts';

export const PROJECTED_TABLES = [SUBMISSIONS] as const;

export function projectEntry({ type, data, at }: Entry): Write[] {
  if (type !== 'vet.submitted') return [];
  return [submittedWrite(data as EntryPayload<'vet.submitted'>, Date.parse(at))];
}
