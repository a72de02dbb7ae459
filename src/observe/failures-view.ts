/**
 * Similar failures at one place, from the counts: of calls, tasks, spans, tests and lines of logs, each kind at places
 * of its own. Of the raw events only those that failed are looked at, in an index: to count sessions and to choose
 * examples.
 */
import {
  type AttributeCell,
  CALL_ATTRIBUTES,
  type CountedFailure,
  FAILING_EVENTS,
  type FailingEvent,
  type FailureCount,
  type FailureExample,
  type FailureGroup,
  type Failures,
  type TaskCell,
  type TriesView,
  type Window,
} from '../facts/index.ts';
import { fairShare } from '../stats/index.ts';
import type { Store } from '../store/index.ts';
import { type AgentSessions, isOfSession } from './agent-sessions.ts';
import { factsOf } from './event-facts.ts';
import { inLists } from './key-reads.ts';
import { Latencies } from './latency-view.ts';
import { Histories } from './place-history.ts';
import { OTHER } from './series.ts';
import type { TemplateBook } from './template-book.ts';
import { readTries } from './tries-view.ts';
import type { CleanEvent } from './types.ts';
import { coveringSql, coveringValues, MINUTE_MS, wholeUnits } from './units.ts';

const GROUPS_MAX = 200;
const EXAMPLES_MAX = 20;

