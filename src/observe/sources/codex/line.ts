/**
 * A line of a rollout. Since September 2025 each is `{ timestamp, type, payload }`; before, the first was the
 * session's own fields, and the others bare items without a time.
 */
import { type Fields, fieldsOf, nameOf, textOf, timeOf } from '../transcripts/values.ts';

export interface RolloutLine {
  readonly type: 'session_meta' | 'turn_context' | 'response_item' | 'event_msg' | 'compacted';
  readonly payload: Fields;
  readonly atMs: number | undefined;
  /** Without an envelope, as before September 2025. */
  readonly isBare: boolean;
  /** The whole line: some releases put an error beside the payload. */
  readonly fields: Fields;
}

const READ = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted']);
const PASSED_OVER = new Set([
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'security_risk_score',
]);
const ITEMS = new Set([
  'message',
  'agent_message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'image_generation_call',
  'compaction',
  'context_compaction',
  'ghost_snapshot',
  'additional_tools',
  'other',
]);
/** What is written to rollouts, or was by some release. */
const MESSAGES = new Set([
  'user_message',
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'agent_reasoning_section_break',
  'token_count',
  'task_started',
  'turn_started',
  'task_complete',
  'turn_complete',
  'turn_aborted',
  'thread_rolled_back',
  'thread_goal_updated',
  'thread_settings_applied',
  'thread_name_updated',
  'context_compacted',
  'entered_review_mode',
  'exited_review_mode',
  'exec_command_end',
  'mcp_tool_call_end',
  'patch_apply_end',
  'web_search_end',
  'image_generation_end',
  'view_image_tool_call',
  'sub_agent_activity',
  'item_completed',
  'error',
  'stream_error',
  'warning',
  'guardian_assessment',
  'undo_completed',
  'collab_agent_spawn_end',
  'collab_agent_interaction_end',
  'collab_waiting_end',
  'collab_close_end',
  'collab_resume_end',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
]);

/** `unknown`: of a type that no release known here has. Undefined: known, and nothing to learn from. */
export function lineOf(fields: Fields): RolloutLine | 'unknown' | undefined {
  const type = textOf(fields['type']);
  const payload = fieldsOf(fields['payload']);
  if (type === undefined) return bareHead(fields);
  if (payload === undefined) return ITEMS.has(type) ? bareItem(fields) : 'unknown';
  if (PASSED_OVER.has(type)) return undefined;
  if (!READ.has(type)) return 'unknown';
  const kinds = type === 'response_item' ? ITEMS : type === 'event_msg' ? MESSAGES : undefined;
  if (kinds !== undefined && !kinds.has(textOf(payload['type']) ?? '')) return 'unknown';
  const atMs = timeOf(fields['timestamp']);
  return { type: type as RolloutLine['type'], payload, atMs, isBare: false, fields };
}

function bareHead(fields: Fields): RolloutLine | 'unknown' | undefined {
  if (fields['record_type'] === 'state') return undefined;
  const atMs = timeOf(fields['timestamp']);
  if (nameOf(fields['id']) === undefined || atMs === undefined) return 'unknown';
  return { type: 'session_meta', payload: fields, atMs, isBare: true, fields };
}

function bareItem(fields: Fields): RolloutLine {
  return { type: 'response_item', payload: fields, atMs: undefined, isBare: true, fields };
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ROLLOUT = new RegExp(`^rollout-(?:[\\dT-]{1,24}-)?(${UUID})`, 'i');

/** The session that a file is named after. */
export function sessionOfFile(name: string): string | undefined {
  return ROLLOUT.exec(name.slice(0, 120))?.[1]?.toLowerCase();
}

const TIMED = new RegExp(`^${UUID}$`, 'i');

/** Ids of version 7 begin with the time at which they were made. */
export function madeMs(id: string | undefined): number | undefined {
  if (id === undefined || !TIMED.test(id) || id[14] !== '7') return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
