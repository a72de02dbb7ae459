/** `npm run check`: types, lint and format, unused code, and the rules of the house. Under a minute. */
import { spawnSync } from 'node:child_process';

const steps: readonly (readonly [string, readonly string[]])[] = [
  ['types', ['tsc']],
  ['types of the dashboard', ['tsc', '-p', 'dashboard']],
  ['lint and format', ['biome', 'check', '--error-on-warnings', '.']],
  ['unused code', ['knip']],
  ['house', ['vitest', 'run', '--project', 'house', '--reporter', 'dot']],
];

for (const [name, command] of steps) {
  const startMs = performance.now();
  const { status } = spawnSync(command[0]!, command.slice(1), { stdio: 'inherit', shell: false });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (status !== 0) process.exit(1);
}
