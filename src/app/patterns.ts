/** Patterns: what was found, what became of each, and what people want done with one. */
import { isoTime } from '../base/index.ts';
import type {
  PatternList,
  PatternMerge,
  PatternMergeInput,
  PatternsListInput,
  PatternWish,
  PatternWishInput,
  ShownDiagnosis,
  ShownPattern,
} from '../contracts/pattern.ts';
import {
  findPattern,
  forgetPlan,
  ignoredPatterns,
  ignorePlan,
  isOnePlace,
  listPatterns as listRows,
  mergePlan,
  type PatternRow,
  readPattern,
} from '../diagnose/index.ts';
import { type Actor, CAUSE_LAYERS, type Pattern, type ProposalState } from '../facts/index.ts';
import { type CycleReport, diagnoseNow, listCycles, readReport } from '../loop/index.ts';
import { Telemetry } from '../observe/index.ts';
import {
  AT_THE_TARGET,
  listProposals,
  OPEN_STATES,
  type Proposal,
  readDossier,
} from '../proposal/index.ts';
import { mask } from '../sanitise/index.ts';
import type { Plan, Store } from '../store/index.ts';
import { type AppContext, withLoop, withOpened } from './context.ts';
import { pageOf } from './page.ts';
import { originOf } from './pattern-origin.ts';
import { standingOf } from './pattern-status.ts';
import { isRefusal, type Refusal, unknown } from './refusal.ts';

const PROPOSALS_MAX = 1000;
const CYCLES_READ = 20;

/** The newest first. */
export function listPatterns(
  context: AppContext,
  { before, limit }: PatternsListInput,
): Promise<PatternList> {
  return withOpened(context, async ({ store }) => {
    const around = await aroundPatterns(store);
    const { shown, next } = pageOf(await listRows(store, limit + 1, before), limit, ({ id }) => id);
    return { patterns: await Promise.all(shown.map((row) => listedOf(row, around))), next };
  });
}

/** `given`: its id, or a unique prefix of it. */
export function showPattern(context: AppContext, given: string): Promise<ShownPattern | Refusal> {
  return withLoop(context, {}, async ({ store }, { ports }): Promise<ShownPattern | Refusal> => {
    const row = await findOnePattern(store, given);
    if (isRefusal(row)) return row;
    const around = await aroundPatterns(store);
    const pattern = await wholeOf(store, row);
    return {
      ...(await listedOf(row, around)),
      ...foundOf(pattern),
      layers: layersOf(pattern),
      origin: await originOf(pattern, new Telemetry(ports.telemetry)),
      cycle: row.cycleId,
      proposals: (around.proposals.get(row.id) ?? []).map(({ id }) => id),
    };
  });
}

/** Nothing more is said of it or proposed for it. */
export function ignorePattern(
  context: AppContext,
  given: string,
  { reason }: PatternWishInput,
): Promise<PatternWish | Refusal> {
  return wish(context, given, (id, by) => ignorePlan(id, { ...by, reason }));
}

/** It is new when it is found again; also lifts the wish to ignore it. */
export function forgetPattern(
  context: AppContext,
  given: string,
  { reason }: PatternWishInput,
): Promise<PatternWish | Refusal> {
  return wish(context, given, (id, by) => forgetPlan(id, { ...by, reason }));
}

/** From now on what is found of it counts for the other one. */
export function mergePattern(
  context: AppContext,
  given: string,
  { into, reason }: PatternMergeInput,
): Promise<PatternMerge | Refusal> {
  return withOpened(context, async ({ store, config }): Promise<PatternMerge | Refusal> => {
    const [one, other] = [await findOnePattern(store, given), await findOnePattern(store, into)];
    if (isRefusal(one)) return one;
    if (isRefusal(other)) return other;
    const actor = await context.actor(config.identity.agents);
    const refused =
      agentRefusal(actor) ??
      (one.id === other.id ? `${one.id} is one with itself. Give two patterns.` : undefined) ??
      (await placeRefusal(store, one, other)) ??
      (await openRefusal(store, one));
    if (refused !== undefined) return { refused };
    await store.commit(mergePlan(one.id, other.id, { actor, reason, nowMs: await store.nowMs() }));
    return { id: one.id, title: one.title, into: other.id };
  });
}

