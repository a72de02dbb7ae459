/**
 * `npm run lab`: plays scenarios with a real Hone, each with several seeds and with both approvers, and
 * says how they came out. With `--json` one object per line; the totals have `"set":"total"`. Exit 1 when
 * something did not come out as it should.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { APPROVERS, type ApproverKind } from './approvers.ts';
import { type Played, playScenario } from './play.ts';
import { readScenario, type Scenario } from './scenario.ts';
import { totals } from './totals.ts';

const USAGE = `Usage: npm run -s lab -- [--scenarios <folder>] [--only <name>] [--seeds <n>]
       [--approver scripted|blind] [--json]
`;

export function readScenarios(folder: string): Scenario[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files.sort().map((name) => {
    const reading = readScenario(readFileSync(join(folder, name), 'utf8'), name);
    if (reading.ok) return reading.scenario;
    throw new Error(`${folder}:\n${reading.problems.join('\n')}`);
  });
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      scenarios: { type: 'string', default: 'lab/scenarios' },
      only: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      approver: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const approvers = APPROVERS.filter(
    (one) => values.approver === undefined || one === values.approver,
  );
  const seeds = Number(values.seeds);
  if (values.help || approvers.length === 0 || !(seeds >= 1)) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const scenarios = readScenarios(values.scenarios).filter(
    ({ name }) => values.only === undefined || values.only === name,
  );
  if (scenarios.length === 0) {
    process.stderr.write(`No scenario in ${values.scenarios}.\n${USAGE}`);
    return 2;
  }
  const played: Played[] = [];
  for (const scenario of scenarios)
    for (const approver of approvers)
      for (let seed = 1; seed <= seeds; seed++)
        played.push(await playAndSay({ scenario, approver, seed }, values.json));
  const figures = totals(played);
  for (const figure of figures) {
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ lab: 'lab', set: 'total', ...figure })}\n`
        : `${figure.metric.padEnd(30)} ${figure.value ?? 'none'}  (${figure.n})\n`,
    );
  }
  return played.every(({ ok, violations }) => ok && violations.length === 0) ? 0 : 1;
}

async function playAndSay(
  run: { scenario: Scenario; approver: ApproverKind; seed: number },
  json: boolean,
): Promise<Played> {
  const { scenario, approver, seed } = run;
  const startMs = performance.now();
  const onDay = (day: number) => {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r${scenario.name}, ${approver}, seed ${seed}: day ${day + 1}  `);
  };
  const played = await playScenario({ ...run, onDay });
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  const seconds = Math.round((performance.now() - startMs) / 100) / 10;
  process.stdout.write(
    json
      ? `${JSON.stringify({ lab: 'lab', set: scenario.name, ...played, seconds })}\n`
      : `${played.ok && played.violations.length === 0 ? 'ok    ' : 'FAILED'} ${scenario.name}, ` +
          `${approver}, seed ${seed}: ${played.why} (${seconds} s)\n` +
          played.violations.map((line) => `       ${line}\n`).join(''),
  );
  return played;
}

if (import.meta.main) process.exitCode = await main();
