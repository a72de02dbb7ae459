/**
 * The story of Hone, told with the real thing: a fleet that fails, the failure found, the fix proposed,
 * proven, decided, deployed and watched; then a fix that looks good and hurts later, and is taken back.
 * Everything goes through the commands people use; only time and the fleet are simulated.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Io } from '../src/cli/io.ts';
import { jsonLine } from '../src/cli/io.ts';
import { proseColumns, wrap } from '../src/cli/layout.ts';
import type { DemoAnswer } from '../src/contracts/demo.ts';
import type { ProposalState } from '../src/facts/index.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import { chart } from './chart.ts';
import { FleetRun, type Tick } from './fleet-run.ts';
import { expectDone, type LabInstallation, openLab, type Ran } from './installation.ts';
import type { Scenario } from './scenario.ts';
import { bundledScenario } from './scenario-files.ts';

const HOUR_MS = 3_600_000;

export interface DemoOptions {
  readonly io: Io;
  readonly seed: number;
  /** Waits for Enter between the acts when somebody is there. */
  readonly pause: boolean;
  /** One act alone, on this PostgreSQL database; without it both, on SQLite. */
  readonly only?: { readonly act: 1 | 2; readonly postgresUrl: string };
}

export async function runDemo(options: DemoOptions): Promise<number> {
  const { io, seed } = options;
  // A document is no story: what is told goes nowhere then.
  const teller = new Teller(io.json ? { ...options, io: { ...io, out: () => {} } } : options);
  teller.say(
    `${options.io.style('bold', 'Hone, in two acts.')} A small fleet of agents works for people. ` +
      'Files in a git repository define how it behaves. Hone watches beside it.',
  );
  teller.say('All of it is made for this and removed afterwards; time is virtual.');
  const acts: Act[] = [];
  if (options.only?.act !== 2) acts.push(await actOne(teller, options));
  if (options.only === undefined) await teller.pause();
  if (options.only?.act !== 1) acts.push(await actTwo(teller, options));
  teller.say('');
  teller.say(
    'That was the whole loop. In your own repository: "hone init", "hone sources add <path>" for your ' +
      'telemetry, then "hone cycle", or "hone up" to let it watch by itself.',
  );
  if (io.json) io.out(jsonLine({ seed, acts } satisfies DemoAnswer));
  return 0;
}

async function actOne(teller: Teller, options: DemoOptions): Promise<Act> {
  const scenario = bundledScenario('timeout-too-low');
  teller.title('Act 1. A failure, found and fixed', scenario.story);
  await using stage = await openStage(scenario, options);
  const { run, lab, startMs } = stage;
  run.isUp = false;
  await run.until(startMs + 26 * HOUR_MS);
  teller.say(`A day has passed. Calls that failed, ${scenario.traffic.agents.length} agents:`);
  teller.chart(stage, scenario, { fromMs: startMs, toMs: lab.clock.nowMs() });
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
  teller.chart(stage, scenario, { fromMs: startMs, toMs: lab.clock.nowMs(), markMs: deployedMs });
  await teller.hone(lab, 'proposals', 'list');
  const state = await expectState(lab, id, 'implemented');
  teller.say('Hone remembers it as a proven fix.');
  return { scenario: scenario.name, proposal: id, title, state, ...failed(stage, deployedMs) };
}

async function actTwo(teller: Teller, options: DemoOptions): Promise<Act> {
  const scenario = bundledScenario('helps-then-hurts');
  teller.title('Act 2. A fix that looks good, and hurts later', scenario.story);
  await using stage = await openStage(scenario, options);
  const { run, lab, startMs } = stage;
  run.isUp = false;
  await run.until(startMs + 27 * HOUR_MS);
  teller.say('Again a day has passed, and somebody asks Hone to look:');
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
  teller.chart(stage, scenario, { fromMs: startMs, toMs: lab.clock.nowMs(), markMs: deployedMs });
  teller.say('At first it helped. At the peak it starved the tool, and Hone took it back at once:');
  await teller.hone(lab, 'ledger', 'show', '--subject', `proposal:${id}`, '--limit', '6');
  teller.say('What failed once is not tried again for the same failure:');
  await teller.hone(lab, 'cycle');
  // As the server does every hour.
  expectDone(await lab.hone('ledger', 'checkpoint'));
  teller.say('Everything is on record, and the record can be checked by anybody:');
  await teller.hone(lab, 'ledger', 'verify');
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
}

