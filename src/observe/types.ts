/** The room's ports and words. */
import type { Event } from '../facts/index.ts';

/** Where events are read: a JSONL file, or a folder whose `*.jsonl` files are read in name order. */
export interface Source {
  readonly name: string;
  readonly path: string;
}

/** What the section `observe` of the configuration says. */
export interface ObserveSettings {
  readonly sources: readonly Source[];
  readonly allowedDomains: readonly string[];
  readonly allowedPaths: readonly string[];
  readonly redactUuids: boolean;
}

export interface SourceFile {
  /** The file's own name, without its folder. */
  readonly name: string;
  /** What `open` takes. */
  readonly path: string;
  /** Read only if it goes on with something that was read: what a source's one file was rotated to. */
  readonly onlyIfKnown?: boolean;
}

export interface Listing {
  /** False when nothing is at the path. */
  readonly exists: boolean;
  /** In the order in which they are read. */
  readonly files: readonly SourceFile[];
  /** Plain sentences about what was left out, and why. */
  readonly notes: readonly string[];
}

/** One file, held open: what is read comes from the same file, whatever is moved to its name meanwhile. */
export interface OpenFile extends AsyncDisposable {
  /** The same as long as it is the same file, whatever its name. */
  readonly identity: string;
  readonly sizeBytes: number;
  /** Another one whenever the file was written to, as far as the file system tells. */
  readonly revision: string;
  /** Fewer bytes than asked for only at the file's end. */
  read(fromByte: number, lengthBytes: number): Promise<Uint8Array>;
}

/** The files that sources name. Simulations give their own. */
export interface SourceFiles {
  list(path: string): Promise<Listing>;
  /** Undefined when it is gone or is no file. */
  open(path: string): Promise<OpenFile | undefined>;
}

declare const sanitised: unique symbol;
/** Every free text of it went through the sanitiser. Only such an event is stored, shown or mined. */
export type CleanEvent = Event & { readonly [sanitised]: true };

/** Why a line is no event that can be taken. */
export const ASIDE_REASONS = [
  'too_long',
  'not_json',
  'not_an_event',
  'wrong_time',
  'not_sanitised',
] as const;
export type AsideReason = (typeof ASIDE_REASONS)[number];
