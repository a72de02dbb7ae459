/**
 * Whether a folder is on a network file system. SQLite's locks hold among the processes of one machine;
 * two machines on one share would write over each other.
 *
 * The kernel's own kinds have a number each. FUSE is one number for all of its kinds, local ones
 * (ntfs-3g, gocryptfs, the root of a rootless container) as well as sshfs: there the mount table tells.
 * One that nobody knows is taken for local: its locks hold on this machine, which is what most have.
 * Linux only; elsewhere the numbers mean other things and match nothing.
 */
import { readFileSync, realpathSync, statfsSync } from 'node:fs';

/** What the operating system says; given by hand in tests. */
export interface Mounts {
  /** The number of the kind of file system, by `statfs`. */
  kindOf(folder: string): number;
  /** The mounts as in `/proc/self/mountinfo`. */
  table(): string;
}

const systemMounts: Mounts = {
  kindOf: (folder) => statfsSync(folder).type,
  table: () => readFileSync('/proc/self/mountinfo', 'utf8'),
};

const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x5346414f, 'afs'],
  [0x6b414653, 'afs'],
  [0x73757245, 'coda'],
  [0x564c, 'ncp'],
  [0x01021997, '9p'],
  [0x00c36400, 'ceph'],
  [0x01161970, 'gfs2'],
  [0x7461636f, 'ocfs2'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x19830326, 'beegfs'],
  [0x20030528, 'orangefs'],
  [0x786f4256, 'vboxsf'],
]);

const FUSE = 0x65735546;
const NETWORK_FUSE = new Set([
  ...['sshfs', 'smbnetfs', 'curlftpfs', 'davfs', 'gvfsd-fuse', 'rclone', 'vmhgfs-fuse'],
  ...['glusterfs', 'ceph', 'ceph-fuse', 'mfs', 'moosefs', 'lizardfs', 'seaweedfs', 'juicefs'],
  ...[
    's3fs',
    'mountpoint-s3',
    'goofys',
    'geesefs',
    'gcsfuse',
    'blobfuse',
    'blobfuse2',
    'alluxio-fuse',
  ],
]);

/** Its name, as a reader of `mount` knows it; undefined when the folder is on this machine. */
export function networkFileSystem(
  folder: string,
  mounts: Mounts = systemMounts,
): string | undefined {
  try {
    const kind = mounts.kindOf(folder) >>> 0;
    return kind === FUSE ? networkFuse(realpathSync(folder), mounts.table()) : NETWORK.get(kind);
  } catch {
    return undefined; // no such folder: opening the file says so, in better words
  }
}

function networkFuse(folder: string, table: string): string | undefined {
  const { type, source } = mountOf(folder, table) ?? { type: '', source: '' };
  const isNetwork =
    NETWORK_FUSE.has(type.replace(/^fuse\./, '')) ||
    NETWORK_FUSE.has(source) ||
    /^[a-z][\w+.-]*:\/\//.test(source);
  return isNetwork ? type : undefined;
}

interface Mount {
  readonly type: string;
  readonly source: string;
}

/** The mount that a path is below: the longest, and of those on one place the last, which covers the others. */
function mountOf(path: string, table: string): Mount | undefined {
  let found: Mount | undefined;
  let longest = 0;
  for (const line of table.split('\n')) {
    // id, parent, device, root, place, options, any number of fields, "-", type, source, options
    const fields = line.split(' ');
    const end = fields.indexOf('-');
    const place = unescaped(fields[4] ?? '');
    if (end < 0 || place.length < longest || !isBelow(path, place)) continue;
    longest = place.length;
    found = { type: fields[end + 1] ?? '', source: unescaped(fields[end + 2] ?? '') };
  }
  return found;
}

function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(place.endsWith('/') ? place : `${place}/`);
}

/** Spaces, tabs, line ends and backslashes are written as three octal digits. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
