/** One cycle: begun, and worked until it is finished, or left to the workers of this process. */
import type { Clock } from '../base/index.ts';
import type { CycleAnswer, StartedCycle } from '../contracts/cycle.ts';
import {
  forgeOf,
  readCycle,
  readReport,
  type Started,
  type Taken,
  troubledWorks,
} from '../loop/index.ts';
import { clockDoubts, clockWords } from './clock-doubts.ts';
import { type AppContext, type Opened, type OpenLoop, withLoop, withOpened } from './context.ts';
import { goOn } from './go-on.ts';
import { type Refusal, unknown, usage } from './refusal.ts';

/** How long to wait for another process that works on it: what a dead process held is free by then. */
const LEASES_WAITED = 2;
const LOOK_AGAIN_MS = 200;

/** Begins a cycle, or joins the one that is running, and works until it is finished. */
export function runCycle(context: AppContext): Promise<CycleAnswer | Refusal> {
  const onStep = (text: string) => context.progress(`${text} …`);
  return withLoop(context, { onStep }, async (opened, open): Promise<CycleAnswer | Refusal> => {
    const begun = await beginCycle(context, opened, open);
    if ('refused' in begun) return begun;
    const { cycle } = begun;
    const steps = await runUntilFinished(context, open, cycle);
    return { ...(await cycleOf(opened, cycle)), steps: steps.map(stepJson) };
  });
}

/** Begins a cycle, or names the one that is running. */
export function startCycle(context: AppContext): Promise<StartedCycle | Refusal> {
  return withLoop(context, {}, async (opened, open): Promise<StartedCycle | Refusal> => {
    const begun = await beginCycle(context, opened, open);
    return 'refused' in begun ? begun : { cycle: begun.cycle, started: begun.started };
  });
}

/** What a cycle found; the steps that followed from it are its proposals' own. */
export function showCycle(context: AppContext, id: string): Promise<CycleAnswer | Refusal> {
  return withOpened(context, async (opened): Promise<CycleAnswer | Refusal> => {
    if ((await readCycle(opened.store, id)) === undefined)
      return unknown(`There is no cycle ${id}.`);
    return { ...(await cycleOf(opened, id)), steps: [] };
  });
}

async function beginCycle(
  context: AppContext,
  { store, killSwitch }: Opened,
  open: OpenLoop,
): Promise<{ readonly cycle: string; readonly started: boolean } | Refusal> {
  const stop = await killSwitch.state();
  if (killSwitch.held !== undefined) return { refused: killSwitch.held };
  if (stop.stopped) {
    return {
      refused: `Everything automatic is stopped: ${stop.reason}. "hone resume" lifts it.`,
    };
  }
  for (const doubt of await clockDoubts(store, context.clock)) context.remark(clockWords(doubt));
  const missing = await missingBranch(open);
  if (missing !== undefined) return usage(missing);
  const begun = await begin(open, context.clock);
  if (begun.started) return begun;
  const { cycle, why } = begun;
  return cycle === null ? { refused: why } : { cycle, started: false };
}

async function cycleOf(
  { store, killSwitch, configuration }: Opened,
  cycle: string,
): Promise<Omit<CycleAnswer, 'steps'>> {
  const report = (await readReport(store, cycle)) ?? null;
  if (report !== null) return { cycle, configuration, unfinished: null, report };
  const trouble = await troubleOf(store, cycle);
  if (trouble !== undefined) {
    const unfinished = `The cycle is not finished: ${trouble} "hone cycle" and "hone up" try it again.`;
    return { cycle, configuration, unfinished, report };
  }
  const { stopped } = await killSwitch.state();
  const unfinished = stopped
    ? 'The cycle is not finished: everything was stopped in the meantime. "hone resume" lifts it.'
    : 'The cycle is not finished: another process is working on it. "hone status" shows its progress.';
  return { cycle, configuration, unfinished, report };
}

/** Checked before a cycle begins: it could only fail, and be retried forever. */
async function missingBranch({ ports }: OpenLoop): Promise<string | undefined> {
  const { branch } = ports.config.deploy;
  if ((await forgeOf(ports).resolve(`refs/heads/${branch}`)) !== undefined) return undefined;
  return `The target repository has no commit on a branch ${branch}. Make one, or name another branch in deploy.branch of hone.yaml.`;
}

/** Another process may be starting one at this moment: then that one is used. */
async function begin(open: OpenLoop, clock: Clock): Promise<Started> {
  const untilMs = waitUntilMs(open, clock);
  for (;;) {
    const started = await open.loop.startCycle('human');
    if (started.cycle !== null || clock.monotonicMs() > untilMs) return started;
    await clock.sleep(LOOK_AGAIN_MS);
  }
}

/** Another process, such as `hone up`, may take some of its steps: they are waited for. */
async function runUntilFinished(context: AppContext, open: OpenLoop, id: string): Promise<Taken[]> {
  const { clock } = context;
  const steps: Taken[] = [];
  const untilMs = waitUntilMs(open, clock);
  for (;;) {
    steps.push(...(await goOn(context, open)).filter(({ outcome }) => outcome !== 'held'));
    if (!(await isUnderWay(open, id)) || clock.monotonicMs() > untilMs) return steps;
    await clock.sleep(LOOK_AGAIN_MS);
  }
}

function waitUntilMs({ ports }: OpenLoop, clock: Clock): number {
  return clock.monotonicMs() + LEASES_WAITED * ports.config.lease.ttl;
}

async function isUnderWay({ ports }: OpenLoop, id: string): Promise<boolean> {
  const { store, killSwitch } = ports;
  const { finishedAtMs } = (await readCycle(store, id))!;
  if (finishedAtMs !== null || (await killSwitch.state()).stopped) return false;
  return (await troubleOf(store, id)) === undefined;
}

async function troubleOf(store: Opened['store'], id: string): Promise<string | undefined> {
  const troubled = await troubledWorks(store);
  return troubled.find(({ subject }) => subject === id)?.error ?? undefined;
}

function stepJson({ work, kind, subject, step, outcome, did, moved }: Taken) {
  return { work, kind, subject, step, outcome, did, moved };
}
