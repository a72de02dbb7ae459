/**
 * The story of Hone, told with the real thing: a fleet that fails, the failure found, the fix proposed,
 * proven, decided, deployed and watched; then a fix that looks good and hurts later, and is taken back; then a coding
 * agent at work. Everything goes through the commands people use; only time, the fleet and the agent are simulated.
 */
import type { Io } from '../src/cli/io.ts';
import { jsonLine } from '../src/cli/io.ts';
import type { DemoAnswer } from '../src/contracts/demo.ts';
import type { ProposalState } from '../src/facts/index.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import { chart } from './chart.ts';
import { FleetRun, type Tick } from './fleet-run.ts';
import { expectDone, type LabInstallation, openLab } from './installation.ts';
import type { Scenario } from './scenario.ts';
import { bundledScenario } from './scenario-files.ts';
import { openStoryServer, STILL_THERE, WATCH } from './story-server.ts';
import { Teller } from './teller.ts';

const HOUR_MS = 3_600_000;

export interface DemoOptions {
  readonly io: Io;
  readonly seed: number;
  /** Waits for Enter between the acts when somebody is there. */
  readonly pause: boolean;
  /** One act alone, of the first two on this PostgreSQL database; without it all, on SQLite. */
  readonly only?: { readonly act: 1 | 2; readonly postgresUrl: string } | { readonly act: 3 };
  /** Where the scenarios of the first two acts come from, if not with Hone. */
  readonly scenario?: (name: string) => Scenario;
}

export async function runDemo(options: DemoOptions): Promise<number> {
  const { io, seed } = options;
  // A document is no story: what is told goes nowhere then.
  const teller = new Teller(io.json ? { ...options, io: { ...io, out: () => {} } } : options);
  teller.say(
    `${options.io.style('bold', 'Hone, in three acts.')} A small fleet of agents works for people. ` +
      'Files in a git repository define how it behaves. Hone watches beside it.',
  );
  teller.say('All of it is removed afterwards. In the first two acts time is virtual.');
  const acts: Act[] = [];
  const plays = (act: number) => options.only === undefined || options.only.act === act;
  if (plays(1)) acts.push(await actOne(teller, options));
  if (plays(2)) acts.push(await actTwo(teller, options));
  const task = plays(3)
    ? await (await import('./act-three.ts')).actThree(teller, { hasOnlookers: !io.json })
    : null;
  teller.say('');
  teller.say(
    'That was the whole loop. In your own repository: "hone init", "hone sources add <path>" for your ' +
      'telemetry, then "hone cycle", or "hone up" to let it watch by itself.',
  );
  if (io.json) io.out(jsonLine({ seed, acts, task } satisfies DemoAnswer));
  return 0;
}

async function actOne(teller: Teller, options: DemoOptions): Promise<Act> {
  const scenario = (options.scenario ?? bundledScenario)('timeout-too-low');
  teller.title('Act 1. A failure, found and fixed', scenario.story);
  await using stage = await openStage(scenario, options);
  const { run, lab, startMs } = stage;
  await stage.announce(teller);
  run.isUp = false;
  await run.until(startMs + 26 * HOUR_MS);
  teller.say(`A day has passed. Calls that failed, ${scenario.traffic.agents.length} agents:`);
  teller.chart(stage.events, scenario, { fromMs: startMs, toMs: lab.clock.nowMs() });
  teller.say('Somebody asks Hone to look:');
  await teller.hone(lab, 'cycle');
  const { id, digest, title } = await onlyProposal(lab, 'pending');
  teller.say('Hone waits for a person. This is what they see:');
  await teller.hone(lab, 'proposals', 'show', id);
  teller.say('It is small, proven and can be taken back. They allow it:');
  await teller.hone(lab, 'approve', id, '--digest', digest.slice(7, 19));
  run.forgetFiles();
  run.isUp = true;
  const deployedMs = lab.clock.nowMs();
  teller.say('"hone up" watches the change for 24 hours against the day before it.');
  await run.until(deployedMs + 25 * HOUR_MS);
  teller.chart(stage.events, scenario, {
    fromMs: startMs,
    toMs: lab.clock.nowMs(),
    markMs: deployedMs,
  });
  await teller.hone(lab, 'proposals', 'list');
  const state = await expectState(lab, id, 'implemented');
  teller.say('Hone remembers it as a proven fix.');
  await stage.rest(teller);
  return { scenario: scenario.name, proposal: id, title, state, ...failed(stage, deployedMs) };
}

