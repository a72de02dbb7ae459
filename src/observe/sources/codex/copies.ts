/**
 * A session that was forked, and a sub-agent that inherits what its parent knows, begin with a copy of the other session's
 * lines. These were counted where they come from. The copy is over when a turn of the session's own begins:
 *
 *   - its id or its beginning is not older than the session;
 *   - or, where a release says neither, after a pause: a copy is written in one go, at most some 40 ms between two lines
 *     (as others measured on hundreds of such files), whether it keeps the old times or gets the new one.
 *
 * Not recognised: a copy in a file whose first line does not say that it is a fork.
 */
import { type Fields, fieldsOf, nameOf } from '../transcripts/values.ts';
import { madeMs, type RolloutLine } from './line.ts';
import type { CodexState } from './state.ts';

const PAUSE_MS = 1000;

export function isForked(meta: Fields): boolean {
  if (nameOf(meta['forked_from_id']) !== undefined) return true;
  if (nameOf(meta['parent_thread_id']) !== undefined) return true;
  const spawned = fieldsOf(fieldsOf(meta['source'])?.['subagent'])?.['thread_spawn'];
  return fieldsOf(spawned) !== undefined;
}

/** Whether the line still belongs to the copy. */
export function isCopied(line: RolloutLine, state: CodexState): boolean {
  if (state.copiedMs === null) return false;
  const startMs = state.startMs ?? 0;
  if (line.type === 'session_meta') return true;
  const begun = turnBegunMs(line);
  if (begun !== undefined) return begun < Math.floor(startMs / 1000) * 1000;
  const { atMs } = line;
  return atMs === undefined || atMs < startMs || atMs - state.copiedMs < PAUSE_MS;
}

function turnBegunMs({ type, payload }: RolloutLine): number | undefined {
  const kind = payload['type'];
  const begins = type === 'turn_context' || kind === 'task_started' || kind === 'turn_started';
  if (!begins) return undefined;
  const madeAt = madeMs(nameOf(payload['turn_id']));
  if (madeAt !== undefined) return madeAt;
  const startedAt = payload['started_at'];
  const isTime = typeof startedAt === 'number' && startedAt > 0 && startedAt < 1e11;
  return isTime ? startedAt * 1000 : undefined;
}
