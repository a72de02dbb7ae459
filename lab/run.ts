/**
 * `npm run lab`: plays scenarios, or random worlds, with a real Hone, each with both approvers, and says how they
 * came out. With `--json` one object per line; the totals have `"set":"total"`. Progress goes to stderr. Exit 1
 * when something did not come out as it should.
 */
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { APPROVERS } from './approvers.ts';
import type { Played } from './play.ts';
import { type Done, playAll } from './play-pool.ts';
import type { PlayOrder } from './play-worker.ts';
import { randomWorld } from './random/world.ts';
import { readScenarios } from './scenario-folder.ts';
import { randomTotals, type Total, totals } from './totals.ts';

const USAGE = `Usage: npm run -s lab -- [--scenarios <folder>] [--only <name,…>] [--seeds <n>]
       npm run -s lab -- --random <n> [--from <seed>] | --print <seed>
  --harmful <share>          of the random worlds, those with a cure that hurts (0.17)
  --approver scripted|blind  one of the two people, in place of both
  --workers <n>              runs at the same time (2)
  --minutes <n>              begin no further run after so long (240)
  --run-minutes <n>          give one run up after so long (15)
  --json                     one object a line
`;

const OPTIONS = {
  scenarios: { type: 'string', default: 'lab/scenarios' },
  only: { type: 'string' },
  seeds: { type: 'string', default: '1' },
  approver: { type: 'string' },
  random: { type: 'string' },
  from: { type: 'string', default: '0' },
  harmful: { type: 'string' },
  print: { type: 'string' },
  workers: { type: 'string', default: '2' },
  minutes: { type: 'string', default: '240' },
  'run-minutes': { type: 'string', default: '15' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

interface Asked {
  /** What the lines of the output are called by. */
  readonly lab: 'lab' | 'random';
  readonly orders: readonly PlayOrder[];
  /** By the names of scenarios, such as `seen`. */
  readonly sets: ReadonlyMap<string, string | undefined>;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  const counts = [values.seeds, values.workers, values.minutes, values['run-minutes']].map(Number);
  const approvers = APPROVERS.filter((one) => (values.approver ?? one) === one);
  const { harmful } = drawnAs(values);
  const isShare = harmful === undefined || (harmful >= 0 && harmful <= 1);
  if (values.help || approvers.length === 0 || !counts.every((count) => count > 0) || !isShare) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  if (values.print !== undefined) {
    const world = randomWorld(Number(values.print), { harmful });
    process.stdout.write(stringify(world, { lineWidth: 110 }));
    return 0;
  }
  const asked = askedFor(values, approvers);
  if (asked.orders.length === 0) {
    process.stderr.write(`No scenario in ${values.scenarios}.\n${USAGE}`);
    return 2;
  }
  const { played, left } = await playOrders(asked, values);
  if (left > 0)
    process.stderr.write(`${left} of ${asked.orders.length} runs were not begun in time.\n`);
  sayTotals(asked, played, values.json);
  const isGood = played.every(({ ok, violations }) => ok && violations.length === 0);
  return isGood && left === 0 ? 0 : 1;
}

function askedFor(values: Values, approvers: PlayOrder['approvers']): Asked {
  if (values.random !== undefined) {
    const orders = Array.from({ length: Number(values.random) }, (_, index) => ({
      of: { worldSeed: Number(values.from) + index, ...drawnAs(values) },
      seed: 1,
      approvers,
    }));
    return { lab: 'random', orders, sets: new Map() };
  }
  const listed = readScenarios(values.scenarios).filter(
    ({ scenario }) => values.only === undefined || values.only.split(',').includes(scenario.name),
  );
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);
  return {
    lab: 'lab',
    orders: listed.flatMap(({ scenario }) =>
      seeds.map((seed) => ({ of: { scenario }, seed, approvers })),
    ),
    sets: new Map(listed.map(({ scenario, set }) => [scenario.name, set])),
  };
}

function drawnAs({ harmful }: Values): { harmful?: number | undefined } {
  return { harmful: harmful === undefined ? undefined : Number(harmful) };
}

async function playOrders(
  { lab, orders }: Asked,
  values: Values,
): Promise<{ played: Played[]; left: number }> {
  const all: Played[] = [];
  let done = 0;
  const left = await playAll(orders, {
    workers: Math.min(Number(values.workers), orders.length),
    minutesMax: Number(values.minutes),
    runMinutesMax: Number(values['run-minutes']),
    onDay: ({ of, seed }, day) => {
      if (!process.stderr.isTTY) return;
      const name = 'scenario' in of ? `${of.scenario.name}, seed ${seed}` : `world ${of.worldSeed}`;
      process.stderr.write(`\r\u001b[2K${name}: day ${day + 1}`);
    },
    onPlayed: ({ title, played, seconds, cpuSeconds }) => {
      done += 1;
      all.push(...played);
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
      const text = wordsOf({ title, played, seconds, cpuSeconds });
      (values.json ? process.stderr : process.stdout).write(`${done}/${orders.length} ${text}`);
      if (!values.json) return;
      for (const one of played) {
        const line = { lab, set: one.scenario, title, ...one, seconds, cpuSeconds };
        process.stdout.write(`${JSON.stringify(line)}\n`);
      }
    },
  });
  return { played: all, left };
}

function wordsOf({ title, played, seconds, cpuSeconds }: Done): string {
  const [first] = played;
  const cpu = cpuSeconds === null ? '' : `, ${cpuSeconds.toFixed(1)} s of CPU`;
  const head = `${first!.scenario}, seed ${first!.seed}: ${title} (${seconds} s${cpu})\n`;
  return head + played.map(wordsOfOne).join('');
}

function wordsOfOne(played: Played): string {
  const { approver, why, label, violations, hoursToDetection, hoursToRollback } = played;
  const times = [
    ...(hoursToDetection === null ? [] : [`found after ${hoursToDetection} h`]),
    ...hoursToRollback.map((hours) => `taken back after ${hours} h`),
  ];
  const result = played.ok && violations.length === 0 ? 'ok    ' : 'FAILED';
  const miss = label === null ? '' : ` [${label}]`;
  const when = times.length === 0 ? '' : ` (${times.join('; ')})`;
  return (
    `  ${result} ${approver}: ${why}${miss}${when}\n` +
    violations.map((line) => `         ${line}\n`).join('')
  );
}

/** For each set, and for all; then how often each label was the reason of a miss. */
function sayTotals({ lab, sets: setOf }: Asked, played: readonly Played[], json: boolean): void {
  const sets = [...new Set(setOf.values())].filter((set) => set !== undefined).sort();
  const figures = lab === 'random' ? randomTotals : totals;
  for (const set of [...sets, 'total']) {
    const some = played.filter((one) => set === 'total' || setOf.get(one.scenario) === set);
    for (const figure of [...figures(some), ...labels(some)]) {
      process.stdout.write(
        json
          ? `${JSON.stringify({ lab, set, ...figure })}\n`
          : `${set.padEnd(7)} ${figure.metric.padEnd(32)} ${figure.value ?? 'none'}  (${figure.n})\n`,
      );
    }
  }
}

function labels(played: readonly Played[]): Total[] {
  const missed = played.flatMap(({ label }) => label ?? []);
  return [...new Set(missed)].sort().map((label) => ({
    metric: `missed: ${label}`,
    value: missed.filter((one) => one === label).length,
    n: missed.length,
  }));
}

if (import.meta.main) process.exitCode = await main();
