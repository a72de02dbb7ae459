/** The room's ports and words. Adding a kind of source: `docs/guides/add-a-source.md`. */
import type { z } from 'zod';
import type { Json } from '../base/index.ts';
import type { Event } from '../facts/index.ts';

/** One entry of `observe.sources`: a name, its kind, and the keys that its kind brings. */
export interface SourceSettings {
  readonly name: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}

/** What the section `observe` of the configuration says. */
export interface ObserveSettings {
  readonly sources: readonly SourceSettings[];
  readonly allowedDomains: readonly string[];
  readonly allowedPaths: readonly string[];
  readonly redactUuids: boolean;
}

/** A format, and where telemetry in it is found. */
export interface SourceKind<Keys extends z.ZodRawShape = z.ZodRawShape> {
  /** What stands under `kind` in the configuration. */
  readonly kind: string;
  /** A clause for the configuration's reference. */
  readonly about: string;
  /** Its keys beside `name` and `kind`. A key that two kinds share has the same schema in both. */
  readonly keys: Keys;
  /** Where it reads, in a few words for people, such as its path. */
  place(settings: z.output<z.ZodObject<Keys>>): string;
  open(settings: z.output<z.ZodObject<Keys>>, ports: SourcePorts): Source;
}

/** What a source is given. Nothing else of the outside reaches it. */
export interface SourcePorts {
  readonly files: SourceFiles;
  /** The sanitiser. Every text that a position holds goes through it: positions are stored. */
  clean(text: string): string;
}

/** Something that is read again and again, each time from where it was left. */
export interface Source {
  /** What there is to read now. */
  list(): Promise<SourceListing>;
}

export interface SourceListing {
  /** False when nothing is at its place yet. */
  readonly exists: boolean;
  /** How many files, or whatever it counts by, are its own. */
  readonly count: number;
  /** In the order in which they are read. */
  readonly streams: readonly Stream[];
  /** Plain sentences about what was left out, and why. They are sanitised before they are shown. */
  readonly notes: readonly string[];
}

/** What has a position of its own, such as a file. */
export interface Stream {
  /** Undefined when there is nothing to read in it now. Opened anew whenever a batch was not taken. */
  open(positions: Positions): Promise<StreamReader | undefined>;
}

/** The positions of one source that were stored. */
export interface Positions {
  /** Those that carry one of the marks. */
  find(marks: readonly string[]): Promise<readonly Json[]>;
  /** Grows with every batch: tells apart what had the same name one after the other. */
  readonly batch: number;
}

export interface StreamReader extends AsyncDisposable {
  /** What people know it by, sanitised: a file's name. */
  readonly name: string;
  /**
   * The next records, or undefined when there is none now. What was returned before was stored meanwhile.
   * Reads at most about `stepsMax` lines, or whatever it reads by, and gives at most about as many records.
   */
  next(stepsMax: number): Promise<Pulled | undefined>;
  /** Sentences about what it found; they are told once. */
  takeNotes(): readonly string[];
}

export interface Pulled {
  readonly records: readonly SourceRecord[];
  readonly position: StreamPosition;
  readonly bytes: number;
  /** How much of a budget it took: lines, also those that held no event. */
  readonly steps: number;
}

/** Where a stream is to be read on. The room stores it with the records before it, and does not look into it. */
export interface StreamPosition {
  /** One row each; at most 200 characters. */
  readonly stream: string;
  /** By which `find` gives it back, beside those it had before; at most 200 characters each. */
  readonly marks: readonly string[];
  readonly value: Json;
}

/** One record of a source: an event, or why it is none. */
export type SourceRecord = Decoded & {
  /** As it came. Kept, sanitised and cut, where the record is no event. */
  readonly text: string;
  /** Where it stands: its first byte, or any number that grows; and its line, where there are lines. */
  readonly offset: number;
  readonly line: number | null;
};

export type Decoded =
  | { readonly ok: true; readonly event: Event }
  | {
      readonly ok: false;
      readonly reason: AsideReason;
      /** One plain sentence. May name keys of the payload: it is sanitised like everything else. */
      readonly detail: string;
    };

/**
 * How payloads become events: a line of a file, or a body that somebody sent. Payloads are written by agents
 * and are not trusted. It is pure: what it knows of earlier payloads of the stream is `state`.
 */
export interface Decoder<State extends Json = Json> {
  /** Before the first payload of a stream. */
  readonly start: State;
  /** As many records as the payload holds. A detail never repeats a value of the payload. */
  decode(
    payload: string,
    state: State,
  ): { readonly records: readonly Decoded[]; readonly state: State };
}

export interface SourceFile {
  /** The file's own name, without its folder. */
  readonly name: string;
  /** What `open` takes. */
  readonly path: string;
  /** As it was when it was listed, where that is known: what was read in this state is not opened again. */
  readonly seen?: Pick<OpenFile, 'identity' | 'revision'>;
  /** Read only if it goes on with something that was read: what a source's one file was rotated to. */
  readonly onlyIfKnown?: boolean;
}

export interface FileListing {
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
  /** A file, or a folder's files with this extension (`jsonl`), and what they were rotated to. */
  list(path: string, extension: string): Promise<FileListing>;
  /** Undefined when it is gone or is no file. */
  open(path: string): Promise<OpenFile | undefined>;
}

declare const sanitised: unique symbol;
/** Every free text of it went through the sanitiser. Only such an event is stored, shown or mined. */
export type CleanEvent = Event & { readonly [sanitised]: true };

/** Why a record is no event that can be taken. */
export const ASIDE_REASONS = [
  'too_long',
  'not_json',
  'not_an_event',
  'wrong_time',
  'not_sanitised',
] as const;
export type AsideReason = (typeof ASIDE_REASONS)[number];
