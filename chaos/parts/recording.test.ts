import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/base/index.ts';
import { Disk } from './disk.ts';
import { inFolder } from './folder.ts';
import { readRecording } from './recording.ts';

/** As `strace -xx` writes it. */
const hex = (text: string) =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
const cwd = `AT_FDCWD<${hex('/home')}>`;
const at = (descriptor: number, path: string) => `${descriptor}<${hex(path)}>`;

const read = (lines: readonly string[]) =>
  inFolder((folder) => {
    const log = join(folder, 'log');
    writeFileSync(log, lines.map((line) => `${line}\n`).join(''));
    return readRecording(log, '/r', 'said');
  });

test('calls below the root become events, in order, with what was said', async () => {
  const events = await read([
    `openat(${cwd}, "${hex('/etc/hosts')}", O_RDONLY) = 3<${hex('/etc/hosts')}>`,
    `mkdir("${hex('/r/s')}", 0700) = 0`,
    `openat(${cwd}, "${hex('/r/s/a')}", O_RDWR|O_CREAT, 0644) = ${at(4, '/r/s/a')}`,
    `pwrite64(${at(4, '/r/s/a')}, "${hex('hello')}", 5, 2) = 5`,
    `write(${at(1, '/r/said')}, "${hex('ack 1\nack 2\n')}", 12) = 12`,
    `fsync(${at(4, '/r/s/a')}) = 0`,
    `unlink("${hex('/r/s/b')}") = -1 ENOENT (No such file or directory)`,
    `pwrite64(${at(4, '/r/s/a')}, "${hex('x')}", 1, 0) = ?`,
    '+++ killed by SIGKILL +++',
  ]);
  expect(events.map(({ kind, path, line }) => line ?? `${kind} ${path}`)).toEqual([
    'name s',
    'name s/a',
    'write s/a',
    'ack 1',
    'ack 2',
    'sync s/a',
  ]);
  const disk = new Disk();
  for (const event of events) event.apply(disk);
  const left = disk.cut('everything', seededRandom(1)).get('s/a');
  expect(Buffer.from(left!).toString()).toBe('\0\0hello');
});

test.each([
  `rename("${hex('/r/a')}", "${hex('/r/b')}") = 0`,
  `fallocate(${at(4, '/r/a')}, 0, 0, 100) = 0`,
  `write(${at(4, '/r/a')}, "${hex('x')}", 1) = 1`,
  `mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, ${at(4, '/r/a')}, 0) = 0x7f00`,
  `openat(${cwd}, "${hex('/r/a')}", O_WRONLY|O_CREAT|O_TRUNC, 0644) = ${at(4, '/r/a')}`,
  `pwrite64(${at(4, '/r/a')}, "${hex('x')}"..., 9000, 0) = 9000`,
])('a call that the model does not know stops the recording: %s', async (line) => {
  await expect(read([line])).rejects.toThrow();
});

test('shared memory is left out: it is made anew when the database is opened', async () => {
  expect(await read([`ftruncate(${at(5, '/r/a-shm')}, 3) = 0`])).toEqual([]);
});
