/** Real SSH keys for tests, made by the ssh-keygen that Hone itself uses. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why there are no signatures here, in words for people; undefined where there are. */
export function sshKeygenProblem(): string | undefined {
  const { error } = spawnSync('ssh-keygen', ['-Y', 'none'], { timeout: 20_000 });
  return error === undefined
    ? undefined
    : 'ssh-keygen is not installed: run "npm run setup", or install the package openssh-client.';
}

export interface SshKeys extends Disposable {
  readonly folder: string;
  /** Path of a private key that has this name; made when first asked for. */
  file(name: string): string;
  /** A line of an allowed-signers file. */
  line(principal: string, name: string, options?: string): string;
}

export function makeSshKeys(): SshKeys {
  const folder = mkdtempSync(join(tmpdir(), 'hone-keys-'));
  const made = new Set<string>();
  const file = (name: string) => {
    const path = join(folder, name);
    if (!made.has(name)) {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
      made.add(name);
    }
    return path;
  };
  return {
    folder,
    file,
    line: (principal, name, options = 'namespaces="hone-decision"') =>
      `${principal} ${options} ${readFileSync(`${file(name)}.pub`, 'utf8').trim()}\n`,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