/** One series with what was counted of it. */
interface SeriesCount {
  readonly series: number;
  readonly type: FailingEvent;
  readonly agent: string;
  readonly tool: string;
  readonly task: string;
  readonly errorCode: string;
  readonly template: string;
  readonly source: string;
  readonly variant: string;
  readonly model: string;
  readonly version: string;
  readonly provider: string;
  readonly ok: number | null;
  readonly events: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

interface Group {
  readonly type: FailingEvent;
  /** What its messages have in common; undefined without a message, or if it was forgotten. */
  readonly template: string | undefined;
  /** Distinguishes it from others: the template, or the id of a forgotten one. */
  readonly key: string;
  readonly agent: string;
  readonly tool: string;
  readonly errorCode: string;
  readonly series: number[];
  readonly sources: Set<string>;
  /** Failures by task. */
  readonly tasks: Map<string, number>;
  /** Failures by attribute and its value. */
  readonly attributes: Map<string, number>;
  failures: number;
  firstAtMs: number;
  lastAtMs: number;
}

/** All calls of one agent and tool; all sessions of an agent where tasks fail or people correct. */
interface Place {
  calls: number;
  failedTasks: number;
  /** Calls by task. */
  readonly tasks: Map<string, number>;
  /** Calls by attribute and its value. */
  readonly attributes: Map<string, number>;
  readonly succeeded: number[];
}

interface Look {
  readonly window: Window;
  readonly aboveShare: number;
  readonly sessions: AgentSessions;
}

/** Counts alone: one read, whatever was seen. */
export async function failureCounts(
  store: Store,
  book: TemplateBook,
  look: Look,
): Promise<CountedFailure[]> {
  const minutes = wholeUnits(MINUTE_MS, look.window);
  const counted: CountedFailure[] = [];
  const { wanted } = await wantedGroups(store, book, look);
  for (const { group, place } of wanted) {
    const examples = () => examplesOf(store, group, minutes);
    const template = group.template ?? lastMessage(await examples());
    counted.push({ ...countOf(group, place), template, examples });
  }
  return counted;
}

export async function failureGroups(
  store: Store,
  book: TemplateBook,
  look: Look,
): Promise<Failures> {
  const { wanted, folded } = await wantedGroups(store, book, look);
  if (wanted.length === 0) return { groups: [], folded: { groups: 0, failures: 0 } };
  const minutes = wholeUnits(MINUTE_MS, look.window);
  const latencies = await Latencies.read(store, look.window);
  const histories = await Histories.read(store, look);
  const groups: FailureGroup[] = [];
  const triesOf = triesReader(store, {
    latencies,
    wanted: wanted.map(({ group }) => group),
    window: minutes,
  });
  for (const { group, place } of wanted) {
    const examples = await examplesOf(store, group, minutes);
    groups.push({
      ...countOf(group, place),
      template: group.template ?? lastMessage(examples),
      sessions: await sessionCount(store, group, minutes),
      examples,
      failedLatency: latencies.of(group.series),
      succeededLatency: latencies.of(place.succeeded),
      history: histories.of(group),
      ...(group.type === 'tool_call' && group.tool !== '' ? { tries: await triesOf(group) } : {}),
    });
  }
  const failures = folded.reduce((sum, group) => sum + group.failures, 0);
  return { groups, folded: { groups: folded.length, failures } };
}

interface Tried {
  readonly latencies: Latencies;
  readonly wanted: readonly Group[];
  readonly window: Window;
}

/** Read once for each tool. */
function triesReader(store: Store, { latencies, wanted, window }: Tried) {
  const known = new Map<string, ReturnType<typeof readTries>>();
  return async ({ tool, agent }: Group): Promise<TriesView | null> => {
    let reading = known.get(tool);
    if (reading === undefined) {
      const calls = wanted.filter((one) => one.type === 'tool_call' && one.tool === tool);
      const longestMs = latencies.of(calls.flatMap(({ series }) => series))?.maxMs ?? 0;
      const failures = calls.reduce((sum, one) => sum + one.failures, 0);
      reading = readTries(store, { tool, window, longestMs, failures });
      known.set(tool, reading);
    }
    return (await reading).get(agent) ?? null;
  };
}

async function wantedGroups(
  store: Store,
  book: TemplateBook,
  { window, aboveShare, sessions }: Look,
): Promise<{ wanted: { group: Group; place: Place }[]; folded: readonly Group[] }> {
  const counts = await seriesCounts(store, window);
  const hasTasks = counts.some(({ type }) => isOfSession(type));
  const had = hasTasks ? await sessions.countsIn(wholeUnits(MINUTE_MS, window)) : new Map();
  const places = placesOf(counts, (agent) => had.get(agent) ?? 0);
  const placeOf = (group: Group) => places.get(placeKey(group))!;
  const { kept, folded } = lookedAt(
    (await groupsOf(counts, book)).filter(
      (group) =>
        group.failures > aboveShare * placeOf(group).calls || isMostOfATask(group, placeOf(group)),
    ),
  );
  return { wanted: kept.map((group) => ({ group, place: placeOf(group) })), folded };
}

/** Rare among all calls, and yet a good part of one task's: whoever counts looks closer. */
const TASK_FAILURES_MIN = 3;
const TASK_SHARE_MIN = 0.2;
const TASKS_MAX = 20;

function isMostOfATask(group: Group, place: Place): boolean {
  return tasksOf(group, place).some(
    ({ failures, calls }) => failures >= TASK_FAILURES_MIN && failures > TASK_SHARE_MIN * calls,
  );
}

/** Of those that are named. */
function tasksOf({ type, tasks }: Group, place: Place): TaskCell[] {
  if (type !== 'tool_call') return [];
  return [...tasks]
    .filter(([task]) => task !== '' && task !== OTHER)
    .map(([task, failures]) => ({ task, failures, calls: place.tasks.get(task) ?? failures }))
    .sort((a, b) => b.failures - a.failures || (a.task < b.task ? -1 : 1))
    .slice(0, TASKS_MAX);
}

const ATTRIBUTES_MAX = 20;

function attributesOf(group: Group, place: Place): AttributeCell[] {
  return [...group.attributes]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, ATTRIBUTES_MAX)
    .map(([key, failures]) => {
      const cut = key.indexOf('=');
      const attribute = key.slice(0, cut) as AttributeCell['attribute'];
      const calls = place.attributes.get(key) ?? failures;
      return { attribute, value: key.slice(cut + 1), failures, calls };
    });
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

function countOf(group: Group, place: Place): Omit<FailureCount, 'template'> {
  const { calls } = place;
  const { type: event, agent, tool, errorCode, failures, firstAtMs, lastAtMs } = group;
  const sources = [...group.sources].sort();
  const { series } = group;
  const times = { firstAtMs, lastAtMs };
  const counted = { event, agent, tool, errorCode, sources, failures, calls, ...times, series };
  const tasks = tasksOf(group, place);
  const attributes = attributesOf(group, place);
  return {
    ...counted,
    ...(tasks.length === 0 ? {} : { tasks }),
    ...(attributes.length === 0 ? {} : { attributes }),
  };
}

/** A forgotten template is still identified by what it looked like. */
function lastMessage(examples: readonly FailureExample[]): string {
  return examples.at(-1)?.message ?? '';
}

const COVERED = coveringSql('series, events, first_at_ms, last_at_ms');

const TYPES = FAILING_EVENTS.map((type) => `'${type}'`).join(', ');

async function seriesCounts(store: Store, window: Window): Promise<SeriesCount[]> {
  const rows = await store.all(
    `SELECT s.id AS series, s.type, s.agent, s.tool, s.task, s.error_code, s.template, s.source, s.ok,
            s.variant, s.model, s.version, s.provider,
            c.events, c.first_at_ms, c.last_at_ms
     FROM (SELECT series, CAST(SUM(events) AS BIGINT) AS events,
                  MIN(first_at_ms) AS first_at_ms, MAX(last_at_ms) AS last_at_ms
           FROM (${COVERED}) AS covered GROUP BY series) AS c
     JOIN observe_series s ON s.id = c.series
     WHERE s.type IN (${TYPES}) AND s.ok IS NOT NULL
     ORDER BY s.id`,
    coveringValues(window),
  );
  return rows.map((row) => ({
    series: row['series'] as number,
    type: row['type'] as FailingEvent,
    agent: row['agent'] as string,
    tool: row['tool'] as string,
    task: row['task'] as string,
    errorCode: row['error_code'] as string,
    template: row['template'] as string,
    source: row['source'] as string,
    variant: row['variant'] as string,
    model: row['model'] as string,
    version: row['version'] as string,
    provider: row['provider'] as string,
    ok: row['ok'] as number | null,
    events: row['events'] as number,
    firstAtMs: row['first_at_ms'] as number,
    lastAtMs: row['last_at_ms'] as number,
  }));
}

/**
 * Calls by place; spans, runs of tests and lines of logs have places of their own. Telemetry reports only failed tasks and only
 * wrong answers, so these are compared with the sessions of their agent; those of one session may be more.
 */
function placesOf(
  counts: readonly SeriesCount[],
  sessionsOf: (agent: string) => number,
): Map<string, Place> {
  const places = new Map<string, Place>();
  const tasks: { place: Place; agent: string }[] = [];
  for (const one of counts) {
    const place = places.get(placeKey(one)) ?? newPlace();
    places.set(placeKey(one), place);
    if (isOfSession(one.type)) {
      tasks.push({ place, agent: one.agent });
      place.failedTasks += one.events;
    } else place.calls += one.events;
    if (one.type === 'tool_call') add(place.tasks, one.task, one.events);
    for (const key of attributeKeys(one)) add(place.attributes, key, one.events);
    if (one.ok === 1) place.succeeded.push(one.series);
  }
  for (const { place, agent } of tasks)
    place.calls = Math.max(sessionsOf(agent), place.failedTasks);
  return places;
}

const newPlace = (): Place => ({
  ...{ calls: 0, failedTasks: 0, succeeded: [] },
  ...{ tasks: new Map(), attributes: new Map() },
});

/** Of those that are named. */
function attributeKeys(one: SeriesCount): string[] {
  if (one.type !== 'tool_call') return [];
  return CALL_ATTRIBUTES.filter((name) => one[name] !== '' && one[name] !== OTHER).map(
    (name) => `${name}=${one[name]}`,
  );
}

function placeKey({ type, agent, tool }: Pick<SeriesCount, 'type' | 'agent' | 'tool'>): string {
  return `${type}\n${agent}\n${tool}`;
}

async function groupsOf(counts: readonly SeriesCount[], book: TemplateBook): Promise<Group[]> {
  const failed = counts.filter(({ ok }) => ok === 0);
  const texts = await textsOf(failed, book);
  const groups = new Map<string, Group>();
  for (const one of failed) {
    const { type, agent, tool, errorCode, firstAtMs, lastAtMs } = one;
    const template = one.template === OTHER ? OTHER : texts.get(one.source)!.get(one.template);
    const said = template ?? (one.template === '' ? '' : `${one.source} ${one.template}`);
    const key = `${placeKey(one)}\n${errorCode}\n${said}`;
    let group = groups.get(key);
    if (group === undefined) {
      const counted = {
        series: [],
        sources: new Set<string>(),
        tasks: new Map<string, number>(),
        attributes: new Map<string, number>(),
        failures: 0,
        firstAtMs,
        lastAtMs,
      };
      group = { type, template, key, agent, tool, errorCode, ...counted };
      groups.set(key, group);
    }
    group.series.push(one.series);
    group.sources.add(one.source);
    add(group.tasks, one.task, one.events);
    for (const key of attributeKeys(one)) add(group.attributes, key, one.events);
    group.failures += one.events;
    group.firstAtMs = Math.min(group.firstAtMs, firstAtMs);
    group.lastAtMs = Math.max(group.lastAtMs, lastAtMs);
  }
  return [...groups.values()];
}

/** By source and template id. */
async function textsOf(counts: readonly SeriesCount[], book: TemplateBook) {
  const texts = new Map<string, ReadonlyMap<string, string>>();
  for (const [source, ofSource] of Map.groupBy(counts, (one) => one.source)) {
    const ids = new Set(ofSource.map(({ template }) => template));
    texts.set(source, await book.texts(source, ids));
  }
  return texts;
}

/**
 * Most failures first, then by content, so that the same counts give the same answer. Whoever writes
 * telemetry can invent agents and tools, so each source and agent has its share.
 */
function lookedAt(groups: readonly Group[]) {
  return fairShare(
    groups.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    {
      max: GROUPS_MAX,
      worth: ({ failures }) => failures,
      owners: [({ sources }) => [...sources], ({ agent }) => [agent]],
    },
  );
}

async function sessionCount(store: Store, group: Group, window: Window): Promise<number> {
  const lists = inLists(group.series);
  const [only] = lists;
  if (lists.length === 1) {
    const sql = `SELECT COUNT(DISTINCT session) AS n FROM observe_events ${inSeries(only!.marks)}`;
    const [row] = await store.all(sql, [...only!.values, window.fromMs, window.toMs]);
    return row!['n'] as number;
  }
  const sessions = new Set<unknown>();
  for (const { marks, values } of lists) {
    const sql = `SELECT DISTINCT session FROM observe_events ${inSeries(marks)}`;
    const rows = await store.all(sql, [...values, window.fromMs, window.toMs]);
    for (const row of rows) sessions.add(row['session']);
  }
  return sessions.size;
}

/**
 * At most 20, evenly spread over the failures in order of time: cut into 20 equal parts, the first of
 * each. A group of very many series gives those of its first ones. Their ids come as one text: numbering all failures by a
 * window of SQL took four times as long.
 */
async function examplesOf(store: Store, group: Group, window: Window): Promise<FailureExample[]> {
  const { marks, values } = inLists(group.series)[0]!;
  const [all] = await store.all(
    `SELECT STRING_AGG(CAST(id AS TEXT), ' ' ORDER BY at_ms, id) AS ids
     FROM observe_events ${inSeries(marks)}`,
    [...values, window.fromMs, window.toMs],
  );
  const ids = spread((all!['ids'] as string | null)?.split(' ') ?? []).map(Number);
  if (ids.length === 0) return [];
  const [wanted] = inLists(ids);
  const rows = await store.all(
    `SELECT id, at_ms, session, body FROM observe_events WHERE id IN (${wanted!.marks})
     ORDER BY at_ms, id`,
    wanted!.values,
  );
  return rows.map((row) => {
    const { message, measure } = factsOf(JSON.parse(row['body'] as string) as CleanEvent);
    return {
      id: String(row['id']),
      atMs: row['at_ms'] as number,
      session: row['session'] as string,
      message,
      latencyMs: measure,
    };
  });
}

/** The first of each of 20 equal parts; all, where there are fewer. */
function spread<T>(all: readonly T[]): T[] {
  const firsts = Array.from({ length: EXAMPLES_MAX }, (_, part) =>
    Math.ceil((part * all.length) / EXAMPLES_MAX),
  );
  return [...new Set(firsts)].filter((at) => at < all.length).map((at) => all[at]!);
}

function inSeries(marks: string): string {
  return `WHERE failed = 1 AND series IN (${marks}) AND at_ms >= ? AND at_ms < ?`;
}
