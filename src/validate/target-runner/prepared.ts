/**
 * What `validate.prepare` makes of the base's files, such as `node_modules` or a virtual environment: made once from
 * the base, never from a change, and kept as one archive of what git does not know. Tests and replays of base and
 * candidate unpack it. It gets its name when it is complete, so a kill leaves nothing half.
 */
import { existsSync } from 'node:fs';
import { chmod, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../base/index.ts';
import type { TargetRepository } from '../../git/index.ts';
import { makePrivateFolder } from '../../home/index.ts';
import type { SandboxResult } from '../../sandbox/index.ts';
import type { ValidateSettings } from '../types.ts';
import { BRIDGE, BRIDGE_ENVIRONMENT, BRIDGE_SOCKET } from './bridge.ts';
import { MIRROR, NODE_INSIDE, TARGET } from './inside.ts';
import { lastLines } from './output-lines.ts';
import type { OpenProxy } from './proxy.ts';
import { NotRunnable } from './types.ts';
import { COPY, type WritePorts, WrittenOut } from './written-out.ts';

export interface PreparationPorts extends WritePorts {
  readonly repository: Pick<TargetRepository, 'checkOut' | 'commitInfo'>;
  readonly settings: WritePorts['settings'] &
    Pick<ValidateSettings, 'prepare' | 'hosts' | 'testTimeout'>;
  /** Where archives are kept: a folder of the installation, made when it is needed. */
  readonly keptIn: string;
}

/** Several branches are worked on at a time, rarely more. */
const KEPT_MAX = 3;
const PART = '.part';

/** All but what git knows: a lock file that the command rewrote stays what the target says. */
const ARCHIVE = `(cd ${MIRROR} && find . ! -type d) > /tmp/tracked && exec tar -c -f - --anchored --no-wildcards --exclude-from=/tmp/tracked -C ${TARGET} .`;

/** The archive's path; undefined where nothing has to be prepared. Throws `NotRunnable` where it cannot be. */
export async function preparedFrom(
  base: string,
  ports: PreparationPorts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { repository, settings, keptIn, clock } = ports;
  const { prepare, hosts, files } = settings;
  if (prepare.length === 0) return undefined;
  const { tree } = await repository.commitInfo(base);
  // Another Node or place inside may make something else of the same files.
  const made = [prepare, hosts, files, tree, process.version, TARGET];
  const archive = join(keptIn, `${sha256Hex(JSON.stringify(made))}.tar`);
  if (existsSync(archive)) {
    const now = new Date(clock.nowMs());
    await utimes(archive, now, now);
    return archive;
  }
  makePrivateFolder(keptIn);
  await makeRoom(ports);
  const part = `${archive}.${ports.newId()}${PART}`;
  try {
    await make(base, part, { ports, signal });
    await rename(part, archive);
    return archive;
  } finally {
    await rm(part, { force: true });
  }
}

async function make(
  base: string,
  part: string,
  { ports, signal }: { readonly ports: PreparationPorts; readonly signal: AbortSignal },
): Promise<void> {
  const { prepare, hosts, testTimeout: timeoutMs } = ports.settings;
  await using written = await WrittenOut.of(base, ports);
  await using file = await open(part, 'wx', 0o600);
  await using proxy = hosts.length === 0 ? undefined : await proxyFor(written, hosts);
  const bridge = proxy === undefined ? [] : [NODE_INSIDE, '-e', BRIDGE];
  const result = await written.run({
    script: `{ ${COPY}; } </dev/null >&2 || exit; "$@" </dev/null >&2 || exit; ${ARCHIVE}`,
    given: [...bridge, ...prepare],
    timeoutMs,
    environment: proxy === undefined ? {} : BRIDGE_ENVIRONMENT,
    outputFile: file.fd,
    signal,
  });
  if (result.ended === 'exited' && result.exitCode === 0) return file.sync();
  throw notPrepared(result, proxy);
}

async function proxyFor(written: WrittenOut, hosts: readonly string[]): Promise<OpenProxy> {
  const socket = join(written.folder, 'proxy');
  // Not before: Node's HTTP takes 60 ms to load, in every process that may validate.
  const { openProxy } = await import('./proxy.ts');
  const proxy = await openProxy({ hosts, socket });
  // The folder around it keeps everybody else out.
  await chmod(socket, 0o666);
  written.bind({ from: socket, to: BRIDGE_SOCKET });
  return proxy;
}

function notPrepared(
  { ended, exitCode, stderr }: SandboxResult,
  proxy: OpenProxy | undefined,
): NotRunnable {
  const how = ended === 'exited' ? `ended with exit code ${exitCode}` : `was ended (${ended})`;
  const refused = proxy?.refused() ?? [];
  const hint =
    refused.length === 0
      ? []
      : [`It asked for what validate.hosts does not allow: ${refused.join(', ')}.`];
  return new NotRunnable(
    `What validate.prepare makes cannot be made from the base: the command ${how}.`,
    ...hint,
    ...lastLines(stderr),
  );
}

/** For one more: those that were used last stay. What a killed process left is removed after its time. */
async function makeRoom({ keptIn, clock, settings }: PreparationPorts): Promise<void> {
  const names = await readdir(keptIn);
  const files = await Promise.all(
    names.map(async (name) => {
      const usedMs = (await stat(join(keptIn, name)).catch(() => undefined))?.mtimeMs ?? 0;
      return { path: join(keptIn, name), isPart: name.endsWith(PART), usedMs };
    }),
  );
  const newestFirst = files.filter(({ isPart }) => !isPart).sort((a, b) => b.usedMs - a.usedMs);
  const abandonedMs = clock.nowMs() - 2 * settings.testTimeout;
  const left = files.filter(({ isPart, usedMs }) => isPart && usedMs < abandonedMs);
  for (const { path } of [...newestFirst.slice(KEPT_MAX - 1), ...left])
    await rm(path, { force: true });
}