async function actTwo(teller: Teller, options: DemoOptions): Promise<Act> {
  const scenario = (options.scenario ?? bundledScenario)('helps-then-hurts');
  teller.title('Act 2. A fix that looks good, and hurts later', scenario.story);
  await using stage = await openStage(scenario, options);
  const { run, lab, startMs } = stage;
  await stage.announce(teller);
  run.isUp = false;
  await run.until(startMs + 9 * HOUR_MS);
  teller.say('A quiet night has passed, and somebody asks Hone to look:');
  const cycle = expectDone(await lab.hone('cycle', '--json')).json<CycleJson>();
  const { id, digest, title } = await onlyProposal(lab, 'pending');
  for (const { title, why } of cycle.report.findings.filter(({ did }) => did === 'proposed')) {
    teller.indented(`Found: ${title}`);
    teller.indented(`Proposed: ${why}`);
  }
  teller.say('The replay of recorded sessions says that it helps. Somebody allows it:');
  await teller.hone(lab, 'approve', id, '--digest', digest.slice(7, 19));
  run.forgetFiles();
  run.isUp = true;
  const deployedMs = lab.clock.nowMs();
  await run.until(deployedMs + 24 * HOUR_MS);
  const state = await expectState(lab, id, 'reverted');
  const rates = failed(stage, deployedMs);
  teller.chart(stage.events, scenario, {
    fromMs: startMs,
    toMs: lab.clock.nowMs(),
    markMs: deployedMs,
  });
  teller.say('At first it helped. At the peak it starved the tool, and Hone took it back at once:');
  await teller.hone(lab, 'ledger', 'show', '--subject', `proposal:${id}`, '--limit', '6');
  teller.say('What failed once is not tried again for the same failure:');
  await teller.hone(lab, 'cycle');
  // As the server does every hour.
  expectDone(await lab.hone('ledger', 'checkpoint'));
  teller.say('Everything is on record, and the record can be checked by anybody:');
  await teller.hone(lab, 'ledger', 'verify');
  await stage.rest(teller);
  return { scenario: scenario.name, proposal: id, title, state, ...rates };
}

type Act = DemoAnswer['acts'][number];

function failed({ events, startMs, lab }: Stage, markMs: number) {
  const rate = (fromMs: number, toMs: number) =>
    chart(events, { fromMs, toMs, binMs: HOUR_MS, top: 1 }).rate;
  return {
    failedBefore: rate(startMs, markMs),
    failedAfter: rate(markMs, lab.clock.nowMs()),
  };
}

interface CycleJson {
  readonly report: {
    readonly findings: readonly { title: string; why: string; did: string }[];
  };
}

interface Stage extends AsyncDisposable {
  readonly lab: LabInstallation;
  readonly run: FleetRun;
  readonly startMs: number;
  readonly events: readonly JsonlEvent[];
  /** Says where the act can be watched. */
  announce(teller: Teller): Promise<void>;
  /** Before the next act, while the dashboard is still there. */
  rest(teller: Teller): Promise<void>;
}

async function openStage(scenario: Scenario, { io, seed, only }: DemoOptions): Promise<Stage> {
  await using closing = new AsyncDisposableStack();
  const lab = await openLab({
    scenario,
    seed,
    removeAtExit: true,
    columns: () => io.columns,
    ...(only !== undefined && 'postgresUrl' in only ? { postgresUrl: only.postgresUrl } : {}),
  });
  const events: JsonlEvent[] = [];
  const onTick = ({ events: some }: Tick) => {
    for (const event of some) events.push(event);
  };
  closing.use(lab);
  const run = closing.use(new FleetRun({ lab, scenario, seed, onTick }));
  // A document has no onlookers.
  const server = io.json ? undefined : closing.use(await openStoryServer(lab));
  const open = closing.move();
  return {
    lab,
    run,
    events,
    startMs: lab.clock.nowMs(),
    announce: async (teller) => {
      if (server !== undefined) teller.address(WATCH, await server.address());
    },
    rest: async (teller) => {
      if (only !== undefined || !teller.pauses) return;
      if (server !== undefined) teller.address(STILL_THERE, await server.address());
      await teller.pause();
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

interface Listed {
  readonly id: string;
  readonly digest: string;
  readonly title: string;
  readonly state: ProposalState;
}

async function list(lab: LabInstallation): Promise<readonly Listed[]> {
  const listed = expectDone(await lab.hone('proposals', 'list', '--json'));
  return listed.json<{ proposals: Listed[] }>().proposals;
}

async function onlyProposal(lab: LabInstallation, state: ProposalState): Promise<Listed> {
  const [first, ...rest] = (await list(lab)).filter((one) => one.state === state);
  if (first === undefined || rest.length > 0) {
    throw new Error(
      `the story needs one ${state} proposal and has ${rest.length + (first ? 1 : 0)}`,
    );
  }
  return first;
}

async function expectState(
  lab: LabInstallation,
  id: string,
  state: ProposalState,
): Promise<ProposalState> {
  const found = (await list(lab)).find((one) => one.id === id)?.state;
  if (found !== state)
    throw new Error(`the story went another way: ${id} is ${found}, not ${state}`);
  return found;
}
