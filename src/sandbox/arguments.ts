/**
 * The arguments of `bwrap`: an empty root that cannot be written to, programs and libraries of the machine read-only,
 * namespaces of its own for users, processes, network, IPC and host name, no capabilities, no new user namespaces, an
 * environment that is only what is given, and a session of its own (TIOCSTI). Order matters: a later mount covers an
 * earlier one, so masks come last. Pure.
 */
import { posix } from 'node:path';
import { SandboxError } from './errors.ts';
import type { SandboxRun } from './types.ts';

/** Nobody. On the machine it has this id too where Hone runs as root. */
export const SANDBOX_UID = 65_534;

/** Folders of programs and libraries: bound where they are folders, linked where they are links into `/usr`. */
export interface SystemFolders {
  readonly bound: readonly string[];
  readonly linked: readonly { readonly path: string; readonly target: string }[];
  /** Single files that programs need to start: the linker's cache, alternatives. */
  readonly files: readonly string[];
}

export interface Descriptors {
  /** Where `bwrap` says which process is the first one inside. */
  readonly info: number;
  /** What runs inside waits until this can be read from. */
  readonly block: number;
  /** Written to once everything is in place, right before the program: without it, nothing of it ran. */
  readonly started: number;
}

/** What covers a path so that nothing of it is seen or changed. */
export interface Mask {
  readonly path: string;
  readonly is: 'folder' | 'file';
}

export function bwrapArguments(
  run: SandboxRun,
  { system, masks }: { readonly system: SystemFolders; readonly masks: readonly Mask[] },
  { info, block, started }: Descriptors,
): string[] {
  for (const path of [...run.scratch, ...run.masked, run.cwd, ...run.readOnly.map(({ to }) => to)])
    checkPath(path);
  const size = String(run.limits.scratchBytes);
  return [
    // Not `--unshare-all`, whose user namespace is optional: isolation must be certain.
    ...['user', 'ipc', 'pid', 'net', 'uts'].map((name) => `--unshare-${name}`),
    '--unshare-cgroup-try',
    '--disable-userns',
    ...['--uid', String(SANDBOX_UID), '--gid', String(SANDBOX_UID)],
    ...['--hostname', 'sandbox', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--clearenv'],
    ...Object.entries(run.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--info-fd', String(info), '--block-fd', String(block)],
    ...system.bound.flatMap((path) => ['--ro-bind', path, path]),
    ...system.files.flatMap((path) => ['--ro-bind-try', path, path]),
    ...system.linked.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['/tmp', ...run.scratch].flatMap((path) => ['--size', size, '--tmpfs', path]),
    ...run.readOnly.flatMap(({ from, to }) => ['--ro-bind', from, to]),
    ...masks.flatMap(maskArguments),
    ...['--remount-ro', '/', '--chdir', run.cwd, '--'],
    ...limited(run, started),
  ];
}

/** An empty folder that cannot be written to, or a file without content. */
function maskArguments({ path, is }: Mask): string[] {
  if (is === 'file') return ['--ro-bind', '/dev/null', path];
  return ['--size', '4096', '--tmpfs', path, '--remount-ro', path];
}

/** Limits that the kernel keeps for each process, set right before the program starts: if Hone is there to be told. */
function limited({ argv, limits }: SandboxRun, started: number): string[] {
  const { cpuSeconds, fileBytes, openFiles, processes } = limits;
  return [
    '/usr/bin/prlimit',
    `--cpu=${Math.ceil(cpuSeconds)}`,
    `--fsize=${fileBytes}`,
    `--nofile=${openFiles}`,
    `--nproc=${processes}`,
    '--core=0',
    '--memlock=65536',
    '--msgqueue=0',
    ...['/bin/sh', '-c', `echo >&${started} || exit; exec ${started}>&-; exec "$@"`, 'sh'],
    ...argv,
  ];
}

/** Paths come from the configuration and from file names of the target. */
function checkPath(path: string): void {
  const isPlain = path.startsWith('/') && posix.normalize(path) === path && !path.includes('\0');
  const isSystem = path === '/' || /^\/(?:proc|dev|usr|sys)(?:\/|$)/.test(path);
  if (isPlain && !isSystem) return;
  throw new SandboxError(
    'bad_run',
    'A path of a sandbox is not absolute, not plain, or the system’s own.',
    {
      hint: 'Give absolute paths without "." and ".." that are not below /proc, /dev, /sys or /usr.',
    },
  );
}
