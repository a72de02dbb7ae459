/** How often something failed, from the events of a stretch of time. Pure. */
import type { JsonlEvent } from '../src/observe/index.ts';
import type { RateExpected } from './expect-schema.ts';

interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Not every kind of event has one. */
export function agentOf(event: JsonlEvent): string | undefined {
  return 'agent' in event ? event.agent : undefined;
}

/** 1 where nothing happened: silence is no cure. */
export function rateOf(
  events: readonly JsonlEvent[],
  asked: Omit<RateExpected, 'below'>,
  { fromMs, toMs }: Window,
): number {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  const some = events.filter(
    (event) =>
      event.timestamp >= from &&
      event.timestamp < to &&
      (asked.agent ?? agentOf(event)) === agentOf(event),
  );
  const bad = asked.of === 'calls' ? failedCalls(some, asked) : badTasks(some, asked);
  return bad.all === 0 ? 1 : bad.failed / bad.all;
}

type Asked = Omit<RateExpected, 'below'>;

function failedCalls(events: readonly JsonlEvent[], { tool, task, code }: Asked) {
  let all = 0;
  let failed = 0;
  for (const event of events) {
    if (event.event_type !== 'tool_call') continue;
    if (tool !== undefined && event.tool !== tool) continue;
    if (task !== undefined && event.task_name !== task) continue;
    all += 1;
    if (!event.success && (code ?? event.error_code) === event.error_code) failed += 1;
  }
  return { all, failed };
}

/** Tasks are sessions: which task a session had is said by its calls. */
function badTasks(events: readonly JsonlEvent[], { of, tool, task, code }: Asked) {
  const sessions = new Set<string>();
  for (const event of events) {
    if (event.event_type !== 'tool_call') continue;
    if (tool !== undefined && event.tool !== tool) continue;
    if (task === undefined || event.task_name === task) sessions.add(event.session_id);
  }
  const bad = new Set<string>();
  for (const event of events) {
    if (!sessions.has(event.session_id)) continue;
    if (of === 'corrections') {
      if (event.event_type === 'user_correction') bad.add(event.session_id);
    } else if (event.event_type === 'task_failure') {
      if ((code ?? event.error_category) === event.error_category) bad.add(event.session_id);
    }
  }
  return { all: sessions.size, failed: bad.size };
}

/** Failed tasks of each agent, and all of them. */
export interface TaskCount {
  tasks: number;
  failed: number;
}

export function tasksByAgent(
  events: readonly JsonlEvent[],
  { fromMs, toMs }: Window,
): Map<string, TaskCount> {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  const seen = new Set<string>();
  const counts = new Map<string, TaskCount>();
  for (const event of events) {
    const agent = agentOf(event);
    if (event.timestamp < from || event.timestamp >= to || agent === undefined) continue;
    const count = counts.get(agent) ?? { tasks: 0, failed: 0 };
    counts.set(agent, count);
    if (event.event_type === 'task_failure') count.failed += 1;
    if (event.event_type !== 'tool_call' || seen.has(event.session_id)) continue;
    seen.add(event.session_id);
    count.tasks += 1;
  }
  return counts;
}
