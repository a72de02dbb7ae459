/**
 * `npm run setup`: installs what the tests need from the system (strace, OpenSSH, bubblewrap, Chromium) where
 * it can, as root on Debian and its kin; elsewhere it says what to install. What is missing makes its
 * tests be skipped, loudly.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Program, and Debian's package for it. */
const NEEDED: readonly (readonly [string, string])[] = [
  ['git', 'git'],
  ['strace', 'strace'],
  ['ssh-keygen', 'openssh-client'],
  ['bwrap', 'bubblewrap'],
  ['sshd', 'openssh-server'],
  ['chromium', 'chromium'],
];

function has(program: string): boolean {
  // Where servers are, which is not on everybody's path.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const missing = NEEDED.filter(([program]) => !has(program));
if (missing.length === 0) {
  process.stdout.write('Everything the tests need is installed.\n');
} else if (process.getuid?.() === 0 && has('apt-get')) {
  const packages = missing.map(([, name]) => name);
  process.stdout.write(`Installing ${packages.join(', ')}.\n`);
  const run = (args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const done =
    run(['update', '-q']) && run(['install', '-yq', '--no-install-recommends', ...packages]);
  if (!done) {
    process.stderr.write(
      'apt-get failed; see above. Tests that need these parts will be skipped.\n',
    );
    process.exitCode = 1;
  }
} else {
  process.stdout.write('Install these, as your system does it:\n');
  for (const [program, name] of missing) process.stdout.write(`  ${program} (Debian: ${name})\n`);
  process.stdout.write('Tests that need them are skipped and counted until then.\n');
}
