/**
 * `npm start`: the commands there are, run for real in a repository made for it, which is removed
 * afterwards. Takes a few seconds, needs no settings, changes nothing of yours.
 */
import { makeInstallation } from '../test/cli.ts';

using here = makeInstallation();

async function show(why: string, ...args: string[]): Promise<void> {
  process.stdout.write(`\n# ${why}\n$ hone ${args.join(' ')}\n`);
  const { exit, out, err } = await here.hone(...args);
  process.stdout.write(out + err);
  if (exit !== 0) throw new Error(`hone ${args.join(' ')} ended with ${exit}`);
}

process.stdout.write('A tour of Hone, in a throw-away repository.\n');
await show('Set it up', 'init');
await show('Somebody stops everything automatic', 'stop-all', '--reason', 'error rate doubled');
await show('How things stand', 'status');
await show('A person lifts it', 'resume', '--reason', 'it was the network');
await show('Everything that happened is on record', 'ledger', 'show');
await show('Sign the record, to be kept elsewhere', 'ledger', 'checkpoint');
await show('And anybody can check it', 'ledger', 'verify');
process.stdout.write('\nNow in your own repository: npx hone init\n');
