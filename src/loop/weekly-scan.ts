/**
 * What the weekly scan looks at beside failures of the week (PROP-8): failures that nobody does anything about, schedules that fail
 * now and then, indexes that are older than what they are made from, and prompts that drifted. People are told; none of it has
 * a change that could be proven before it is made, so nothing is proposed.
 */
import { posix } from 'node:path';
import { isoTime } from '../base/index.ts';
import { changesAfter, readPattern, readSettings } from '../diagnose/index.ts';
import type { EntryPayload } from '../facts/index.ts';
import { LedgerView } from '../ledger/index.ts';
import { listTasks } from '../process/index.ts';
import { digestsOf, driftOf, type InstructionFiles, readAttested } from '../prompt/index.ts';
import { quotedName } from '../text/index.ts';
import { commitsSince } from './adapters/commits.ts';
import { headOf } from './adapters/target.ts';
import type { CycleData, CycleStep } from './cycle-work.ts';
import type { Moment } from './moment.ts';
import type { Finding } from './types.ts';

const DAY_MS = 86_400_000;
/** A failure that was found today for the first time is not left alone yet. */
const LEFT_ALONE_MS = DAY_MS;
/** Once may be an accident. */
const FAILED_RUNS_MIN = 2;
const RUNS_READ = 1000;
/** PROP-8: an index that old is made anew even where nothing it is made from was committed. */
const INDEX_MS = 30 * DAY_MS;
const TASKS_MAX = 200;
/** Of each kind: more are one trouble that shows everywhere. */
const SUGGESTED_MAX = 10;

export async function scanStep(data: CycleData, moment: Moment): Promise<CycleStep> {
  const kinds = [
    await leftAlone(data, moment),
    await flakySchedules(data, moment),
    await staleIndexes(moment),
    await driftedPrompts(moment),
    await outcomesAfterPrompts(data, moment),
  ];
  const suggested = kinds.flatMap((found) => found.slice(0, SUGGESTED_MAX));
  return {
    plan: {},
    did: suggested.length === 0 ? 'nothing to improve' : `${suggested.length} to look at`,
    data: {
      ...data,
      phase: 'finish',
      report: { ...data.report, findings: [...data.report.findings, ...suggested] },
    },
  };
}

function suggest(title: string, why: string, pattern: string | null = null): Finding {
  return { title, did: 'suggested', why, pattern, proposal: null };
}

/** Failures of this week that earlier cycles knew and left alone, as this one does. */
async function leftAlone({ report }: CycleData, { store, nowMs }: Moment): Promise<Finding[]> {
  const view = new LedgerView(store);
  const found: Finding[] = [];
  for (const { did, pattern, title, why } of report.findings) {
    if (did !== 'declined' || pattern === null) continue;
    const type = 'diagnose.pattern_found';
    const [first] = await view.entries({ subject: `pattern:${pattern}`, type, limit: 1 });
    if (first === undefined || nowMs - Date.parse(first.entry.at) < LEFT_ALONE_MS) continue;
    const since = first.entry.at.slice(0, 10);
    const todo = `"hone patterns show ${pattern}" has its causes; "hone patterns ignore ${pattern}" ends this.`;
    found.push(
      suggest(`Nobody acts on: ${title}`, `known since ${since}. ${why} ${todo}`, pattern),
    );
  }
  return found;
}

/** Hone's own schedules that failed more than once and also worked. */
async function flakySchedules(
  { report }: CycleData,
  { store, config }: Moment,
): Promise<Finding[]> {
  const view = new LedgerView(store);
  const found: Finding[] = [];
  for (const name of Object.keys(config.schedules)) {
    const about = { subject: `schedule:${name}`, newestFirst: true, limit: RUNS_READ };
    const runs = (await view.entries(about))
      .filter(({ entry }) => Date.parse(entry.at) >= report.fromMs)
      .map(({ entry }) => entry.data as EntryPayload<'schedule.ran'>);
    const failed = runs.filter(({ outcome }) => outcome === 'failed' || outcome === 'timed_out');
    if (failed.length < FAILED_RUNS_MIN) continue;
    const error = failed[0]!.error ?? 'it took too long';
    found.push(
      suggest(
        `The schedule ${name} is flaky`,
        `${failed.length} of its runs failed this week, the last one with: ${error}. "hone ledger show --subject schedule:${name}" has each.`,
      ),
    );
  }
  return found;
}

