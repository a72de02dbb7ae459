/**
 * A cycle: look at what came in, find what recurs, propose what can be proposed, say what was found and
 * why it did or did not act. Each phase is one step of its own, and proposing takes one step per pattern,
 * so a cycle that is killed goes on where it was.
 *
 *   observe ──► diagnose ──► propose (once per pattern) ──► finish
 */
import { artifactWrite, makeArtifact, readArtifact } from '../artifact/index.ts';
import { canonicalJson, type Json } from '../base/index.ts';
import {
  diagnose,
  knownPatterns,
  patternParts,
  readPattern,
  readSettings,
} from '../diagnose/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { closedChanges, cycleParts } from '../learn/index.ts';
import { listProposals, OPEN_STATES, planCreate, readDossier } from '../proposal/index.ts';
import { proposeFix } from '../propose/index.ts';
import type { Plan, Store } from '../store/index.ts';
import { readCycle } from './cycle-store.ts';
import { pageEffect } from './pages.ts';
import { cycleFinish, cycleInsert } from './rebuild.ts';
import type { Rooms } from './rooms.ts';
import type { CycleReport, Finding, Work } from './types.ts';
import { newWork } from './works.ts';

type Phase = 'observe' | 'diagnose' | 'propose' | 'finish';

export interface CycleData {
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

export function startCyclePlan(id: string, trigger: string, nowMs: number): Plan {
  const data: CycleData = {
    phase: 'observe',
    left: [],
    report: {
      cycle: id,
      fromMs: nowMs,
      toMs: nowMs,
      collected: { events: 0, aside: 0 },
      notes: [],
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
        subject: `cycle:${id}`,
        data: { trigger },
        atMs: nowMs,
      },
    ],
  };
}

export function asJson(data: CycleData): Json {
  return data as unknown as Json;
}

export function cycleStep(work: Work, rooms: Rooms, signal: AbortSignal): Promise<CycleStep> {
  const data = work.data as unknown as CycleData;
  switch (data.phase) {
    case 'observe':
      return observe(data, rooms, signal);
    case 'diagnose':
      return findPatterns(data, rooms);
    case 'propose':
      return proposeOne(data, rooms);
    case 'finish':
      return finish(data, work, rooms);
  }
}

async function observe(data: CycleData, rooms: Rooms, signal: AbortSignal): Promise<CycleStep> {
  const collected = await rooms.collect(signal);
  // Stopped half-way, what was read is kept; what is left is read before anything is judged.
  signal.throwIfAborted();
  const { events, aside } = collected;
  const notes = [...missingSettings(rooms), ...collected.notes];
  return {
    plan: {},
    did: `read ${events} new events${aside === 0 ? '' : `, ${aside} set aside`}`,
    data: {
      ...data,
      phase: 'diagnose',
      report: { ...data.report, collected: { events, aside }, notes: notes.slice(0, 20) },
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
  const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
  const groups = await rooms.telemetry.failures(window);
  const commit = await rooms.head();
  const { settings, problems } = await readSettings(
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
  return {
    plan: patternParts({ cycle: data.report.cycle, patterns, nowMs }),
    did:
      patterns.length === 0
        ? `nothing to act on among ${groups.length} kinds of failures`
        : `found ${count(patterns.length, 'recurring failure')}`,
    data: {
      phase: patterns.length === 0 ? 'finish' : 'propose',
      left: patterns.map(({ id }) => id),
      report: {
        ...data.report,
        ...window,
        notes: [...data.report.notes, ...problems.slice(0, 20)],
        findings: passed,
      },
    },
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
  if (count >= config.limits.openProposals) {
    return decline(`${count} proposals are open, and ${config.limits.openProposals} may be`);
  }
  const openContents = await Promise.all(
    open.map(async ({ id: one }) => (await readDossier(store, one)).content),
  );
  const answer = await proposeFix(pattern, {
    repository: rooms.repository,
    head: await rooms.head(),
    author: rooms.author,
    nowMs,
    failedChanges: await closedChanges(store, pattern.id, {
      nowMs,
      refusalHoldsMs: config.learn.refusalHolds,
    }),
    openChanges: openContents.map(({ change }) => change),
    proposer: SYSTEM,
    minConfidence: config.diagnose.minConfidence,
  });
  if ('declined' in answer) return decline(answer.declined);
  const { content, diff } = answer.proposed;
  const proposalId = rooms.newId('p');
  const created = planCreate(proposalId, content, nowMs);
  const plan: Plan = {
    ...created,
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
    `proposed: ${content.title}`,
  );
}

async function finish(data: CycleData, work: Work, rooms: Rooms): Promise<CycleStep> {
  const { nowMs } = rooms;
  const { report } = data;
  const artifact = makeArtifact(canonicalJson(report as unknown as Json), 'application/json');
  const acted = report.findings.filter(({ did }) => did !== 'passed_over').length;
  const proposals = report.findings.filter(({ did }) => did === 'proposed').length;
  const outcome = proposals > 0 ? 'proposed' : 'nothing_to_do';
  const result = {
    outcome,
    report: artifact.digest,
    patterns: acted,
    proposals,
    activeMs: Math.round(work.activeMs),
  } as const;
  const lesson = lessonOf(report);
  const learnt = cycleParts({ cycle: report.cycle, patterns: acted, proposals, lesson, nowMs });
  return {
    plan: {
      writes: [
        artifactWrite(artifact, nowMs),
        cycleFinish(report.cycle, result, nowMs),
        ...learnt.writes,
      ],
      entries: [
        {
          type: 'loop.cycle_finished',
          actor: SYSTEM,
          subject: `cycle:${report.cycle}`,
          data: result,
          artifacts: [artifact.digest],
          atMs: nowMs,
        },
        ...learnt.entries,
      ],
    },
    did: lesson,
    data: null,
  };
}

function lessonOf({ findings, collected }: CycleReport): string {
  const proposed = findings.filter(({ did }) => did === 'proposed').length;
  const declined = findings.filter(({ did }) => did === 'declined').length;
  if (proposed + declined === 0) {
    return collected.events === 0 && findings.length === 0
      ? 'no signals: nothing to learn from'
      : 'nothing recurs enough to act on';
  }
  const parts = [
    ...(proposed === 0 ? [] : [`${count(proposed, 'change')} proposed`]),
    ...(declined === 0 ? [] : [`${count(declined, 'failure')} left alone`]),
  ];
  return parts.join(', ');
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** The report of a finished cycle. */
export async function readReport(store: Store, cycleId: string): Promise<CycleReport | undefined> {
  const cycle = await readCycle(store, cycleId);
  if (cycle === undefined || cycle.report === null) return undefined;
  const { content } = await readArtifact(store, cycle.report);
  return JSON.parse(Buffer.from(content).toString()) as CycleReport;
}