async function openStage(scenario: Scenario, { io, seed, only }: DemoOptions): Promise<Stage> {
  const lab = await openLab({
    scenario,
    seed,
    removeAtExit: true,
    columns: () => io.columns,
    ...(only === undefined ? {} : { postgresUrl: only.postgresUrl }),
  });
  const events: JsonlEvent[] = [];
  const onTick = ({ events: some }: Tick) => {
    for (const event of some) events.push(event);
  };
  const run = new FleetRun({ lab, scenario, seed, onTick });
  return {
    lab,
    run,
    events,
    startMs: lab.clock.nowMs(),
    async [Symbol.asyncDispose]() {
      await run[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
    },
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

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Beside the bars stand a name and a number. */
function hoursPerColumn(hours: number, columns: number): number {
  const room = proseColumns(columns) - 24;
  return Math.max(1, Math.ceil(hours / Math.max(1, room)));
}

/** Says things, as wide as the terminal is. */
class Teller {
  readonly #options: DemoOptions;

  constructor(options: DemoOptions) {
    this.#options = options;
  }

  say(text: string): void {
    const { io } = this.#options;
    io.out(wrap(text, io.columns));
  }

  indented(text: string): void {
    const { io } = this.#options;
    io.out(wrap(text, io.columns, '  '));
  }

  title(title: string, story: string): void {
    const { io } = this.#options;
    io.out(`\n${io.style('bold', wrap(title, io.columns))}\n`);
    this.say(story.trim().replace(/\s+/g, ' '));
    io.out('\n');
  }

  /** Runs a command for real and shows what it says. */
  async hone(lab: LabInstallation, ...args: string[]): Promise<Ran> {
    const { io } = this.#options;
    io.out(`\n${io.style('bold', `$ hone ${args.join(' ')}`)}\n`);
    const ran = expectDone(await lab.hone(...args));
    io.out(`${ran.out}${ran.err}\n`);
    return ran;
  }

  chart(
    stage: Stage,
    scenario: Scenario,
    { fromMs, toMs, markMs }: { fromMs: number; toMs: number; markMs?: number },
  ): void {
    const { io } = this.#options;
    const options = { fromMs, toMs, binMs: HOUR_MS, top: 0.3 };
    const hours = hoursPerColumn((toMs - fromMs) / HOUR_MS, io.columns);
    io.out('\n');
    for (const { agent } of scenario.traffic.agents) {
      const binMs = hours * HOUR_MS;
      const { bars, rate } = chart(stage.events, { ...options, binMs, agent });
      io.out(`  ${agent.padEnd(10)} ${bars}${markMs === undefined ? `  ${percent(rate)}` : ''}\n`);
    }
    if (markMs !== undefined) {
      const at = Math.floor((markMs - fromMs) / (hours * HOUR_MS));
      io.out(`  ${' '.repeat(11 + at)}^ deployed\n`);
      const before = chart(stage.events, { ...options, toMs: markMs });
      const after = chart(stage.events, { ...options, fromMs: markMs });
      this.indented(
        `of all calls ${percent(before.rate)} failed before it, ${percent(after.rate)} after; ` +
          `worst hour ${percent(before.worst)} and ${percent(after.worst)}`,
      );
    }
    const each = hours === 1 ? 'one hour' : `${hours} hours`;
    this.indented(`one column is ${each}; full height is 30 % of calls failing`);
    io.out('\n');
  }

  async pause(): Promise<void> {
    if (!this.#options.pause) return;
    const prompt = createInterface({ input: process.stdin, output: process.stdout });
    // On a terminal the prompt gets Ctrl-C, and would only close.
    prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    await Promise.race([prompt.question('Enter goes on. '), once(prompt, 'close')]);
    prompt.close();
  }
}
