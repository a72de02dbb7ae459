/** What a deployment is compared with: counted once, kept as a file, read back and checked. */
import { z } from 'zod';
import { type Artifact, makeArtifact, ParsedArtifacts } from '../artifact/index.ts';
import { canonicalJson } from '../base/index.ts';
import { RATE_METRICS, type RateBin, type Window } from '../facts/index.ts';
import { signsSchema } from '../facts/schemas.ts';
import type { Dossier } from '../proposal/index.ts';
import { wilsonInterval } from '../stats/index.ts';
import type { Store } from '../store/index.ts';
import { MonitorError } from './errors.ts';
import { type Expectation, expectationOf } from './expectation.ts';
import { cleanBins, hoursOf } from './groups.ts';
import { toolsThatMoveWith } from './moves-together.ts';
import { toolsOfProvider } from './of-provider.ts';
import { type Footing, footingOf, type Place } from './rings.ts';
import { isSameCounts, sum } from './season.ts';
import type {
  Baseline,
  Count,
  MonitorPorts,
  SeriesName,
  SeriesObserved,
  ToolHours,
} from './types.ts';

const count = z.int().min(0);
const hourList = z.array(z.strictObject({ bad: count, all: count, begun: count.optional() }));
const baselineSchema = z.strictObject({
  startedAtMs: z.int(),
  series: z.array(
    z.strictObject({
      metric: z.enum(RATE_METRICS),
      agent: z.string().nullable(),
      tool: z.string().optional(),
      hours: hourList,
      known: hourList.optional(),
    }),
  ),
  tools: z
    .array(z.strictObject({ agent: z.string(), tool: z.string(), hours: hourList }))
    .optional(),
  expected: z
    .strictObject({
      signs: signsSchema,
      settling: z
        .strictObject({
          untilMs: z.int(),
          tasks: z.number().min(1),
          calls: z.number().min(1).optional(),
        })
        .optional(),
    })
    .optional(),
  footing: z
    .strictObject({
      agents: z.array(z.string()).nullable(),
      tools: z.array(z.string()).nullable(),
      after: z.array(z.string()),
      sharing: z.array(z.string()).optional(),
      holding: z.array(z.string()).optional(),
      answers: z.strictObject({ agent: z.string(), tool: z.string() }).optional(),
    })
    .optional(),
});

/** More agents that share a tool would each get too little of the budget of false alarms. */
const SHARING_MAX = 20;

/**
 * Every metric of the whole fleet and of the agent that the change is about; and how the tool that it is about fares for
 * everybody who shares it, the agent itself included.
 */
async function namesOf(
  dossier: Dossier,
  window: Window,
  ports: MonitorPorts,
): Promise<SeriesName[]> {
  const agent = await ports.agentOf(dossier);
  const wide = RATE_METRICS.flatMap((metric): SeriesName[] => [
    { metric, agent: null },
    ...(agent === undefined ? [] : [{ metric, agent }]),
  ]);
  const tool = await ports.toolOf(dossier);
  if (agent === undefined || tool === undefined) return wide;
  const callers = await ports.callersOf(tool, window);
  const others = callers.filter((one) => one !== agent && one !== '').slice(0, SHARING_MAX);
  if (others.length === 0) return wide;
  return [
    ...wide,
    ...[agent, ...others].map((one) => ({ metric: 'error_rate' as const, agent: one, tool })),
  ];
}

export async function takeBaseline(
  startedAtMs: number,
  dossier: Dossier,
  ports: MonitorPorts,
): Promise<Artifact> {
  const window = { fromMs: startedAtMs - ports.settings.baseline, toMs: startedAtMs };
  const failing = await failingWindow(window, dossier, ports);
  const agent = (await ports.agentOf(dossier)) ?? null;
  const series = await Promise.all(
    (await namesOf(dossier, window, ports)).map(async (name) => {
      const then = await comparedTo(name, { window, failing, agent }, ports);
      const hours = await hoursIn(then, name, ports);
      const known = await hoursIn(then, name, ports, { known: true });
      return isSameCounts(hours, known) ? { ...name, hours } : { ...name, hours, known };
    }),
  );
  const tools = await toolsBefore(window, ports);
  const footing = await footingFor(dossier, window, ports);
  const expected = await expectedOf(startedAtMs, dossier, ports);
  const baseline: Baseline = { startedAtMs, series, tools, footing, expected };
  return makeArtifact(canonicalJson(baselineSchema.parse(baseline)), 'application/json');
}

