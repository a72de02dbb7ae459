/**
 * A cgroup for one run, where Hone may make one: it bounds the memory and the number of processes of everything inside
 * together, and ends all of it. Version 2, or version 1 with its `memory` and `pids` hierarchies.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxLimits } from './types.ts';

const ROOT = '/sys/fs/cgroup';

export interface Cgroup {
  add(pid: number): void;
  /** Null where it cannot be known. */
  peakBytes(): number | null;
  /** Whether the kernel ended something in it for its memory. */
  ranOut(): boolean;
  remove(): void;
}

interface Hierarchy {
  readonly folder: string;
  readonly limits: (limits: SandboxLimits) => readonly (readonly [string, string])[];
  readonly peak?: string;
  readonly events?: string;
}

/** Undefined where none can be made: then the limits are kept by other means. */
export function makeCgroup(name: string, limits: SandboxLimits): Cgroup | undefined {
  const made: { folder: string; hierarchy: Hierarchy }[] = [];
  try {
    for (const hierarchy of hierarchies()) {
      const folder = join(hierarchy.folder, name);
      mkdirSync(folder);
      made.push({ folder, hierarchy });
      for (const [file, value] of hierarchy.limits(limits)) write(join(folder, file), value);
    }
  } catch {
    for (const { folder } of made) removeQuietly(folder);
    return undefined;
  }
  if (made.length === 0) return undefined;
  const memory = made[0]!;
  return {
    add: (pid) => {
      for (const { folder } of made) write(join(folder, 'cgroup.procs'), String(pid));
    },
    peakBytes: () => numberIn(memory.folder, memory.hierarchy.peak),
    ranOut: () => killsIn(memory.folder, memory.hierarchy.events) > 0,
    remove: () => {
      for (const { folder } of made) removeQuietly(folder);
    },
  };
}

function hierarchies(): Hierarchy[] {
  const own = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  const pathOf = (controllers: string) => {
    const line = own.find((one) => one.split(':')[1] === controllers);
    return line?.slice(line.indexOf(':', line.indexOf(':') + 1) + 1);
  };
  if (existsSync(join(ROOT, 'cgroup.controllers'))) {
    const folder = join(ROOT, pathOf('') ?? '');
    const controllers = readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8').split(/\s/);
    if (!controllers.includes('memory') || !controllers.includes('pids')) return [];
    return [
      {
        folder,
        limits: ({ memoryBytes, processes }) => [
          ['memory.max', String(memoryBytes)],
          ['memory.swap.max', '0'],
          ['memory.oom.group', '1'],
          ['pids.max', String(processes + OWN_PROCESSES)],
        ],
        peak: 'memory.peak',
        events: 'memory.events',
      },
    ];
  }
  return [
    {
      folder: join(ROOT, 'memory', pathOf('memory') ?? ''),
      limits: ({ memoryBytes }) => [['memory.limit_in_bytes', String(memoryBytes)]],
      peak: 'memory.max_usage_in_bytes',
      events: 'memory.oom_control',
    },
    {
      folder: join(ROOT, 'pids', pathOf('pids') ?? ''),
      limits: ({ processes }) => [['pids.max', String(processes + OWN_PROCESSES)]],
    },
  ];
}

/** `bwrap` itself, twice. */
const OWN_PROCESSES = 2;

function write(file: string, value: string): void {
  // Of an existing file only: a plain folder in the place of a cgroup keeps no limit.
  writeFileSync(file, value, { flag: 'r+' });
}

function numberIn(folder: string, file: string | undefined): number | null {
  if (file === undefined) return null;
  try {
    return Number(readFileSync(join(folder, file), 'utf8'));
  } catch {
    return null;
  }
}

function killsIn(folder: string, file: string | undefined): number {
  if (file === undefined) return 0;
  try {
    const text = readFileSync(join(folder, file), 'utf8');
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** It is busy for a moment after the last process in it ended. */
function removeQuietly(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The next run has another name; an empty cgroup costs nothing.
  }
}
