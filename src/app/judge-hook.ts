/**
 * What a client's hook reports: a call before it is made, its output, the end of a turn. Loads as little as it can: it is
 * run for every call of every agent (ADR 005).
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../base/index.ts';
import type { Event } from '../facts/index.ts';
import {
  type Caller,
  foreignCode,
  fullName,
  isPlainToolName,
  sessionName,
  type Verdict,
} from '../gateway/at-start.ts';
import type { AppContext, Opened } from './context.ts';
import { makeJudge } from './judge-calls.ts';

/** A session of this name is Hone's own: what it is refused is no telemetry of an agent. Clients want a UUID. */
export const PROBE_SESSION = '00000000-0000-4000-8000-686f6e650000';

export interface HookCall {
  /** `claude-code` or `codex`. */
  readonly client: string;
  readonly session: string;
  /** As the client numbers its calls; undefined where it does not. */
  readonly callId: string | undefined;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
}

/** Before a call. The answer is known before telemetry is written: the client waits for neither. */
export async function judgeHook(
  context: Pick<AppContext, 'newId' | 'environment'>,
  opened: Opened,
  call: HookCall,
): Promise<Verdict> {
  const judge = makeJudge(context, opened, 'hooks');
  const { server, tool, arguments: given } = call;
  const verdict = await judge.judge(
    {
      ...{ server, tool, arguments: given, definition: 'unpinned' },
      foreign: foreignCode(context.environment),
    },
    callerOf(call),
  );
  note(opened, call, verdict.passes ? 'passed' : 'refused');
  return verdict;
}

/** After a call: what it gave, and whether it was asked about at all. */
export async function noteHookOutput(
  context: Pick<AppContext, 'newId'>,
  opened: Opened,
  call: HookCall,
  output: string,
): Promise<void> {
  await makeJudge(context, opened, 'hooks').noteOutput(callerOf(call), output);
  if (call.callId === undefined) return;
  if (decided(opened, call.session).get(call.callId) === 'passed') return;
  await recordUndecided(opened, call, [
    { id: call.callId, tool: fullName(call.server, call.tool) },
  ]);
}

/** At the end of a turn: calls in the transcript that no hook let pass, nor was told of. */
export async function noteTranscript(
  opened: Opened,
  session: Pick<HookCall, 'client' | 'session'>,
  made: readonly { readonly id: string; readonly tool: string }[],
): Promise<number> {
  const known = decided(opened, session.session);
  const missed = made.filter(
    ({ id }) => known.get(id) === undefined || known.get(id) === 'refused',
  );
  await recordUndecided(opened, session, missed);
  return missed.length;
}

async function recordUndecided(
  opened: Opened,
  { client, session }: Pick<HookCall, 'client' | 'session'>,
  calls: readonly { readonly id: string; readonly tool: string }[],
): Promise<void> {
  if (calls.length === 0) return;
  const { mode } = await opened.switches.read('hooks');
  if (mode === 'off') return;
  const sessionId = sessionName(session);
  const tools = [
    ...new Set(calls.map(({ tool }) => (/^[\w./-]+$/.test(tool) ? tool : '(not-plain)'))),
  ];
  await opened.store.commit({
    entries: [
      {
        type: 'gateway.undecided',
        actor: { kind: 'agent', id: client, verified: 'none' },
        subject: `session:${sessionId}`,
        data: { agent: client, sessionId, calls: calls.length, tools: tools.slice(0, 50) },
      },
    ],
  });
  for (const { id } of calls) append(opened, session, id, 'told');
}

/** Kept back until the end of the turn: telemetry has a store of its own, and the client waits for this answer. */
export function keepEvent(opened: Opened, call: HookCall, verdict: Verdict, atMs: number): void {
  const line = `${JSON.stringify(eventOf(call, verdict, atMs))}\n`;
  appendFileSync(keptEvents(opened), line, { mode: 0o600 });
}

const keptEvents = ({ home }: Opened) => join(home.stateDir, 'hooks', 'events.jsonl');

/** At the end of a turn: what was kept back becomes telemetry. */
export async function tellKeptEvents(
  context: Pick<AppContext, 'random' | 'openLoop'>,
  opened: Opened,
): Promise<void> {
  const file = keptEvents(opened);
  const mine = `${file}.${process.pid}`;
  try {
    // Of two that end at once, one gets the file.
    renameSync(file, mine);
  } catch {
    return;
  }
  const lines = readFileSync(mine, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const { recordWork } = await import('./work-telemetry.ts');
  await using open = await context.openLoop(opened);
  await recordWork(
    context,
    open,
    lines.map((line) => JSON.parse(line) as Event),
  );
  rmSync(mine);
}

function eventOf(call: HookCall, { passes, reasons, context }: Verdict, atMs: number): Event {
  const { client, session, server, tool } = call;
  const why = reasons.map(({ text }) => text).join(' ');
  return {
    kind: 'tool_call',
    atMs,
    agent: client,
    session,
    tool: isPlainToolName(tool) ? fullName(server, tool) : '(not plain)',
    success: passes,
    ...(passes ? {} : { errorCode: `gate_${reasons[0]?.code ?? 'refused'}`, errorMessage: why }),
    ...(context === undefined ? {} : { task: context.taskId }),
  };
}

const callerOf = ({ client, session }: HookCall): Caller => ({
  agent: client,
  session: sessionName(session),
  task: undefined,
});

type Fate = 'passed' | 'refused' | 'told';

/** Not durable on purpose: a lost line makes a call look undecided, never the other way round. */
function note(opened: Opened, { session, callId }: HookCall, fate: Fate): void {
  if (callId !== undefined) append(opened, session, callId, fate);
}

function append(opened: Opened, session: string, id: string, fate: Fate): void {
  const file = fileOf(opened, session);
  const line = `${JSON.stringify([id, fate])}\n`;
  try {
    appendFileSync(file, line, { mode: 0o600 });
  } catch {
    mkdirSync(join(opened.home.stateDir, 'hooks'), { recursive: true, mode: 0o700 });
    appendFileSync(file, line, { mode: 0o600 });
  }
}

function decided(opened: Opened, session: string): Map<string, Fate> {
  let text = '';
  try {
    text = readFileSync(fileOf(opened, session), 'utf8');
  } catch {
    // No call of this session was decided.
  }
  const known = new Map<string, Fate>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const [id, fate] = JSON.parse(line) as [string, Fate];
      known.set(id, fate);
    } catch {
      // Half a line, of a process that was killed.
    }
  }
  return known;
}

const fileOf = ({ home }: Opened, session: string) =>
  join(home.stateDir, 'hooks', `${sessionName(session)}.jsonl`);