/** Where too little was seen of a failure that began a moment ago, this much of the time before it is counted with it. */
const FAILING_MS_MIN = 2 * 3_600_000;

/** From the beginning of what the change answers, if that was within the baseline. */
async function failingWindow(
  { fromMs, toMs }: Window,
  dossier: Dossier,
  ports: MonitorPorts,
): Promise<Window> {
  const sinceMs = (await ports.answers(dossier))?.beganMs ?? 0;
  const toMinute = (ms: number) => Math.floor(ms / 60_000) * 60_000;
  return { fromMs: Math.max(fromMs, Math.min(toMinute(sinceMs), toMs)), toMs };
}

interface Windows {
  readonly window: Window;
  readonly failing: Window;
  /** The agent that the change is about. */
  readonly agent: string | null;
}

/** What a series is compared with. */
interface ComparedTo extends Window {
  /** Before its failure began, what this agent called is taken to have failed as it did since then. */
  readonly failing?: { readonly agent: string; readonly window: Window };
}

/**
 * What the change answers may have begun within the baseline: then the hours before that are no comparison for the agent.
 * The failure that was there at the deployment would look like harm at every hour of the day that
 * was well the day before; and so it would to others at the tool who have had the same trouble since then, and do not owe it
 * to the change either. Where it shows that they have it, nothing from before it is counted: an hour of it and an hour without
 * make half of it, and all of it would be twice as much. The whole fleet keeps its day, without which nobody would know
 * what the others bring at the other hours; only the agent's part in it is taken to have failed all along.
 */
async function comparedTo(
  name: SeriesName,
  { window, failing, agent }: Windows,
  ports: MonitorPorts,
): Promise<ComparedTo> {
  if (failing.fromMs <= window.fromMs) return window;
  const isOfAll = name.agent === null && agent !== null;
  const except = isOfAll ? { ...name, agent } : undefined;
  if (await isIllSince(name, { window, failing }, ports, except)) return failing;
  if (name.tool !== undefined) return window;
  const leastMs = failing.toMs - FAILING_MS_MIN;
  const fromMs = Math.max(window.fromMs, Math.min(failing.fromMs, leastMs));
  const then = { ...failing, fromMs };
  return isOfAll ? { ...window, failing: { agent, window: then } } : then;
}

async function isIllSince(
  name: SeriesName,
  { window, failing }: Pick<Windows, 'window' | 'failing'>,
  ports: MonitorPorts,
  except?: SeriesName,
): Promise<boolean> {
  const before = { fromMs: window.fromMs, toMs: failing.fromMs };
  const intervalIn = async (then: Window) => {
    const all = sum(await binsOf(name, then, ports));
    const own = sum(except === undefined ? [] : await binsOf(except, then, ports));
    return wilsonInterval({ failures: all.bad - own.bad, events: all.all - own.all });
  };
  return (await intervalIn(failing)).low > (await intervalIn(before)).high;
}

async function hoursIn(
  { failing, ...window }: ComparedTo,
  name: SeriesName,
  ports: MonitorPorts,
  scope: { readonly known?: boolean } = {},
): Promise<Count[]> {
  const hours = hoursOf(await binsOf(name, window, ports, scope), window);
  if (failing === undefined) return hours;
  const own = { ...name, agent: failing.agent };
  const ill = sum(await binsOf(own, failing.window, ports, scope));
  const rate = ill.all === 0 ? 0 : ill.bad / ill.all;
  const bins = await binsOf(own, { ...window, toMs: failing.window.fromMs }, ports, scope);
  const before = hoursOf(bins, window);
  // Whole failures: what an hour is short of goes to the next.
  let rest = 0;
  return hours.map((hour, at) => {
    const { bad, all } = before[at]!;
    const failed = Math.floor(rest + all * rate);
    rest += all * rate - failed;
    return { ...hour, bad: Math.min(hour.all, Math.max(0, hour.bad - bad) + failed) };
  });
}

/** Two weeks say what the tool takes when it is well. */
const RECORD_MS = 14 * 86_400_000;
const HOUR_MS = 3_600_000;
/** As many show how long is waited: one that is given up is among so many, or hardly matters. */
const RECENT_CALLS = 3000;
/** Settling is a beginning: at most this part of the close watch. */
const SETTLING_PART = 0.25;

