/**
 * The envelope that Claude Code puts around every line of a conversation, and which lines are copies. The vendor calls the
 * format internal: everything may be missing or of another type.
 */
import { type Fields, fieldsOf, nameOf, numberFor, textOf, timeOf } from '../transcripts/values.ts';

/** Of 1.0 to 2.1. Lines of other types are counted: a new release may have moved something. */
export const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'user',
  'assistant',
  'system',
  'attachment',
  'agent-setting',
  // Nothing to learn from these: titles, modes, pointers, snapshots, latches.
  'summary',
  'progress',
  'file-history-snapshot',
  'file-history-delta',
  'attribution-snapshot',
  'queue-operation',
  'last-prompt',
  'mode',
  'permission-mode',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-color',
  'tag',
  'pr-link',
  'relocated',
  'worktree-state',
  'cost-state',
  'content-replacement',
  'bridge-session',
  'isolation-latch',
  'atis-latch',
  'ended',
  'conversation_reset',
  'stream_event',
  'saved_hook_context',
  'started',
  'result',
]);

export interface Envelope {
  readonly fields: Fields;
  readonly type: string;
  readonly message: Fields | undefined;
  readonly session: string;
  readonly atMs: number | undefined;
  readonly uuid: string | undefined;
  readonly parentUuid: string | undefined;
  readonly cwd: string | undefined;
  readonly version: string | undefined;
  readonly isSidechain: boolean;
  readonly agentId: string | undefined;
  /** The conversation that it belongs to: the session's own, or one of its sub-agents'. */
  readonly chain: number;
}

/** Undefined if it has no session: then it is no line of a conversation. */
export function envelopeOf(fields: Fields, type: string): Envelope | undefined {
  const session = nameOf(fields['sessionId']);
  if (session === undefined) return undefined;
  const agentId = nameOf(fields['agentId']);
  const isSidechain = fields['isSidechain'] === true;
  return {
    fields,
    type,
    message: fieldsOf(fields['message']),
    session,
    atMs: timeOf(fields['timestamp']),
    uuid: nameOf(fields['uuid']),
    parentUuid: nameOf(fields['parentUuid']),
    cwd: textOf(fields['cwd']),
    version: nameOf(fields['version']),
    isSidechain,
    agentId: isSidechain ? agentId : undefined,
    chain: chainOf(session, isSidechain ? `/${agentId ?? ''}` : ''),
  };
}

export function chainOf(session: string, side: string): number {
  return numberFor(`${session}${side}`);
}

const SESSION_FILE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl/i;

/** The session that a file is named after. */
export function sessionOfFile(name: string): string | undefined {
  return SESSION_FILE.exec(name.slice(0, 60))?.[1]?.toLowerCase();
}

/**
 * Whether the line was copied from another session's file, where it is read as well. A branched session marks what it
 * copied (`forkedFrom`). Others begin with lines that still name the session they came from: those before the first line
 * of the file's own session.
 *
 * Not recognised: what 1.0 copied when a session was resumed and then gave the new session's name. Such lines have
 * nothing that tells them from others; current releases continue the old file.
 */
export function isCopy({ fields, session }: Envelope, fileName: string, hadOwn: boolean): boolean {
  if (fieldsOf(fields['forkedFrom']) !== undefined) return true;
  if (hadOwn) return false;
  const own = sessionOfFile(fileName);
  return own !== undefined && own !== session.toLowerCase();
}
