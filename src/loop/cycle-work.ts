/**
 * A cycle: look at what came in, find what recurs, propose what can be proposed, say what was found and
 * why it did or did not act. Each phase is one step of its own, and proposing takes one step per pattern,
 * so a cycle that is killed goes on where it was.
 *
 *   observe ──► diagnose ──► propose (once per pattern) ──► finish
 */
import { artifactWrite } from '../artifact/index.ts';
import type { Json } from '../base/index.ts';
import {
  diagnose,
  knownPatterns,
  patternParts,
  readPattern,
  readSettings,
  seenWords,
} from '../diagnose/index.ts';
import { type Failures, SYSTEM, type Window } from '../facts/index.ts';
import { closedChanges } from '../learn/index.ts';
import { type LetPass, letPassEntry, letPassWords } from '../policy/index.ts';
import { listProposals, OPEN_STATES, planCreate, readDossier } from '../proposal/index.ts';
import { proposeFix } from '../propose/index.ts';
import type { Plan } from '../store/index.ts';
import { count, endCycle } from './cycle-end.ts';
import { judgeOpen, judgePause, judgeTelemetry } from './gates.ts';
import { pageEffect } from './pages.ts';
import { cycleInsert } from './rebuild.ts';
import type { Rooms } from './rooms.ts';
import type { CycleReport, Finding, Trigger, Work } from './types.ts';
import { newWork } from './works.ts';

type Phase = 'observe' | 'diagnose' | 'propose' | 'finish';

export interface CycleData extends StartOptions {
  readonly phase: Phase;
  /** Patterns that were not looked at yet, the most pressing first. */
  readonly left: readonly string[];
  readonly report: CycleReport;
}

export interface CycleStep {
  readonly plan: Plan;
  readonly did: string;
  /** Null ends the cycle. */
  readonly data: CycleData | null;
}

const OPEN_MAX = 1000;

/** What is not like every other cycle. */
export interface StartOptions {
  /** Looks back so far; `diagnose.window` unless given. */
  readonly windowMs?: number;
  /** The schedule that began it: whom it tells of what was proposed. */
  readonly schedule?: string;
}

export function startCyclePlan(
  id: string,
  options: StartOptions & { trigger: Trigger; nowMs: number; letPass: LetPass | undefined },
): Plan {
  const { trigger, nowMs, letPass, ...rest } = options;
  const subject = `cycle:${id}`;
  const data: CycleData = {
    ...rest,
    phase: 'observe',
    left: [],
    report: {
      cycle: id,
      fromMs: nowMs,
      toMs: nowMs,
      collected: { events: 0, aside: 0 },
      newestEventMs: null,
      notes: letPass === undefined ? [] : [letPassWords(letPass)],
      findings: [],
    },
  };
  return {
    writes: [
      cycleInsert(id, trigger, nowMs),
      newWork({ kind: 'cycle', subject: id, dueAtMs: nowMs, data: asJson(data), nowMs }),
    ],
    entries: [
      {
        type: 'loop.cycle_started',
        actor: SYSTEM,
        subject,
        data: { trigger },
        atMs: nowMs,
      },
      ...(letPass === undefined ? [] : [letPassEntry(letPass, subject, nowMs)]),
    ],
  };
}

export function asJson(data: CycleData): Json {
  return data as unknown as Json;
}

export async function cycleStep(work: Work, rooms: Rooms, signal: AbortSignal): Promise<CycleStep> {
  const data = work.data as unknown as CycleData;
  switch (data.phase) {
    case 'observe':
      return observe(data, rooms, signal);
    case 'diagnose':
      return findPatterns(data, rooms);
    case 'propose':
      return proposeOne(data, rooms);
    case 'finish':
      return endCycle(data, work, rooms);
  }
}

async function observe(data: CycleData, rooms: Rooms, signal: AbortSignal): Promise<CycleStep> {
  const collected = await rooms.collect(signal);
  // Stopped half-way, what was read is kept; what is left is read before anything is judged.
  signal.throwIfAborted();
  const { events, aside } = collected;
  const notes = [...data.report.notes, ...missingSettings(rooms), ...collected.notes];
  return {
    plan: {},
    did: `read ${events} new events${aside === 0 ? '' : `, ${aside} set aside`}`,
    data: {
      ...data,
      phase: 'diagnose',
      report: {
        ...data.report,
        collected: { events, aside },
        newestEventMs: await rooms.telemetry.newestEventMs(),
        notes: notes.slice(0, 20),
      },
    },
  };
}

/** What keeps a cycle from seeing anything, and the key that mends it. */
function missingSettings({ config }: Rooms): string[] {
  return [
    ...(config.observe.sources.length === 0
      ? ['No telemetry is read: name its files under observe.sources in hone.yaml.']
      : []),
    ...(config.target.agentFiles.length === 0
      ? ['No settings are read: name the agents\u2019 files under target.agentFiles in hone.yaml.']
      : []),
  ];
}

