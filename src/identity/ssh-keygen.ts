/**
 * SSH signatures, made and verified by OpenSSH's own `ssh-keygen -Y`: the format, the keys and the options of an
 * allowed-signers file (namespaces, valid-after, valid-before, cert-authority) are its business.
 *
 * It runs with an environment of ours, in a folder of its own, on copies: what was read and judged is what it
 * sees. Whatever comes from others is the value of an option or standard input, never an argument by itself.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from './types.ts';

/** What a signature is for; ssh-keygen refuses one that was made for anything else. */
const SIGNATURE_NAMESPACE = 'hone-decision';

/** A person types a passphrase or touches a key meanwhile. */
const SIGN_MS_MAX = 120_000;
const VERIFY_MS_MAX = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

export type Signed =
  | { readonly ok: true; readonly signature: string }
  | { readonly ok: false; readonly why: string };

/** `keyFile`: a private key, or the public one of a key that the SSH agent holds. */
export async function signText(
  text: string,
  keyFile: string,
  environment: Environment,
): Promise<Signed> {
  const names = ['HOME', 'SSH_AUTH_SOCK', 'SSH_ASKPASS', 'SSH_ASKPASS_REQUIRE', 'DISPLAY', 'TERM'];
  const own = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const ran = await run(['-Y', 'sign', '-n', SIGNATURE_NAMESPACE, '-f', keyFile], {
    input: text,
    environment: { ...Object.fromEntries(own), PATH: searchPath(environment) },
    timeoutMs: SIGN_MS_MAX,
  });
  if (!ran.ok) return ran;
  if (!ran.out.startsWith('-----BEGIN SSH SIGNATURE-----')) {
    return { ok: false, why: 'ssh-keygen gave no signature.' };
  }
  return { ok: true, signature: ran.out };
}

export interface Claim {
  readonly text: string;
  readonly signature: string;
  /** The principal of the allowed-signers file. */
  readonly person: string;
  /** The content of the allowed-signers file. */
  readonly allowedSigners: string;
}

export async function verifyText(
  { text, signature, person, allowedSigners }: Claim,
  environment: Environment,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly why: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'hone-signature-'));
  try {
    const [allowed, signed] = [join(folder, 'allowed-signers'), join(folder, 'signature')];
    await writeFile(allowed, allowedSigners, { mode: 0o600 });
    await writeFile(signed, signature, { mode: 0o600 });
    const args = ['-Y', 'verify', '-n', SIGNATURE_NAMESPACE, '-f', allowed, '-s', signed];
    const ran = await run([...args, '-I', person], {
      input: text,
      environment: { HOME: folder, PATH: searchPath(environment) },
      timeoutMs: VERIFY_MS_MAX,
      folder,
    });
    return ran.ok ? { ok: true } : ran;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Ran =
  | { readonly ok: true; readonly out: string }
  | { readonly ok: false; readonly why: string };

function run(
  args: readonly string[],
  options: {
    readonly input: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    readonly folder?: string;
  },
): Promise<Ran> {
  const { input, environment, timeoutMs: timeout, folder = '/' } = options;
  const given = { timeout, cwd: folder, env: { ...environment, LC_ALL: 'C' } };
  return new Promise((resolve) => {
    const child = execFile(
      'ssh-keygen',
      [...args],
      { ...given, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX },
      (error, out, said) => {
        if (error === null) resolve({ ok: true, out });
        else if (error.code === 'ENOENT') resolve({ ok: false, why: MISSING });
        else if (error.killed === true) {
          resolve({ ok: false, why: `ssh-keygen gave no answer within ${timeout / 1000} s.` });
        } else resolve({ ok: false, why: `ssh-keygen says: ${firstLine(said + out)}` });
      },
    );
    // It may end before it has read everything.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

const MISSING =
  'ssh-keygen was not found. Install OpenSSH (Debian: openssh-client), then try again.';

/** Only absolute folders: a relative one would find programs in the target repository. */
function searchPath(environment: Environment): string {
  return (environment['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter);
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 300) || 'nothing';
}
