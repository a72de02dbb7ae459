#!/usr/bin/env node
/**
 * The composition root: starts the command line. Answers `--version` before anything is loaded. What stands
 * here and is imported here also loads in a Node that is too old for the rest, so that it can be told.
 */
import module from 'node:module';
import { bearBrokenErrors, bearBrokenOutput } from './cli/broken-output.ts';
import { isNodeNewEnough, NODE_MIN, VERSION } from './version.ts';

module.enableCompileCache?.();
bearBrokenOutput();
const argv = process.argv.slice(2);
if (!isNodeNewEnough(process.versions.node)) {
  process.stderr.write(
    `hone: Needs Node ${NODE_MIN} or newer; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else if (argv[0] === 'hook' && !argv.includes('--help')) {
  const { startHook } = await import('./compose/hook.ts');
  process.exitCode = await startHook(argv.slice(1), VERSION);
} else {
  bearBrokenErrors();
  const [{ runCli }, { makeContext }] = await Promise.all([
    import('./cli/program.ts'),
    import('./compose/context.ts'),
  ]);
  process.exitCode = await runCli(argv, (json) => makeContext(json, VERSION));
}
