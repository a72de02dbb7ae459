/** The package as users get it: built, packed, and installed into an empty folder. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PackedHone extends Disposable {
  /** The installed bin, a JavaScript file for plain `node`. */
  readonly bin: string;
}

const root = new URL('../', import.meta.url).pathname;

export function packHone(): PackedHone {
  const folder = mkdtempSync(join(tmpdir(), 'hone-packed-'));
  const npm = (args: string[], cwd: string) =>
    execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  execFileSync(process.execPath, ['tools/build.ts'], { cwd: root, stdio: 'ignore' });
  npm(['pack', '--pack-destination', folder], join(root, 'dist'));
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))!;
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  npm(['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
  return {
    bin: join(folder, 'node_modules', '.bin', 'hone'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