async function findPatterns(data: CycleData, rooms: Rooms): Promise<CycleStep> {
  const { nowMs, config } = rooms;
  const window = { fromMs: nowMs - (data.windowMs ?? config.diagnose.window), toMs: nowMs };
  const fit = await judgeTelemetry(rooms, window);
  if ('refused' in fit) return leaveAlone(data, window, fit.refused);
  const { groups, folded } = await rooms.telemetry.failures(window);
  const commit = await rooms.head();
  const { settings, problems, seen } = await readSettings(
    rooms.repository,
    commit,
    config.target.agentFiles,
  );
  const known = await knownPatterns(rooms.store);
  const found = diagnose({ window, groups, settings, commit, limits: config.diagnose, known });
  const passed: Finding[] = found.passedOver.slice(0, 50).map(({ title, why }) => ({
    title,
    why,
    did: 'passed_over',
    pattern: null,
    proposal: null,
  }));
  const { patterns } = found;
  const { cycle } = data.report;
  const { letPass } = fit;
  const parts = patternParts({ cycle, patterns, nowMs });
  const passedGate = letPass === undefined ? [] : [letPassEntry(letPass, `cycle:${cycle}`, nowMs)];
  const notes = letPass === undefined ? [] : [letPassWords(letPass)];
  return {
    plan: { ...parts, expect: fit.unchanged, entries: [...parts.entries, ...passedGate] },
    did:
      patterns.length === 0
        ? `nothing to act on among ${groups.length} kinds of failures`
        : `found ${count(patterns.length, 'recurring failure')}`,
    data: {
      ...data,
      phase: patterns.length === 0 ? 'finish' : 'propose',
      left: patterns.map(({ id }) => id),
      report: {
        ...data.report,
        ...window,
        notes: [
          ...data.report.notes,
          ...notes,
          ...foldedWords(folded),
          ...seenWords(seen, config.deploy.branch),
          ...problems.slice(0, 20),
        ],
        findings: passed,
      },
    },
  };
}

/** Never in silence: somebody may make up failures to hide others behind them. */
function foldedWords({ groups, failures }: Failures['folded']): string[] {
  if (groups === 0) return [];
  return [
    `${count(groups, 'more kind')} of failure (${count(failures, 'failure')}) came than one cycle looks at. Each source and agent had its share; see "hone telemetry" for where they come from.`,
  ];
}

/** Ends the cycle without a judgement on what it saw. */
function leaveAlone(data: CycleData, window: Window, why: string): CycleStep {
  const notes = [...data.report.notes, `Nothing was judged: ${why}.`];
  return {
    plan: {},
    did: `nothing judged: ${why}`,
    data: { ...data, phase: 'finish', report: { ...data.report, ...window, notes } },
  };
}

async function proposeOne(data: CycleData, rooms: Rooms): Promise<CycleStep> {
  const { store, nowMs, config } = rooms;
  const [id, ...left] = data.left;
  const pattern = await readPattern(store, id!);
  if (pattern === undefined) throw new Error(`the pattern ${id} was recorded and is gone`);
  const next = (finding: Finding, plan: Plan, did: string): CycleStep => ({
    plan,
    did,
    data: {
      ...data,
      phase: left.length === 0 ? 'finish' : 'propose',
      left,
      report: { ...data.report, findings: [...data.report.findings, finding] },
    },
  });
  const common = { title: pattern.title, pattern: pattern.id };
  const decline = (why: string) =>
    next({ ...common, did: 'declined', why, proposal: null }, {}, `left alone: ${why}`);

  // What is held for a person is not proposed once more in every cycle.
  const states = ['draft', 'quarantined', ...OPEN_STATES] as const;
  const open = await listProposals(store, { states, limit: OPEN_MAX });
  // One that is held back until a person looks must not be proposed again, but takes nobody's place.
  const count = open.filter(({ state }) => state !== 'quarantined').length;
  const place = await judgeOpen(rooms.switches, { count, max: config.limits.openProposals });
  if ('refused' in place) return decline(place.refused);
  const dossiers = await Promise.all(open.map(({ id: one }) => readDossier(store, one)));
  const answer = await proposeFix(pattern, {
    repository: rooms.repository,
    head: await rooms.head(),
    author: rooms.author,
    nowMs,
    closedChanges: await closedChanges(store, pattern.id, {
      nowMs,
      refusalHoldsMs: config.learn.refusalHolds,
    }),
    openChanges: dossiers.map(({ content }) => content.change),
    proposer: SYSTEM,
    minConfidence: config.diagnose.minConfidence,
  });
  if ('declined' in answer) return decline(answer.declined);
  const { content, diff } = answer.proposed;
  const unpaused = await judgePause(rooms, content, dossiers);
  if ('refused' in unpaused) return decline(unpaused.refused);
  const proposalId = rooms.newId('p');
  const created = planCreate(proposalId, content, nowMs);
  const subject = `proposal:${proposalId}`;
  const letPass = [place.letPass, unpaused.letPass].filter((one) => one !== undefined);
  const passed = letPass.map((one) => letPassEntry(one, subject, nowMs));
  const plan: Plan = {
    ...created,
    expect: [...(created.expect ?? []), ...place.unchanged, ...unpaused.unchanged],
    entries: [...(created.entries ?? []), ...passed],
    writes: [
      artifactWrite(diff, nowMs),
      ...(created.writes ?? []),
      newWork({ kind: 'proposal', subject: proposalId, dueAtMs: nowMs, data: {}, nowMs }),
    ],
    effects: [pageEffect({ id: proposalId, version: 1, state: 'draft' })],
  };
  return next(
    { ...common, did: 'proposed', why: content.title, proposal: proposalId },
    plan,
    [`proposed: ${content.title}`, ...letPass.map(letPassWords)].join('. '),
  );
}
