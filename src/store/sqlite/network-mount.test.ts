import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errorStatus } from '../../contracts/error-table.ts';
import { controlMigrations, openSqlite, StoreError } from '../index.ts';
import { type Mounts, networkFileSystem } from './network-mount.ts';

const EXT4 = 0xef53;
const FUSE = 0x65735546;

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hone mounts ')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const escaped = (text: string) => text.replaceAll('\\', '\\134').replaceAll(' ', '\\040');
/** A line of the mount table. */
const mount = (place: string, type: string, source = 'none') =>
  `36 35 0:52 / ${escaped(place)} rw,noatime shared:1 master:2 - ${type} ${escaped(source)} rw,user_id=0`;
const fuse = (...lines: string[]): Mounts => ({
  kindOf: () => FUSE,
  table: () => `${[mount('/', 'ext4', '/dev/sda1'), ...lines].join('\n')}\n`,
});
const kind = (number: number): Mounts => ({
  kindOf: () => number,
  table: () => {
    throw new Error('not asked for');
  },
});

describe('the kernel’s own kinds go by their number', () => {
  test.each([
    [0x6969, 'nfs'],
    [0xff534d42, 'cifs'],
    [0xff534d42 | 0, 'cifs'],
    [0xfe534d42, 'smb2'],
    [0x01021997, '9p'],
    [0x00c36400, 'ceph'],
    [0x0bd00bd0, 'lustre'],
    [0x6b414653, 'afs'],
    [EXT4, undefined],
    [0x9123683e, undefined], // btrfs
    [0x01021994, undefined], // tmpfs
    [0x794c7630, undefined], // overlay
    [0x2fc12fc1, undefined], // zfs
  ])('%i is %s', (number, name) => {
    expect(networkFileSystem(folder, kind(number))).toBe(name);
  });
});

describe('FUSE goes by the mount table', () => {
  test.each([
    ['fuse.sshfs', 'operator@example.org:/home', 'fuse.sshfs'],
    ['fuse.glusterfs', 'server:/volume', 'fuse.glusterfs'],
    ['fuse.rclone', 'remote:', 'fuse.rclone'],
    ['fuse.s3fs', 's3fs', 'fuse.s3fs'],
    ['fuse', 'mountpoint-s3', 'fuse'],
    ['fuse', 'https://dav.example.org/', 'fuse'],
    ['fuse.somefs', 'somefs+tls://example.org', 'fuse.somefs'],
    ['fuseblk', '/dev/sdb1', undefined],
    ['fuse.gocryptfs', '/home/cipher', undefined],
    ['fuse.fuse-overlayfs', 'fuse-overlayfs', undefined],
    ['fuse.mergerfs', 'a:b', undefined],
    ['fuse.unknown', 'unknown', undefined],
    ['virtiofs', 'share', undefined],
  ])('%s from %s is %s', (type, source, name) => {
    expect(networkFileSystem(folder, fuse(mount(folder, type, source)))).toBe(name);
  });

  test('of the mount that the folder is really on', () => {
    const sshfs = (place: string) => mount(place, 'fuse.sshfs', 'h:');
    const below = join(folder, 'b');
    mkdirSync(below);
    expect(networkFileSystem(below, fuse(sshfs(folder)))).toBe('fuse.sshfs');
    expect(networkFileSystem(below, fuse(mount(below, 'fuseblk'), sshfs(folder)))).toBeUndefined();
    expect(networkFileSystem(folder, fuse(sshfs(below)))).toBeUndefined();
    expect(networkFileSystem(folder, fuse(sshfs(folder.slice(0, -1))))).toBeUndefined();
    // Mounted over one another: the last covers the others.
    expect(
      networkFileSystem(folder, fuse(sshfs(folder), mount(folder, 'fuseblk'))),
    ).toBeUndefined();
    expect(networkFileSystem(folder, fuse(mount(folder, 'fuseblk'), sshfs(folder)))).toBe(
      'fuse.sshfs',
    );
    const link = join(folder, 'link');
    symlinkSync(below, link);
    expect(networkFileSystem(link, fuse(sshfs(below)))).toBe('fuse.sshfs');
  });

  test.each(['', '\n', 'odd', '1 2 3 4', `36 35 0:52 / / rw -`])(
    'a table that cannot be read (%j) says nothing',
    (table) => {
      expect(networkFileSystem(folder, { kindOf: () => FUSE, table: () => table })).toBeUndefined();
    },
  );

  test('nor does one that is not there', () => {
    expect(networkFileSystem(folder, { ...kind(FUSE) })).toBeUndefined();
  });
});

test.skipIf(process.platform !== 'linux')('this machine’s own table is read (Linux)', () => {
  expect(networkFileSystem('/proc/self')).toBeUndefined();
  expect(networkFileSystem(join(folder, 'not there'))).toBeUndefined();
});

test('a database on a network file system is refused, before it is made, with what to do', async () => {
  const path = join(folder, 'control.db');
  const mounts = fuse(mount(folder, 'fuse.sshfs', 'h:'));
  const options = { path, synchronous: 'full', migrations: controlMigrations } as const;
  const error = await openSqlite({ ...options, mounts }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({
    code: 'network_mount',
    message: `${folder} is on a network file system (fuse.sshfs).`,
    hint: 'Set XDG_STATE_HOME to a local folder, or use PostgreSQL (store.url in hone.yaml).',
  });
  expect(errorStatus(error)).toEqual({ exit: 2, http: 500 });
  expect(existsSync(path)).toBe(false);
  await (await openSqlite({ ...options, mounts: kind(EXT4) })).close();
});
