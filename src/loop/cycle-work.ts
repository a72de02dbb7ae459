/**
 * A cycle: read new telemetry, find recurring failures, propose fixes, and report what was found and why
 * Hone did or did not act. Each phase is one step of its own, and proposing takes one step per pattern,
 * so a killed cycle continues where it was.
 *
 *   observe ──► diagnose ──► propose (once per pattern) ──► scan (once a week) ──► finish
 */
import type { Json } from '../base/index.ts';
import { diagnose, patternParts } from '../diagnose/index.ts';
import { SYSTEM, type Window } from '../facts/index.ts';
import { type LetPass, letPassEntry, letPassWords } from '../policy/index.ts';
import type { Plan } from '../store/index.ts';
import { diagnosePorts } from './adapters/diagnose.ts';
import { tellReturned } from './adapters/notify.ts';
import { endCycle } from './cycle-end.ts';
import { proposeOne } from './cycle-propose.ts';
import { judgeTelemetry } from './gates.ts';
import type { Moment } from './moment.ts';
import { cycleInsert } from './rebuild.ts';
import type { ScheduleName } from './schedules.ts';
import type { QueuedTrigger } from './trigger-store.ts';
import type { CycleReport, Finding, Trigger, Work } from './types.ts';
import { scanStep } from './weekly-scan.ts';
import { newWork } from './works.ts';

/** The schedule whose cycles look for more than failures. */
const SCAN_SCHEDULE: ScheduleName = 'enhancementScan';
/** Of a cycle's notes, which are few. */
const TRIGGERS_NOTED = 5;

type Phase = 'observe' | 'diagnose' | 'propose' | 'scan' | 'finish';

export interface CycleData extends StartOptions {
  readonly phase: Phase;
  /** Patterns still to be examined, the most pressing first. */
  readonly left: readonly string[];
  readonly report: CycleReport;
}

export interface CycleStep {
  readonly plan: Plan;
  readonly did: string;
  /** Null ends the cycle. */
  readonly data: CycleData | null;
}

/** How this cycle differs from the others. */
export interface StartOptions {
  /** Looks back so far; `diagnose.window` unless given. */
  readonly windowMs?: number;
  /** The schedule that began it: whom it tells of what was proposed. */
  readonly schedule?: string;
}

export function startCyclePlan(
  id: string,
  options: StartOptions & {
    trigger: Trigger;
    triggers: readonly QueuedTrigger[];
    nowMs: number;
    letPass: LetPass | undefined;
  },
): Plan {
  const { trigger, triggers, nowMs, letPass, ...rest } = options;
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
      notes: [
        ...triggers.slice(0, TRIGGERS_NOTED).map(askedWords),
        ...(letPass === undefined ? [] : [letPassWords(letPass)]),
      ],
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

function askedWords({ kind, detail, times }: QueuedTrigger): string {
  const often = times === 1 ? '' : ` It asked ${times} times.`;
  return `${kind === 'human' ? 'Somebody asked for it' : 'Looked at because'}: ${detail}${often}`;
}

/** What the weekly scan looks at beside failures comes last, when it is known what became of each failure. */
export function afterProposing({ schedule }: StartOptions): Phase {
  return schedule === SCAN_SCHEDULE ? 'scan' : 'finish';
}

export function asJson(data: CycleData): Json {
  return data as unknown as Json;
}

export async function cycleStep(
  work: Work,
  moment: Moment,
  signal: AbortSignal,
): Promise<CycleStep> {
  const data = work.data as unknown as CycleData;
  switch (data.phase) {
    case 'observe':
      return observe(data, moment, signal);
    case 'diagnose':
      return findPatterns(data, moment);
    case 'propose':
      return proposeOne(data, moment);
    case 'scan':
      return scanStep(data, moment);
    case 'finish':
      return endCycle(data, work, moment);
  }
}

async function observe(data: CycleData, moment: Moment, signal: AbortSignal): Promise<CycleStep> {
  const collected = await moment.collect(signal);
  // If it is stopped half-way, what was read is kept; the rest is read before anything is judged.
  signal.throwIfAborted();
  // Steps of proposals read as well, and often just before: what they read is as new to this cycle.
  const { events, aside } = moment.takeRead();
  const notes = [...data.report.notes, ...missingSettings(moment), ...collected.notes];
  return {
    plan: {},
    did: `read ${events} new events${aside === 0 ? '' : `, ${aside} set aside`}`,
    data: {
      ...data,
      phase: 'diagnose',
      report: {
        ...data.report,
        collected: { events, aside },
        newestEventMs: await moment.telemetry.newestEventMs(),
        notes: notes.slice(0, 20),
      },
    },
  };
}

/** Why a cycle sees nothing, and the key to correct. */
function missingSettings({ config }: Moment): string[] {
  return [
    ...(config.observe.sources.length === 0
      ? ['No telemetry is read: name its files under observe.sources in hone.yaml.']
      : []),
    ...(config.target.agentFiles.length === 0
      ? ['No settings are read: name the agents\u2019 files under target.agentFiles in hone.yaml.']
      : []),
  ];
}

async function findPatterns(data: CycleData, moment: Moment): Promise<CycleStep> {
  const { nowMs, config } = moment;
  const window = { fromMs: nowMs - (data.windowMs ?? config.diagnose.window), toMs: nowMs };
  const fit = await judgeTelemetry(moment, window);
  if ('refused' in fit) return leaveAlone(data, window, fit.refused);
  const found = await diagnose(window, 'causes', diagnosePorts(moment));
  const { patterns, told } = found;
  const passed: Finding[] = found.passedOver.slice(0, 50).map(({ title, why }) => ({
    title,
    why,
    did: 'passed_over',
    pattern: null,
    proposal: null,
  }));
  const shifted: Finding[] = told.map(({ id, title, reasons }) => ({
    title,
    why: reasons.join(' '),
    did: 'told',
    pattern: id,
    proposal: null,
  }));
  const { cycle } = data.report;
  const { letPass } = fit;
  const parts = patternParts({ cycleId: cycle, patterns: [...patterns, ...told], nowMs });
  const passedGate = letPass === undefined ? [] : [letPassEntry(letPass, `cycle:${cycle}`, nowMs)];
  const notes = letPass === undefined ? [] : [letPassWords(letPass)];
  const news = tellReturned(patterns, moment);
  return {
    plan: {
      expect: fit.unchanged,
      writes: [...parts.writes, ...news.writes],
      effects: news.effects,
      entries: [...parts.entries, ...passedGate],
    },
    did: found.summary,
    data: {
      ...data,
      phase: patterns.length === 0 ? afterProposing(data) : 'propose',
      left: patterns.map(({ id }) => id),
      report: {
        ...data.report,
        ...window,
        notes: [...data.report.notes, ...notes, ...found.notes],
        findings: [...shifted, ...passed],
      },
    },
  };
}

/** Ends the cycle without judging what it saw. */
function leaveAlone(data: CycleData, window: Window, why: string): CycleStep {
  const notes = [...data.report.notes, `Nothing was judged: ${why}.`];
  return {
    plan: {},
    did: `nothing judged: ${why}`,
    data: { ...data, phase: 'finish', report: { ...data.report, ...window, notes } },
  };
}
