/** Where files are kept in memory: a test that makes a repository or a database there takes a tenth of the time. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHARED_MEMORY = '/dev/shm';
/** A whole run of the tests has at most a tenth of this in files at any moment. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/** The machine's folder in memory; where it has none that will do, its folder for temporary files. */
export function memoryFolder(): string {
  return willDo(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir();
}

/** Containers often have one that is small, or that no program can be started from. */
function willDo(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize >= FREE_BYTES_MIN && startsPrograms(place);
  } catch {
    return false;
  }
}

function startsPrograms(place: string): boolean {
  const folder = mkdtempSync(join(place, 'hone-try-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