function agentRefusal(actor: Actor): string | undefined {
  return actor.kind === 'agent'
    ? `${actor.id} is an agent, and only a person hides a failure.`
    : undefined;
}

async function placeRefusal(store: Store, one: PatternRow, other: PatternRow) {
  const [first, second] = [await wholeOf(store, one), await wholeOf(store, other)];
  if (isOnePlace(first, second)) return undefined;
  const place = ({ agent, tool }: Pattern) =>
    `${tool || 'the tasks'} of ${agent || 'nobody named'}`;
  return `They are at different places: ${place(first)} and ${place(second)}. A cause is looked for at one place, so only failures of one agent at one tool can be merged.`;
}

async function openRefusal(store: Store, { id }: PatternRow): Promise<string | undefined> {
  const proposed = (await aroundPatterns(store)).proposals.get(id) ?? [];
  const open = proposed.find(({ state }) => !AT_THE_TARGET.includes(state));
  return (
    open &&
    `${open.id} is proposed for ${id} and is not decided. Decide it first: "hone proposals show ${open.id}".`
  );
}

/** Looks at the telemetry that was read, and keeps nothing of what it finds. */
export function showDiagnosis(context: AppContext): Promise<ShownDiagnosis> {
  return withLoop(context, {}, async (_, { ports }) => {
    const { window, diagnosis } = await diagnoseNow(ports);
    const patterns = [...diagnosis.patterns, ...diagnosis.told];
    return {
      ...window,
      summary: diagnosis.summary,
      patterns: patterns.map((one) => ({
        id: one.id,
        title: mask(one.title).text,
        kind: one.kind,
        layer: one.layer,
        trigger: one.whyNow?.trigger ?? null,
        wait: one.whyNow?.wait ?? null,
        ...foundOf(one),
      })),
      passedOver: diagnosis.passedOver.map(({ title, why }) => ({
        title: mask(title).text,
        why: mask(why).text,
      })),
      notes: diagnosis.notes.map((note) => mask(note).text),
    };
  });
}

type By = Omit<Parameters<typeof ignorePlan>[1], 'reason'>;

function wish(
  context: AppContext,
  given: string,
  planOf: (id: string, by: By) => Plan,
): Promise<PatternWish | Refusal> {
  return withOpened(context, async ({ store, config }): Promise<PatternWish | Refusal> => {
    const row = await findOnePattern(store, given);
    if (isRefusal(row)) return row;
    const actor = await context.actor(config.identity.agents);
    const refused = agentRefusal(actor);
    if (refused !== undefined) return { refused };
    await store.commit(planOf(row.id, { actor, nowMs: await store.nowMs() }));
    return { id: row.id, title: row.title };
  });
}

export async function findOnePattern(store: Store, given: string): Promise<PatternRow | Refusal> {
  const found = await findPattern(store, given);
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    return unknown(`There is no pattern ${given}. "hone patterns list" shows them.`);
  const ids = found.map(({ id }) => id).join(', ');
  return unknown(`More than one pattern begins with ${given}: ${ids}. Give more of its id.`);
}

/** What the standing of patterns depends on, read once for all of them. */
interface Around {
  readonly store: Store;
  readonly ignored: Awaited<ReturnType<typeof ignoredPatterns>>;
  /** Open or at the target, by pattern. */
  readonly proposals: ReadonlyMap<string, readonly Proposal[]>;
  report(cycle: string): Promise<CycleReport | undefined>;
  /** When the newest cycle that judged something was begun. */
  readonly judgedAtMs: number;
}

const LIVING: readonly ProposalState[] = [
  ...new Set<ProposalState>(['draft', 'quarantined', ...OPEN_STATES, ...AT_THE_TARGET]),
];

