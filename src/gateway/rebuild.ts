/** The room's tables from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { ASKS, answeredWrite, askedWrite, usedWrite } from './ask-store.ts';
import { HOOKS, hooksWrite } from './hook-store.ts';
import { MARKS, markedWrite } from './mark-store.ts';
import { offeredWrite, PINS, pinnedWrite } from './pin-store.ts';

export const PROJECTED_TABLES = [ASKS, PINS, MARKS, HOOKS] as const;

export function projectEntry(entry: Entry): Write[] {
  const atMs = Date.parse(entry.at);
  const { data, subject, actor } = entry;
  switch (entry.type) {
    case 'gateway.asked':
      return [askedWrite(subject, data as EntryPayload<'gateway.asked'>, atMs)];
    case 'gateway.answered':
      return [answeredWrite(data as EntryPayload<'gateway.answered'>, actor, atMs)];
    case 'gateway.approval_used':
      return [usedWrite((data as EntryPayload<'gateway.approval_used'>).askId)];
    case 'gateway.marked':
      return [markedWrite(data as EntryPayload<'gateway.marked'>, atMs)];
    case 'gateway.tool_pinned':
    case 'gateway.tool_accepted': {
      const { tool, definitionDigest } = data as EntryPayload<'gateway.tool_pinned'>;
      return [pinnedWrite(tool, definitionDigest, atMs)];
    }
    case 'gateway.tool_changed': {
      const { tool, offeredDigest } = data as EntryPayload<'gateway.tool_changed'>;
      return [offeredWrite(tool, offeredDigest)];
    }
    case 'gateway.hooks_installed':
    case 'gateway.hooks_removed':
    case 'gateway.hooks_probed':
      return [hooksWrite(entry.type, data as EntryPayload<typeof entry.type>, atMs)];
    default:
      return [];
  }
}
