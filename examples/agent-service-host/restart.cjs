// Makes the service run a commit: a deploy hook of Hone's, on the machine where the service runs.
//
//   node restart.cjs <folder>       HONE_COMMIT says which commit
//
// <folder> has `checkout` (a clone of the service's repository) and `service.json` (the service's environment). Run again
// for the same commit it restarts the service, which does no harm.
const { execFileSync, spawn } = require('node:child_process');
const { openSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setTimeout: wait } = require('node:timers/promises');

// Half a minute: a busy machine starts a process slowly.
const TRIES = 600;
const folder = process.argv[2];
const commit = process.env.HONE_COMMIT;
const checkout = join(folder, 'checkout');
const pidFile = join(folder, 'service.pid');
const settings = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8'));

async function until(what, isSo) {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await isSo()) return;
    await wait(50);
  }
  throw new Error(`waited in vain until ${what}`);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function stop() {
  let pid;
  try {
    pid = Number(readFileSync(pidFile, 'utf8'));
  } catch {
    return;
  }
  if (isAlive(pid)) process.kill(pid, 'SIGTERM');
  await until('the old service has ended', () => !isAlive(pid));
  rmSync(pidFile);
}

async function start() {
  const log = openSync(join(folder, 'service.log'), 'a');
  const child = spawn(process.execPath, ['service/serve.js'], {
    cwd: checkout,
    env: { ...process.env, ...settings, VERSION: commit },
    stdio: ['ignore', log, log],
    detached: true,
  });
  writeFileSync(pidFile, String(child.pid));
  child.unref();
  const url = `http://${settings.HOST}:${settings.PORT}/version`;
  const version = () =>
    fetch(url).then(
      (answer) => answer.text(),
      () => undefined,
    );
  await until('the service answers', async () => (await version()) === commit);
}

async function main() {
  const git = (...words) => execFileSync('git', ['-C', checkout, ...words], { stdio: 'inherit' });
  git('fetch', '--quiet', 'origin');
  git('checkout', '--quiet', '--detach', commit);
  await stop();
  await start();
  console.log(`The service runs ${commit}.`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
