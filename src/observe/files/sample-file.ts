/**
 * Files of which nobody has said what they are: which there are below a place, and how one begins. The walk opens
 * nothing, so that whoever asks can pass over names, such as those of credentials, before anything is opened.
 */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errorCode } from '../../base/index.ts';
import type { Sample } from '../types.ts';
import { type Glob, isGlob, parseGlob } from './glob.ts';
import { HeldFiles, unlessGone } from './held-files.ts';
import { absolute, type Surroundings } from './list-place.ts';
import { packed } from './packed-file.ts';
import { shownName } from './shown-name.ts';
import { encodingOf, isBinary, textOf } from './text-encoding.ts';
import { type Walked, walk } from './walk.ts';

const SAMPLE_BYTES = 64 * 1024;
/** Sizes and times are asked for one by one. */
const CANDIDATES_MAX = 10_000;

export interface Candidate {
  /** Absolute, without links. */
  readonly path: string;
  /** From the place, with `/` between its parts; the file's own name if the place is a file. */
  readonly below: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface Candidates {
  readonly exists: boolean;
  /** Those written last first. */
  readonly files: readonly Candidate[];
  /** What was left out: links, folders that may not be read, more than there is room for. */
  readonly left: Pick<Walked, 'links' | 'refused' | 'isCut'> & { readonly tooMany: number };
}

export interface WalkPlaceOptions extends Surroundings {
  /** Whether a file may be looked at, by its path below the place. */
  wants?(below: string): boolean;
}

/** A file, a folder in depth, or what a pattern matches. Unlike a source, a link that is named is followed. */
export async function walkPlace(path: string, options: WalkPlaceOptions): Promise<Candidates> {
  const { wants = () => true } = options;
  const place = absolute(path, options);
  const real = await realpath(place).catch(unlessGone);
  const glob = real === undefined && isGlob(place) ? parseGlob(place) : undefined;
  const base = glob === undefined ? real : await realpath(glob.base).catch(unlessGone);
  const stats = base === undefined ? undefined : await stat(base).catch(unlessGone);
  if (base === undefined || stats === undefined) return { exists: false, files: [], left: NOTHING };
  const walked = stats.isDirectory()
    ? await walk(base, walkOptions(glob, wants))
    : { ...NOTHING, files: stats.isFile() ? [{ path: base, below: basename(base) }] : [] };
  const looked = walked.files.slice(0, CANDIDATES_MAX);
  const found = await Promise.all(looked.map(seen));
  const files = found.filter((one) => one !== undefined);
  files.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
  const { links, refused, isCut } = walked;
  const tooMany = walked.files.length - looked.length;
  return { exists: true, files, left: { links, refused, isCut, tooMany } };
}

const NOTHING = { links: 0, refused: 0, isCut: undefined, tooMany: 0 };

function walkOptions(glob: Glob | undefined, wants: (below: string) => boolean) {
  const options = { wants: (_: string, below: string) => wants(below) };
  return glob === undefined ? options : { ...options, glob };
}

async function seen(file: { path: string; below: string }): Promise<Candidate | undefined> {
  const stats = await lstat(file.path).catch(unlessGone);
  if (stats === undefined || !stats.isFile()) return undefined;
  const { path, below } = file;
  return { path, below, sizeBytes: stats.size, modifiedMs: stats.mtimeMs };
}

export type Sampled =
  | { readonly sample: Sample }
  /** Why there is none: it is gone, it is no file, it may not be read, it is no text. */
  | { readonly why: 'gone' | 'unreadable' | 'binary' | 'empty' };

/** How a file begins, unpacked and as text. `path` is absolute; a link is followed. Never throws for what a file holds. */
export async function sampleFile(path: string): Promise<Sampled> {
  try {
    const real = await realpath(path).catch(unlessGone);
    if (real === undefined) return { why: 'gone' };
    await using held = new HeldFiles();
    const raw = await held.open({ name: basename(real), path: real }, dirname(real));
    if (raw === undefined) return { why: 'gone' };
    const begins = await raw.read(0, Math.min(SAMPLE_BYTES, raw.sizeBytes));
    await using unpacked = (await packed(raw, begins, shownName(basename(real))))?.file;
    const bytes = unpacked === undefined ? begins : await unpacked.read(0, SAMPLE_BYTES);
    if (isBinary(bytes)) return { why: 'binary' };
    if (bytes.length === 0) return { why: 'empty' };
    const isWhole =
      unpacked === undefined ? raw.sizeBytes <= SAMPLE_BYTES : bytes.length < SAMPLE_BYTES;
    return { sample: { path, head: textIn(bytes), isWhole } };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return { why: 'unreadable' };
  }
}

/** Without half a character at its end. */
function textIn(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = textOf(buffer, 0, buffer.length, encodingOf(bytes));
  return bytes.length < SAMPLE_BYTES ? text : text.replace(/\ufffd$/, '');
}
