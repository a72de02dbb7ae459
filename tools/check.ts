/**
 * `npm run check`: types, lint and format, unused code, and the rules of the house. Under a minute. The types are
 * checked beside the rest, by one checker: several repeat each other's work, twice the time of one in all.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

type Step = readonly [name: string, command: readonly string[]];

const TYPES: Step = ['types', ['tsc', '--checkers', '1']];
const REST: readonly Step[] = [
  ['types of the dashboard', ['tsc', '-p', 'dashboard']],
  ['lint and format', ['biome', 'check', '--error-on-warnings', '.']],
  ['unused code', ['knip']],
  ['house', ['vitest', 'run', '--project', 'house', '--reporter', 'dot']],
];

/** Says what it said when it is over, so that two at once stay apart. */
async function passes([name, [program, ...args]]: Step): Promise<boolean> {
  const startMs = performance.now();
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [out, err, exit] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  process.stdout.write(`${out}${err}${exit === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  return exit === 0;
}

async function allPass(steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) if (!(await passes(step))) return false;
  return true;
}

const lanes = await Promise.all([allPass([TYPES]), allPass(REST)]);
if (!lanes.every(Boolean)) process.exitCode = 1;
