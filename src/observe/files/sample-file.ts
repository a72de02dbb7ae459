/** How a file begins of which nobody has said what it is. */
import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errorCode } from '../../base/index.ts';
import type { Sample } from '../types.ts';
import { HeldFiles, unlessGone } from './held-files.ts';
import { packed } from './packed-file.ts';
import { shownName } from './shown-name.ts';
import { encodingOf, isBinary, textOf } from './text-encoding.ts';

const SAMPLE_BYTES = 64 * 1024;

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
