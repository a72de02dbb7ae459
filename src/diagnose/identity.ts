/**
 * Which failures are one and the same, in one cycle and over cycles. The id of a pattern is made of
 * its kind, agent, tool and error code. The template counts only where neither the kind nor the code
 * distinguishes failures, because its wording keeps generalising while messages come; there a pattern
 * of an earlier cycle whose template fits gives its id.
 */
import { canonicalJson, sha256Hex } from '../base/index.ts';
import type {
  AttributeCell,
  FailureExample,
  FailureGroup,
  FailureKind,
  LatencyView,
  PlaceBin,
  TaskCell,
} from '../facts/index.ts';
import { failureKind } from './failure-kind.ts';
import { type MergedPatterns, mergedInto } from './merged-patterns.ts';
import type { Failure, KnownPattern } from './types.ts';

const EXAMPLES_MAX = 20;
const VARIABLE = '<*>';

/** Codes that every failure could have. */
const EMPTY_CODES = new Set(['error', 'err', 'exception', 'failed', 'failure', 'unknown', 'none']);

/** Groups of one failure at one place become one. */
export function mergeAlike(
  groups: readonly FailureGroup[],
  known: readonly KnownPattern[] = [],
  together: MergedPatterns = new Map(),
): Failure[] {
  const merged = new Map<string, Failure>();
  for (const group of groups) {
    const found = identified(wellFormed(group), known);
    const failure = { ...found, id: mergedInto(found.id, together) };
    const before = merged.get(failure.id);
    merged.set(failure.id, before === undefined ? failure : added(before, failure));
  }
  return [...merged.values()];
}

function identified(group: FailureGroup, known: readonly KnownPattern[]): Failure {
  const kind = failureKind(group);
  const calls = Math.max(group.calls, group.failures);
  return { ...group, calls, kind, id: failureId(group, kind, known) };
}

function failureId(group: FailureGroup, kind: FailureKind, known: readonly KnownPattern[]): string {
  const { agent, tool } = group;
  const event = tellingEvent(group.event);
  const errorCode = tellingCode(group.errorCode);
  const place = { kind, agent, tool, errorCode, ...(event === undefined ? {} : { event }) };
  if (kind !== 'other' || errorCode !== '') return patternId(place);
  const before = known.find(
    (one) =>
      one.kind === kind &&
      tellingEvent(one.event) === event &&
      one.agent === agent &&
      one.tool === tool &&
      tellingCode(one.errorCode) === '' &&
      sameWording(one.template, group.template),
  );
  return before?.id ?? patternId({ ...place, template: group.template });
}

/** Calls and tasks are told apart by their tool. */
function tellingEvent(event: KnownPattern['event']): KnownPattern['event'] {
  return event === 'tool_call' || event === 'task_failure' ? undefined : event;
}

/** The same place and kind, the same id. */
export function patternId(identity: Readonly<Record<string, string>>): string {
  return `pat_${sha256Hex(canonicalJson(identity)).slice(0, 20)}`;
}

function tellingCode(code: string): string {
  const plain = code.trim();
  return EMPTY_CODES.has(plain.toLowerCase()) ? '' : plain;
}

/** Whether one template is the other with more variable places, and half of the words are still fixed. */
function sameWording(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one.trim().split(/\s+/), other.trim().split(/\s+/)];
  if (a.length !== b.length) return false;
  const open = (word: string) => word.includes(VARIABLE);
  const equal = a.filter((word, at) => word === b[at] && !open(word)).length;
  const fits = a.every((word, at) => word === b[at] || open(word) || open(b[at]!));
  return fits && equal * 2 >= a.length;
}

/** Half a character of a message could not be stored; otherwise names stay as they are. */
function wellFormed(group: FailureGroup): FailureGroup {
  return {
    ...group,
    template: group.template.toWellFormed(),
    agent: group.agent.toWellFormed(),
    tool: group.tool.toWellFormed(),
    errorCode: group.errorCode.toWellFormed(),
  };
}

function added(one: Failure, other: Failure): Failure {
  const larger = one.failures >= other.failures ? one : other;
  const failures = one.failures + other.failures;
  return {
    ...larger,
    sources: [...new Set([...one.sources, ...other.sources])].sort(),
    failures,
    series: [...(one.series ?? []), ...(other.series ?? [])],
    // Both counted the same calls; a session that met both forms is one session.
    calls: Math.max(one.calls, other.calls, failures),
    sessions: Math.max(one.sessions, other.sessions),
    firstAtMs: Math.min(one.firstAtMs, other.firstAtMs),
    lastAtMs: Math.max(one.lastAtMs, other.lastAtMs),
    examples: spread([...one.examples, ...other.examples]),
    failedLatency: addLatency(one.failedLatency, other.failedLatency),
    history: addHistory(one.history, other.history),
    ...tasksTogether(one, other),
    ...attributesTogether(one, other),
  };
}

function tasksTogether(one: Failure, other: Failure): Pick<Failure, 'tasks'> {
  const cells = new Map<string, TaskCell>();
  for (const { task, failures, calls } of [...(one.tasks ?? []), ...(other.tasks ?? [])]) {
    const before = cells.get(task);
    cells.set(task, {
      task,
      failures: failures + (before?.failures ?? 0),
      calls: Math.max(calls, before?.calls ?? 0),
    });
  }
  return cells.size === 0 ? {} : { tasks: [...cells.values()] };
}

function attributesTogether(one: Failure, other: Failure): Pick<Failure, 'attributes'> {
  const cells = new Map<string, AttributeCell>();
  for (const cell of [...(one.attributes ?? []), ...(other.attributes ?? [])]) {
    const key = `${cell.attribute}=${cell.value}`;
    const before = cells.get(key);
    cells.set(key, {
      ...cell,
      failures: cell.failures + (before?.failures ?? 0),
      calls: Math.max(cell.calls, before?.calls ?? 0),
    });
  }
  return cells.size === 0 ? {} : { attributes: [...cells.values()] };
}

/** At most 20, evenly taken in the order of time. */
function spread(examples: readonly FailureExample[]): readonly FailureExample[] {
  const sorted = [...examples].sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  if (sorted.length <= EXAMPLES_MAX) return sorted;
  const step = (sorted.length - 1) / (EXAMPLES_MAX - 1);
  return Array.from({ length: EXAMPLES_MAX }, (_, at) => sorted[Math.round(at * step)]!);
}

/** Both counted the same calls. */
function addHistory(one: readonly PlaceBin[], other: readonly PlaceBin[]): readonly PlaceBin[] {
  const bins = new Map(one.map((bin) => [bin.atMs, bin]));
  for (const bin of other) {
    const before = bins.get(bin.atMs);
    const bad = bin.bad + (before?.bad ?? 0);
    bins.set(bin.atMs, { ...(before ?? bin), bad, all: Math.max(before?.all ?? 0, bin.all, bad) });
  }
  return [...bins.values()].sort((a, b) => a.atMs - b.atMs);
}

function addLatency(one: LatencyView | null, other: LatencyView | null): LatencyView | null {
  if (one === null || other === null) return one ?? other;
  const counts = new Map<number, number>();
  for (const { uptoMs, count } of [...one.buckets, ...other.buckets])
    counts.set(uptoMs, (counts.get(uptoMs) ?? 0) + count);
  return {
    count: one.count + other.count,
    minMs: Math.min(one.minMs, other.minMs),
    maxMs: Math.max(one.maxMs, other.maxMs),
    buckets: [...counts].sort(([a], [b]) => a - b).map(([uptoMs, count]) => ({ uptoMs, count })),
  };
}
