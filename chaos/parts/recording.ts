/**
 * From strace's lines to what happened on the disk, in order, together with what the process said.
 * A call that changes files in a way this does not know is an error: a recording that leaves
 * something out would prove nothing.
 */
import assert from 'node:assert';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Disk, DiskFile, type DiskFolder } from './disk.ts';
import { type Call, parseCall } from './strace.ts';

/** Everything that opens, changes or syncs files. Reading changes nothing. */
const CHANGING_CALLS =
  'open,openat,openat2,creat,close,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,' +
  'fallocate,fsync,fdatasync,sync,syncfs,sync_file_range,msync,unlink,unlinkat,rename,renameat,' +
  'renameat2,link,linkat,symlink,symlinkat,mkdir,mkdirat,rmdir,dup,dup2,dup3,sendfile,splice,' +
  'copy_file_range,io_uring_setup,mmap';

/** Longer than any page that SQLite writes. */
const STRING_CHARS_MAX = 70_000;

/** `-xx`: every byte as hexadecimal, so that nothing about the data is left to quoting. */
export const RECORDING_OPTIONS: readonly string[] =
  `-y -xx -s ${STRING_CHARS_MAX} -e trace=${CHANGING_CALLS}`.split(' ');

type Kind = 'said' | 'name' | 'write' | 'truncate' | 'sync';

export interface DiskEvent {
  readonly kind: Kind;
  /** Below the recorded root; `''` for what was said. */
  readonly path: string;
  readonly line?: string;
  apply(disk: Disk): void;
}

/** The events of one process that worked below `root` and wrote its lines to `said` there. */
export async function readRecording(log: string, root: string, said: string): Promise<DiskEvent[]> {
  const events: DiskEvent[] = [];
  for await (const line of createInterface({ input: createReadStream(log, 'latin1') })) {
    const call = parseCall(line);
    const path = call === undefined || hadNoEffect(call) ? undefined : pathBelow(root, call);
    if (call === undefined || path === undefined || path.endsWith('-shm')) continue;
    events.push(...(path === said ? saidEvents(call) : diskEvents(call, path)));
  }
  return events;
}

/** It failed, or the process was killed before it happened. */
const hadNoEffect = ({ result }: Call) => result.startsWith('-1') || result.startsWith('?');

const HEX = '((?:\\\\x[0-9a-f]{2})*)';
const DESCRIPTOR = `(\\d+)<${HEX}>`;
const FORMS = {
  openat: new RegExp(`^AT_FDCWD<${HEX}>, "${HEX}", ([A-Z_|]+)`),
  pwrite64: new RegExp(`^${DESCRIPTOR}, "${HEX}", \\d+, (\\d+)$`),
  write: new RegExp(`^${DESCRIPTOR}, "${HEX}", \\d+$`),
  ftruncate: new RegExp(`^${DESCRIPTOR}, (\\d+)$`),
} as const;

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');

const PATH = /^AT_FDCWD<[^>]*>, "([^"]*)"|^\d+<([^>]*)>|^"([^"]*)"|, \d+<([^>]*)>/;

/** The file that a call is about, if it lies below the root. */
function pathBelow(root: string, { parameters }: Call): string | undefined {
  const [, ...found] = PATH.exec(parameters) ?? [];
  const path = bytesOf(found.find((text) => text !== undefined) ?? '').toString();
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}

function saidEvents({ name, parameters }: Call): DiskEvent[] {
  if (name !== 'write') return [];
  const lines = bytesOf(match('write', parameters)[3]!).toString().split('\n').filter(Boolean);
  return lines.map((line) => ({ kind: 'said', path: '', line, apply: () => {} }));
}

function diskEvents(call: Call, path: string): DiskEvent[] {
  const { name, parameters, result } = call;
  const event = (kind: Kind, apply: DiskEvent['apply']) => [{ kind, path, apply }];
  switch (name) {
    case 'close':
      return [];
    case 'openat':
      return makesFile(parameters) ? event('name', (disk) => makeFile(disk, path)) : [];
    case 'mkdir':
      return event('name', (disk) => disk.makeFolder(path));
    case 'unlink':
      return event('name', (disk) => disk.unlink(path));
    case 'fsync':
    case 'fdatasync':
      return event('sync', (disk) => nodeAt(disk, path).sync());
    case 'ftruncate': {
      const size = Number(match('ftruncate', parameters)[3]);
      return event('truncate', (disk) => disk.truncate(fileAt(disk, path), size));
    }
    case 'pwrite64': {
      const [, , , hex, at] = match('pwrite64', parameters);
      const data = bytesOf(hex!).subarray(0, Number(result));
      return event('write', (disk) => disk.write(fileAt(disk, path), Number(at), data));
    }
    case 'mmap':
      if (!parameters.includes('PROT_WRITE')) return [];
      break;
  }
  throw new Error(`the recording has a call that is not modelled: ${name} on ${path}`);
}

function makesFile(parameters: string): boolean {
  const flags = match('openat', parameters)[3]!.split('|');
  assert(!flags.includes('O_TRUNC'), 'a file was emptied by opening it');
  return flags.includes('O_CREAT');
}

function makeFile(disk: Disk, path: string): void {
  if (disk.find(path) === undefined) disk.makeFile(path);
}

function match(form: keyof typeof FORMS, parameters: string): RegExpExecArray {
  const found = FORMS[form].exec(parameters);
  assert(found !== null, `strace wrote ${form} in another way: ${parameters.slice(0, 200)}`);
  return found;
}

function nodeAt(disk: Disk, path: string): DiskFile | DiskFolder {
  const node = disk.find(path);
  assert(node !== undefined, `${path} is written but was never made`);
  return node;
}

function fileAt(disk: Disk, path: string): DiskFile {
  const node = nodeAt(disk, path);
  assert(node instanceof DiskFile, `${path} is a folder`);
  return node;
}
