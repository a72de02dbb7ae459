/**
 * A backup is one file:
 *
 *   HONE-BACKUP 1⏎ │ the parts' bytes, one after the other │ manifest, JSON │ its length, its SHA-256⏎
 *
 * The manifest has every part's length and digest, and the last line has the manifest's: a byte that changed
 * anywhere is found. It is written in one go, in bounded memory. Whoever rewrites all of it together is found by
 * the ledger alone, against a checkpoint that was kept elsewhere.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { canonicalJson, type Digest, errorMessage, nodeCrypto, sha256Hex } from '../base/index.ts';
import type { WriteBytes } from '../home/index.ts';
import { BackupError } from './errors.ts';
import { altered, type Manifest, notABackup, type Part, parseManifest } from './manifest.ts';

const HEAD = Buffer.from('HONE-BACKUP 1\n');
/** Ten digits and a digest in hex. */
const TAIL = /^(\d{10}) ([0-9a-f]{64})\n$/;
const TAIL_BYTES = 10 + 1 + 64 + 1;
const MANIFEST_BYTES_MAX = 1_000_000;
const CHUNK_BYTES = 1_048_576;

export class BackupWriter {
  readonly #write: WriteBytes;
  readonly #parts: Part[] = [];

  constructor(write: WriteBytes) {
    this.#write = write;
  }

  begin(): Promise<void> {
    return this.#write(HEAD);
  }

  async part(
    name: Part['name'],
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const hash = nodeCrypto().createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      await this.#write(chunk);
    }
    this.#parts.push({ name, sizeBytes, sha256: hash.digest('hex') });
  }

  /** The manifest's digest, which names the backup. */
  async end(manifest: Omit<Manifest, 'parts'>): Promise<Digest> {
    const text = canonicalJson({ ...manifest, parts: this.#parts });
    const digest = sha256Hex(text);
    const length = String(Buffer.byteLength(text)).padStart(10, '0');
    await this.#write(`${text}${length} ${digest}\n`);
    return `sha256:${digest}`;
  }
}

export interface Backup extends AsyncDisposable {
  readonly path: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly manifest: Manifest;
  has(name: Part['name']): boolean;
  /** Throws at its end where the bytes are not those of the manifest: nothing of it may be used before. */
  read(name: Part['name']): AsyncGenerator<Uint8Array>;
}

/** Reads and checks the manifest; parts are checked as they are read. */
export async function openBackup(path: string): Promise<Backup> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const { manifest, digest, endsAt } = await readManifest(file, path, size);
    const parts = new Map<string, Part & { readonly at: number }>();
    let at = HEAD.length;
    for (const part of manifest.parts) {
      parts.set(part.name, { ...part, at });
      at += part.sizeBytes;
    }
    if (at !== endsAt) throw altered(path, 'its parts are not as long as it says');
    return {
      path,
      digest,
      sizeBytes: size,
      manifest,
      has: (name) => parts.has(name),
      read: (name) => readPart(file, path, parts.get(name)),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads all of it. */
export async function checkBackup(path: string, onBytes?: (done: number) => void): Promise<void> {
  await using backup = await openBackup(path);
  let done = 0;
  for (const { name } of backup.manifest.parts) {
    for await (const chunk of backup.read(name)) {
      done += chunk.length;
      onBytes?.(done);
    }
  }
}

/** Files only, and not blocking: a pipe would be waited for. */
async function openFile(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  let file: FileHandle | undefined;
  try {
    file = await open(path, O_RDONLY | O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    throw new Error('it is not a file');
  } catch (cause) {
    await file?.close();
    throw new BackupError('not_a_backup', `Cannot read ${path}: ${errorMessage(cause)}.`, {
      hint: 'Give a file that "hone backup" wrote and that your user may read.',
      cause,
    });
  }
}

async function readManifest(file: FileHandle, path: string, size: number) {
  const head = await bytesAt(file, 0, HEAD.length);
  if (!head.equals(HEAD) || size < HEAD.length + TAIL_BYTES) throw notABackup(path);
  const tail = TAIL.exec((await bytesAt(file, size - TAIL_BYTES, TAIL_BYTES)).toString('latin1'));
  if (tail === null) throw altered(path, 'its end is missing or changed');
  const length = Number(tail[1]);
  const endsAt = size - TAIL_BYTES - length;
  if (length > MANIFEST_BYTES_MAX || endsAt < HEAD.length) {
    throw altered(path, 'its end is missing or changed');
  }
  const text = await bytesAt(file, endsAt, length);
  if (sha256Hex(text) !== tail[2]) throw altered(path, 'its list of parts changed');
  const digest: Digest = `sha256:${tail[2]}`;
  return { manifest: parseManifest(text.toString(), path), digest, endsAt };
}

async function* readPart(
  file: FileHandle,
  path: string,
  part: (Part & { readonly at: number }) | undefined,
): AsyncGenerator<Uint8Array> {
  if (part === undefined) throw notABackup(path);
  const hash = nodeCrypto().createHash('sha256');
  for (let done = 0; done < part.sizeBytes; ) {
    const wanted = Math.min(CHUNK_BYTES, part.sizeBytes - done);
    const chunk = await bytesAt(file, part.at + done, wanted);
    if (chunk.length < wanted) throw altered(path, 'it is cut short');
    hash.update(chunk);
    done += chunk.length;
    yield chunk;
  }
  if (hash.digest('hex') !== part.sha256) {
    throw altered(path, `the bytes of ${part.name} are not those that were written`);
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}
