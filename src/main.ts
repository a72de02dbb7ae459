#!/usr/bin/env node
/** The composition root: starts the command line. Answers `--version` before anything is loaded. */
import { enableCompileCache } from 'node:module';
import { VERSION } from './version.ts';

enableCompileCache();
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const [{ runCli }, { makeContext }] = await Promise.all([
    import('./cli/program.ts'),
    import('./compose/context.ts'),
  ]);
  process.exitCode = await runCli(argv, (json) => makeContext(json, VERSION));
}
