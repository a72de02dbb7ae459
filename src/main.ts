#!/usr/bin/env node
/**
 * The composition root: starts the command line. Answers `--version` before anything is loaded. What stands
 * here and is imported here also loads in a Node that is too old for the rest, so that it can be told.
 */
import module from 'node:module';
import { bearBrokenErrors, bearBrokenOutput } from './cli/broken-output.ts';
import { isNodeNewEnough, NODE_MIN, VERSION } from './version.ts';

keepCompiled();
const argv = process.argv.slice(2);
const isHook = argv[0] === 'hook' && !argv.includes('--help');
// A hook writes nothing there, and making the stream takes it a sixth of its time.
if (!isHook) bearBrokenOutput();
if (!isNodeNewEnough(process.versions.node)) {
  process.stderr.write(
    `hone: Needs Node ${NODE_MIN} or newer; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else if (isHook) {
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

/**
 * Compiled code is run as it is found. Node's own place for it is a folder that everybody on the machine may make first;
 * this one is the user's. Without a home nothing is kept.
 */
function keepCompiled(): void {
  const { XDG_CACHE_HOME: given = '', HOME: home = '' } = process.env;
  const folder = given.startsWith('/')
    ? given
    : home.startsWith('/')
      ? `${home}/.cache`
      : undefined;
  if (folder !== undefined) module.enableCompileCache?.(`${folder}/hone/compiled`);
}
