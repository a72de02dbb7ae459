/**
 * Lines of Claude Code to events. A line either belongs to a session that is taken or gives nothing; calls wait for
 * their results, responses for their last block. What a line says beyond that is in the files beside this one.
 *
 *   line ─► envelope ─► copy? ─► whose? ─► assistant: responses, calls
 *                                      ├─► user: results, refusals, what was typed
 *                                      └─► system, attachment: turns, retries, compactions
 */
import type { Decoded, Decoder } from '../../types.ts';
import { NOT_JSON, parseLine } from '../transcripts/parse-line.ts';
import type { IsTaken } from '../transcripts/projects.ts';
import { nameOf, textOf } from '../transcripts/values.ts';
import { chainOf, type Envelope, envelopeOf, isCopy, KNOWN_TYPES } from './line.ts';
import { LineReader } from './line-reader.ts';
import { type Chain, type ClaudeState, newChain, START } from './state.ts';

export function claudeDecoder(isTaken: IsTaken): Decoder<ClaudeState> {
  return {
    start: START,
    decode(payload, state, { name }) {
      const fields = parseLine(payload);
      if (fields === undefined) return { records: [NOT_JSON], state };
      const type = textOf(fields?.['type']);
      if (fields === null || type === undefined || !KNOWN_TYPES.has(type)) {
        return { records: [], state, skipped: 1 };
      }
      const line = envelopeOf(fields, type);
      if (line === undefined) return { records: [], state };
      if (isCopy(line, name, state.hadOwn)) return { records: [], state };
      return decodeLine(line, state.hadOwn ? state : { ...state, hadOwn: true }, isTaken);
    },
  };
}

type Result = { readonly records: readonly Decoded[]; readonly state: ClaudeState };

function decodeLine(line: Envelope, state: ClaudeState, isTaken: IsTaken): Result {
  const known = state.chains.find(({ key }) => key === line.chain) ?? newChain(line.chain);
  const own = line.cwd === undefined ? known.isTaken : isTaken(line.cwd);
  const chain = chainNow(line, known, own ?? takenAsSession(line, state));
  // Where nobody asks whose it is, a session that never says where it works is taken as well.
  if (!(chain.isTaken ?? isTaken(''))) return { records: [], state: kept(state, chain) };
  const reader = new LineReader(line, chain, state);
  switch (line.type) {
    case 'assistant':
      reader.readAssistant();
      break;
    case 'user':
      reader.readUser();
      break;
    case 'system':
      reader.readSystem();
      break;
    case 'attachment':
      reader.readAttachment();
      break;
  }
  return reader.result();
}

/** A sub-agent works where its session does, unless it says otherwise. */
function takenAsSession(line: Envelope, { chains }: ClaudeState): boolean | null {
  if (!line.isSidechain) return null;
  const session = chainOf(line.session, '');
  return chains.find(({ key }) => key === session)?.isTaken ?? null;
}

function chainNow(line: Envelope, chain: Chain, isTaken: boolean | null): Chain {
  const named =
    line.type === 'agent-setting'
      ? nameOf(line.fields['agentSetting'])
      : line.isSidechain
        ? nameOf(line.fields['attributionAgent'])
        : undefined;
  const agent = named ?? chain.agent;
  if (isTaken === chain.isTaken && agent === chain.agent) return chain;
  return { ...chain, isTaken, agent };
}

function kept(state: ClaudeState, chain: Chain): ClaudeState {
  if (state.chains.includes(chain)) return state;
  const others = state.chains.filter(({ key }) => key !== chain.key);
  return { ...state, chains: [...others.slice(-11), chain] };
}