async function expectedOf(
  startedAtMs: number,
  dossier: Dossier,
  ports: MonitorPorts,
): Promise<Expectation | undefined> {
  const { signs } = dossier.content;
  if (signs === undefined) return undefined;
  const place = (await ports.answers(dossier)) ?? {};
  const window = { fromMs: startedAtMs - RECORD_MS, toMs: startedAtMs };
  const calls = signs.tries === undefined ? [] : await ports.callHours(window);
  const longestMs = SETTLING_PART * ports.settings.duration;
  const isShorter = (signs.latencyTimes ?? 1) < 1;
  const longestCallMs = isShorter ? await longestWaitMs(place, startedAtMs, ports) : undefined;
  return expectationOf(signs, { place, calls, longestCallMs, startedAtMs, longestMs });
}

/** As long as that ago: a failure that takes longer than a watch may settle is none that it waits for. */
async function longestWaitMs(
  { agent, tool }: Partial<Place>,
  startedAtMs: number,
  { recentCalls, settings }: Pick<MonitorPorts, 'recentCalls' | 'settings'>,
): Promise<number | undefined> {
  if (tool === undefined || tool === '') return undefined;
  const window = { fromMs: startedAtMs - settings.duration, toMs: startedAtMs };
  const recent = await recentCalls(window, [{ tool, calls: RECENT_CALLS }]);
  const waits = (recent.get(tool) ?? [])
    .filter((call) => call.agent === agent && call.failedWith !== null)
    .map(({ startMs, endMs }) => endMs - startMs);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** What a change is at, or would be. */
export async function footingFor(
  dossier: Dossier,
  window: Window,
  ports: Pick<MonitorPorts, 'agentOf' | 'toolOf' | 'toolsAfter' | 'servedTools' | 'callHours'>,
): Promise<Footing> {
  const [agent, tool] = [await ports.agentOf(dossier), await ports.toolOf(dossier)];
  const after =
    agent === undefined || tool === undefined
      ? []
      : await ports.toolsAfter({ agent, tool }, window);
  const toMs = Math.floor(window.toMs / HOUR_MS) * HOUR_MS;
  const sharing =
    tool === undefined
      ? []
      : [
          ...toolsThatMoveWith(tool, await ports.callHours({ fromMs: toMs - RECORD_MS, toMs })),
          ...toolsOfProvider(tool, await ports.servedTools()),
        ];
  return footingOf(
    dossier.content.reach,
    { agent, tool },
    { after, sharing: [...new Set(sharing)].sort() },
  );
}

/** Counted once: reading a day of every tool at every look was most of what a watch cost. */
export async function toolsBefore(
  window: Window,
  ports: Pick<MonitorPorts, 'callsByTool'>,
): Promise<ToolHours[]> {
  const calls = await ports.callsByTool(window);
  return calls.map(({ agent, tool, bins }) => ({ agent, tool, hours: hoursOf(bins, window) }));
}

/**
 * As many as there are watches and probations at a time, a few times over: every look asks for its own and for those of all other
 * changes. The same object each time, by which others keep what they worked out of it.
 */
const BASELINES = new ParsedArtifacts((text, digest): Baseline => {
  try {
    return baselineSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new MonitorError('bad_baseline', `The baseline ${digest} cannot be read.`, { cause });
  }
}, 64);

export function readBaseline(store: Store, digest: string): Promise<Baseline> {
  return BASELINES.read(store, digest);
}

/** What came since, in the series that have a baseline. */
export function observe(
  { series }: Baseline,
  window: Window,
  ports: MonitorPorts,
  scope: { readonly known?: boolean } = {},
): Promise<SeriesObserved[]> {
  return Promise.all(
    series.map(async ({ metric, agent, tool }) => ({
      metric,
      agent,
      tool,
      bins: cleanBins(await binsOf({ metric, agent, tool }, window, ports, scope), window),
    })),
  );
}

function binsOf(
  { metric, agent, tool }: SeriesName,
  window: Window,
  ports: MonitorPorts,
  scope: { readonly known?: boolean } = {},
): Promise<readonly RateBin[]> {
  return ports.rates(metric, window, {
    ...scope,
    ...(agent === null ? {} : { agent }),
    ...(tool === undefined ? {} : { tool }),
  });
}