/** By when each was committed: made from something newer, or older than 30 days. */
async function staleIndexes(moment: Moment): Promise<Finding[]> {
  const { indexes } = moment.config.target;
  if (indexes.length === 0) return [];
  const { nowMs, repository } = moment;
  const fromMs = nowMs - INDEX_MS;
  const commits = await commitsSince(moment, fromMs);
  // More commits than are read: what is older than the oldest of them is not known.
  const isWhole = commits.length === 0 || (await isFirst(moment, commits[0]!.id, fromMs));
  const head = await headOf(moment);
  const found: Finding[] = [];
  for (const { file, sources } of indexes) {
    const name = quotedName(file, 100);
    if ((await repository.readFile(head, file)) === undefined) {
      found.push(
        suggest(`The index ${name} is missing`, `no such file at the branch (target.indexes).`),
      );
      continue;
    }
    const made = commits.findLast(({ paths }) => paths.includes(file));
    const source = commits.findLast(({ paths }) =>
      paths.some((path) => path !== file && sources.some((glob) => posix.matchesGlob(path, glob))),
    );
    if (source !== undefined && (made === undefined || source.atMs > made.atMs)) {
      const when = made === undefined ? 'before that' : `on ${day(made.atMs)}`;
      const why = `what it is made from was changed on ${day(source.atMs)} (${source.id.slice(0, 12)}), and it was made ${when}. Make it anew.`;
      found.push(suggest(`The index ${name} is stale`, why));
    } else if (made === undefined && isWhole)
      found.push(
        suggest(`The index ${name} is stale`, `it was made more than 30 days ago. Make it anew.`),
      );
  }
  return found;
}

/** Whether the commits that were read reach back as far as was asked. */
async function isFirst({ repository }: Moment, id: string, fromMs: number): Promise<boolean> {
  const [parent] = (await repository.commitInfo(id)).parents;
  if (parent === undefined) return true;
  return (await repository.commitInfo(parent)).committedAtMs < fromMs;
}

/** Instruction files that are not what tasks under way were begun with, or a person accepted since. */
async function driftedPrompts(moment: Moment): Promise<Finding[]> {
  const { store, config, repository } = moment;
  const tasks = await listTasks(store, { state: 'open', limit: TASKS_MAX });
  if (tasks.length === 0) return [];
  const head = await headOf(moment);
  const bytes = new Map<string, Uint8Array | undefined>();
  for (const path of config.prompt.files)
    bytes.set(path, (await repository.readFile(head, path)) ?? undefined);
  const now = digestsOf(bytes);
  const hit = new Map<string, string[]>();
  for (const { id } of tasks) {
    const attested = await readAttested(store, id);
    if (attested === undefined) continue;
    // What is compiled for a phase is attested beside the files, and not a file of the branch.
    const files: InstructionFiles = Object.fromEntries(
      config.prompt.files.map((path) => [path, attested.files[path] ?? null]),
    );
    for (const { what } of driftOf({ ...attested, files }, now))
      hit.set(what, [...(hit.get(what) ?? []), id]);
  }
  return [...hit].map(([path, ids]) =>
    suggest(
      `The prompt ${quotedName(path, 100)} drifted`,
      `it is not what ${ids.length === 1 ? 'a task' : `${ids.length} tasks`} under way began with (${ids.slice(0, 3).join(', ')}). A person who has read it runs "hone task accept-prompts <id>".`,
    ),
  );
}

/** Failures and measures that are at another level since a commit to a prompt. */
async function outcomesAfterPrompts({ report }: CycleData, moment: Moment): Promise<Finding[]> {
  const { store, config, repository, telemetry } = moment;
  const head = await headOf(moment);
  const { texts } = await readSettings(repository, head, config.target.agentFiles);
  const prompts = new Set([...config.prompt.files, ...texts]);
  const commits = (await commitsSince(moment, report.fromMs)).filter(({ paths }) =>
    paths.some((path) => prompts.has(path)),
  );
  if (commits.length === 0) return [];
  const { groups } = await telemetry.failures({ fromMs: report.fromMs, toMs: report.toMs });
  const failing = changesAfter(groups, commits).map(({ commit, what, before, since }) => ({
    commit,
    did: `${what} fails in ${percent(since)} of its calls since then, ${percent(before)} before`,
  }));
  const shifted: typeof failing = [];
  for (const { did, pattern: id } of report.findings) {
    const pattern = did === 'told' && id !== null ? await readPattern(store, id) : undefined;
    if (pattern?.shift === undefined) continue;
    const { onsetFromMs, onsetToMs } = pattern.shift;
    const commit = commits.findLast(
      ({ atMs }) => atMs <= onsetToMs && atMs >= onsetFromMs - LAG_MS,
    );
    if (commit !== undefined) shifted.push({ commit, did: pattern.title });
  }
  return [...failing, ...shifted].map(({ commit, did }) => {
    const paths = commit.paths.filter((path) => prompts.has(path)).slice(0, 3);
    const named = paths.map((path) => quotedName(path, 80)).join(', ');
    return suggest(
      `Outcomes changed after a change of ${named}`,
      `${did}. The commit is ${commit.id.slice(0, 12)} of ${isoTime(commit.atMs).slice(0, 16).replace('T', ' ')} UTC; read what it changed.`,
    );
  });
}

/** A change shows at once, or when its agents are next started. */
const LAG_MS = 6 * 3_600_000;

const day = (atMs: number) => isoTime(atMs).slice(0, 10);
const percent = (share: number) => `${Number((100 * share).toFixed(1))} %`;