async function aroundPatterns(store: Store): Promise<Around> {
  const reports = new Map<string, Promise<CycleReport | undefined>>();
  const report = (cycle: string) => {
    const known = reports.get(cycle) ?? readReport(store, cycle);
    reports.set(cycle, known);
    return known;
  };
  let judgedAtMs = 0;
  for (const { id, startedAtMs, finishedAtMs } of await listCycles(store, CYCLES_READ)) {
    if (finishedAtMs === null || !hasJudged(await report(id))) continue;
    judgedAtMs = startedAtMs;
    break;
  }
  const open = await listProposals(store, { states: LIVING, limit: PROPOSALS_MAX });
  const dossiers = await Promise.all(open.map(({ id }) => readDossier(store, id)));
  const proposals = Map.groupBy(
    dossiers.filter(({ content }) => content.patternId !== null),
    ({ content }) => content.patternId!,
  );
  return {
    store,
    ignored: await ignoredPatterns(store),
    proposals: new Map([...proposals].map(([id, all]) => [id, all.map((one) => one.proposal)])),
    report,
    judgedAtMs,
  };
}

/** A cycle that was kept from judging, such as by missing telemetry, has missed nothing. */
function hasJudged(report: CycleReport | undefined): boolean {
  return report !== undefined && report.fromMs < report.toMs && !isUnjudged(report);
}

const isUnjudged = ({ notes }: CycleReport) =>
  notes.some((note) => note.startsWith('Nothing was judged'));

async function listedOf(row: PatternRow, around: Around): Promise<PatternList['patterns'][number]> {
  const { id, cycleId, foundAtMs } = row;
  const pattern = await wholeOf(around.store, row);
  const findings = (await around.report(cycleId))?.findings ?? [];
  const [proposed] = around.proposals.get(id) ?? [];
  const { status, why } = standingOf({
    pattern,
    finding: findings.find((one) => one.pattern === id),
    isMissed: around.judgedAtMs > foundAtMs,
    proposed: proposed?.title,
    ignored: around.ignored.get(id)?.reason,
  });
  return {
    id,
    title: mask(pattern.title).text,
    agent: pattern.agent,
    tool: pattern.tool,
    kind: pattern.kind,
    layer: pattern.layer,
    trigger: pattern.whyNow?.trigger ?? null,
    status,
    why: mask(why).text,
    firstSeenAt: isoTime(pattern.firstAtMs),
    lastSeenAt: isoTime(pattern.lastAtMs),
  };
}

async function wholeOf(store: Store, { id }: PatternRow): Promise<Pattern> {
  const pattern = await readPattern(store, id);
  if (pattern === undefined) throw new Error(`the pattern ${id} was recorded and is gone`);
  return pattern;
}

/** What is left for something that nobody thought of is of no layer. */
function layersOf({ considered = [] }: Pattern): ShownPattern['layers'] {
  return CAUSE_LAYERS.map((layer) => {
    const here = considered.filter((one) => one.layer === layer && one.for.length > 0);
    const sum = (of: (one: (typeof here)[number]) => number) =>
      here.reduce((total, one) => total + of(one), 0);
    return {
      layer,
      confidence: Math.min(1, Math.round(1000 * sum(({ confidence }) => confidence)) / 1000),
      for: sum((one) => one.for.length),
      against: sum((one) => one.against.length),
    };
  });
}

function foundOf(pattern: Pattern) {
  const masked = (texts: readonly string[]) => texts.map((text) => mask(text).text);
  const { confidence, occurrences, calls, sessions, severity, evidence } = pattern;
  return {
    ...{ confidence, occurrences, calls, sessions, severity, evidence },
    considered: (pattern.considered ?? []).map((one) => ({
      ...one,
      what: mask(one.what).text,
      for: masked(one.for),
      against: masked(one.against),
    })),
    reasons: masked(pattern.reasons),
    settledBy: pattern.settledBy === undefined ? null : mask(pattern.settledBy).text,
  };
}
