/**
 * Lines of a rollout to events.
 *
 *   line ─► copy? ─► whose? ─► response_item: calls, results
 *                          ├─► event_msg: what was typed, tokens, turns, interruptions
 *                          └─► compacted
 */
import type { Decoder } from '../../types.ts';
import { NOT_JSON, parseLine } from '../transcripts/parse-line.ts';
import type { IsTaken } from '../transcripts/projects.ts';
import { type Fields, fieldsOf, nameOf, textOf } from '../transcripts/values.ts';
import { isCopied, isForked } from './copies.ts';
import { lineOf, madeMs, type RolloutLine, sessionOfFile } from './line.ts';
import { LineReader } from './line-reader.ts';
import { type CodexState, START } from './state.ts';
import { cwdIn } from './user-text.ts';

export function codexDecoder(isTaken: IsTaken): Decoder<CodexState> {
  return {
    start: START,
    decode(payload, state, { name }) {
      const fields = parseLine(payload);
      if (fields === undefined) return { records: [NOT_JSON], state };
      const line = fields === null ? 'unknown' : lineOf(fields);
      if (line === 'unknown') return { records: [], state, skipped: 1 };
      if (line === undefined) return { records: [], state };
      if (isCopied(line, state)) {
        // Old times are kept by some releases: a pause is counted from the session's start on.
        const copiedMs = Math.max(state.copiedMs ?? 0, line.atMs ?? 0, state.startMs ?? 0);
        return { records: [], state: { ...state, copiedMs } };
      }
      return decodeLine(line, { ...state, copiedMs: null }, { isTaken, name });
    },
  };
}

interface Where {
  readonly isTaken: IsTaken;
  readonly name: string;
}

function decodeLine(line: RolloutLine, before: CodexState, { isTaken, name }: Where) {
  const state = placed(line, before, isTaken);
  // The name of the file is never sanitised, what waits in the state is.
  const session = sessionOfFile(name) ?? state.session;
  if (line.type === 'session_meta' || line.type === 'turn_context') return { records: [], state };
  if (session === null || !(state.isTaken ?? isTaken(''))) return { records: [], state };
  const reader = new LineReader(line, session, state);
  if (line.type === 'response_item') reader.readItem();
  else if (line.type === 'event_msg') reader.readMessage();
  else reader.readCompacted();
  return reader.result();
}

/** What the line says about the session and where it works. */
function placed(line: RolloutLine, state: CodexState, isTaken: IsTaken): CodexState {
  const { payload, type } = line;
  const cwd = textOf(payload['cwd']);
  const own = cwd === undefined ? undefined : isTaken(cwd);
  if (type === 'session_meta') return withMeta(line, state, own);
  if (type === 'turn_context') {
    return {
      ...state,
      isTaken: own ?? state.isTaken,
      model: nameOf(payload['model']) ?? state.model,
      turn: nameOf(payload['turn_id']) ?? state.turn,
    };
  }
  if (!line.isBare || payload['role'] !== 'user') return state;
  const told = cwdIn(payload);
  return told === undefined ? state : { ...state, isTaken: isTaken(told) };
}

/** The first one is the session's own. Another one in a file that was not forked begins another session. */
function withMeta(line: RolloutLine, state: CodexState, own: boolean | undefined): CodexState {
  const { payload } = line;
  const session = nameOf(payload['id']) ?? nameOf(payload['session_id']);
  if (session === undefined) return state;
  if (state.session !== null && state.isFork) return state;
  const isSame = state.session === session;
  const isFork = isForked(payload);
  const startMs = madeMs(session) ?? line.atMs ?? null;
  return {
    ...(isSame ? state : { ...START, seen: state.seen }),
    session,
    startMs: isSame ? state.startMs : startMs,
    version: nameOf(payload['cli_version']) ?? null,
    agent: agentOf(payload) ?? null,
    provider: nameOf(payload['model_provider']) ?? null,
    isTaken: own ?? (isSame ? state.isTaken : null),
    isFork,
    isSub: fieldsOf(payload['source'])?.['subagent'] !== undefined,
    copiedMs: isFork && !isSame ? (line.atMs ?? startMs) : null,
  };
}

/** A sub-agent's type, where it is one. */
function agentOf(meta: Fields): string | undefined {
  const role = nameOf(meta['agent_role']);
  if (role !== undefined) return role;
  const sub = fieldsOf(meta['source'])?.['subagent'];
  return nameOf(sub) ?? nameOf(fieldsOf(fieldsOf(sub)?.['thread_spawn'])?.['agent_role']);
}
