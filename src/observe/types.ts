/** The room's ports and words. Adding a kind of source: `docs/guides/add-a-source.md`. */
import type { z } from 'zod';
import type { Json } from '../base/index.ts';
import type { Event } from '../facts/index.ts';
import type { OwnRule, ReplacedKind } from '../sanitise/index.ts';
import type { RunningTotal } from './running-totals.ts';

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
  /** The largest share that observing may cost of what is observed. */
  readonly overhead: number;
  /** Own rules of the sanitiser. */
  readonly rules: readonly OwnRule[];
  /** Kinds that the sanitiser leaves alone. */
  readonly keepKinds: readonly ReplacedKind[];
  /** Whether marks get letters by which equal values are recognised in this store. */
  readonly markSuffix: boolean;
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
  /** What is wrong with settings beyond the form of each key, as a sentence. */
  check?(settings: z.output<z.ZodObject<Keys>>, kinds: readonly SourceKind[]): string | undefined;
  /**
   * Whether a file is of this kind, by its beginning; undefined if it is not. Pure, and never throws: the file
   * may be anything. The kind that is surest gets the file, so that nobody has to name a kind.
   */
  recognise?(sample: Sample): Recognised | undefined;
}

/** The beginning of a file whose kind is not known. */
export interface Sample {
  /** Absolute, with `/` between its parts. */
  readonly path: string;
  /** Its first 64 KiB at most, unpacked, as text. Its last line may lack its end. */
  readonly head: string;
  /** Whether the head is all of it. */
  readonly isWhole: boolean;
}

export interface Recognised {
  /** From 0 to 1. Above .9: only this kind writes such files. About .5: it would do. */
  readonly certainty: number;
  /** What it is, for people: `Claude Code transcript, written by 2.1.230`. */
  readonly what: string;
  /** The folder that the agent worked in, where the file says so. */
  readonly project?: string;
  /** Keys of the kind beside `path` that reading it needs. */
  readonly settings?: Readonly<Record<string, Json>>;
}

/** A source's ports. It reaches nothing else of the outside. */
export interface SourcePorts {
  readonly files: SourceFiles;
  /** The sanitiser. Every text that a position holds goes through it: positions are stored. */
  clean(text: string): string;
  /** A sentence about which other kind a refused text resembles and what to do; undefined if none. */
  resembles?(text: string, fileName: string): string | undefined;
  /** What was committed to the target after a commit; absent where there is no target. */
  commits?(after: string | null, limit: number): Promise<TargetCommits>;
  /** The target repository's folder; absent where there is none (`hone look`). */
  readonly root?: string;
  /** Absent where no command is run: in simulations. */
  readonly commands?: SourceCommands;
  /** A source of another kind that reads from these files; for kinds that only say where text comes from. */
  openAs?(kind: string, settings: Readonly<Record<string, unknown>>, files: SourceFiles): Source;
}

/** Runs the commands that the accepted configuration names, without a shell, and with an environment of their own. */
export interface SourceCommands {
  /** For how often one is run. */
  nowMs(): number;
  run(command: readonly string[], limits: CommandLimits): RunningCommand;
}

export interface CommandLimits {
  readonly timeoutMs: number;
  /** Without printing anything: one that follows a log never ends by itself. */
  readonly idleMs: number;
  readonly outputBytesMax: number;
  /** Whether what it prints to its error output is part of its output, in the same order. */
  readonly withErrors: boolean;
}

/** Disposing of it ends it, with all that it started. */
export interface RunningCommand extends AsyncDisposable {
  /**
   * What it prints next, asked for one at a time; undefined at the end. `later`, only if it may say so, if nothing came
   * within about a second: others wait too. Never throws.
   */
  next(mayBeLater: boolean): Promise<Uint8Array | 'later' | undefined>;
  /** How it ended; undefined as long as it has output. */
  readonly end: CommandEnd | undefined;
}

export type CommandEnd =
  | { readonly how: 'exited'; readonly code: number | null }
  | { readonly how: 'timeout' | 'idle' | 'too_much' }
  /** The system's code, such as ENOENT. */
  | { readonly how: 'not_started'; readonly code: string };

/** The target branch's newest commits, along first parents: a merge is one change. */
export interface TargetCommits {
  /** Oldest first, at most as many as asked for. */
  readonly commits: readonly TargetCommit[];
  /** Whether they continue right behind the commit that was named. */
  readonly isJoined: boolean;
}

export interface TargetCommit {
  readonly id: string;
  readonly title: string;
  readonly atMs: number;
  readonly paths: readonly string[];
}

/** Something that is read repeatedly, each time from where reading stopped. */
export interface Source {
  /** What there is to read now. */
  list(): Promise<SourceListing>;
}

export interface SourceListing {
  /** False if there is nothing at its place yet. */
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
  /** Undefined if it has nothing to read now. Opened again whenever a batch was refused. */
  open(positions: Positions): Promise<StreamReader | undefined>;
}

/** The positions of one source that were stored. */
export interface Positions {
  /** Those that carry one of the marks. */
  find(marks: readonly string[]): Promise<readonly Json[]>;
  /** Grows with every batch: distinguishes streams that had the same name at different times. */
  readonly batch: number;
}

export interface StreamReader extends AsyncDisposable {
  /** Its name for people, sanitised: a file's name. */
  readonly name: string;
  /**
   * The next records, or undefined when there is none now. What was returned before is counted by then, and may still be
   * on its way into the store.
   * Reads at most about `stepsMax` lines, or whatever it reads by, and gives at most about as many records.
   */
  next(stepsMax: number): Promise<Pulled | undefined>;
  /** All that it returned was stored: only now it may note that its stream was read to the end. */
  stored?(): void;
  /** Sentences about what it found; each is reported once. */
  takeNotes(): readonly string[];
}

export interface Pulled {
  readonly records: readonly SourceRecord[];
  readonly position: StreamPosition;
  readonly bytes: number;
  /** How much of the budget it used: lines, including those without an event. */
  readonly steps: number;
}

/** Where to continue reading a stream. The room stores it with the records before it, without interpreting it. */
export interface StreamPosition {
  /** One row each; at most 200 characters. */
  readonly stream: string;
  /** By which `find` gives it back, beside those it had before; at most 200 characters each. */
  readonly marks: readonly string[];
  readonly value: Json;
}

/** One record of a source: an event, or why it is not one. */
export type SourceRecord = Decoded & {
  /** The raw text. Kept, sanitised and cut, if the record is not an event. */
  readonly text: string;
  /** Its place: its first byte, or any growing number; and its line, if there are lines. */
  readonly offset: number;
  readonly line: number | null;
};

export type Decoded =
  | {
      readonly ok: true;
      readonly event: Event;
      /** Its value is a running total, of which only what is new counts (`running-totals.ts`). */
      readonly total?: RunningTotal;
    }
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
    about: StreamAbout,
  ): {
    readonly records: readonly Decoded[];
    readonly state: State;
    /** How many payloads, or parts of one, it passed over because it does not know their type. */
    readonly skipped?: number;
  };
  /**
   * What the state holds back for a later payload, asked for when there is none now: an event whose next lines may
   * still be its own, or that may be the last one. Without records the state stays as it is.
   */
  flush?(
    state: State,
    about: StreamAbout,
  ): { readonly records: readonly Decoded[]; readonly state: State };
}

/** What is known of the stream that a payload is of. */
export interface StreamAbout {
  /** A file's name, without its folder. Not sanitised, as the payload is not. */
  readonly name: string;
  /** When it was written last: for formats whose records have no time, or none with a year. */
  readonly modifiedMs: number | null;
}

export interface SourceFile {
  /** The file's own name, without its folder. */
  readonly name: string;
  /** What `open` takes. */
  readonly path: string;
  /** As it was when it was listed, where that is known: what was read in this state is not opened again. */
  readonly seen?: Pick<OpenFile, 'identity' | 'revision'>;
  /** Read only if it continues what was read: the rotated files of a source that is one file. */
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

/** One file, held open: reads come from the same file, even if another is moved to its name. */
export interface OpenFile extends AsyncDisposable {
  /** The same as long as it is the same file, whatever its name. */
  readonly identity: string;
  readonly sizeBytes: number;
  /** Changes whenever the file is written to, as far as the file system can tell. */
  readonly revision: string;
  readonly modifiedMs: number | null;
  /** Fewer bytes than asked for only at the file's end. */
  read(fromByte: number, lengthBytes: number): Promise<Uint8Array>;
  /**
   * Waits for bytes behind `sizeBytes`, which grows by them; false if none will come, or, where that is asked for, if
   * none come soon. Absent: all is there.
   */
  more?(isSoon?: boolean): Promise<boolean>;
  /** Nothing before this byte is asked for again. */
  letGo?(beforeByte: number): void;
  /** Known at its end: nothing will be added, so a last line needs no line break. */
  readonly isFinal?: boolean;
  /** `once`: it cannot be opened again. `again`: it is made anew by each opening, and its beginning may be gone. */
  readonly comes?: 'once' | 'again';
  /** Of what comes again: another one, from its beginning. This one is closed. */
  afresh?(): Promise<OpenFile | undefined>;
  /** Sentences about what was found while it was read; each is given once. */
  takeNotes?(): readonly string[];
}

/** Which files of a folder are a source's own. A file that is named itself may have any name. */
export interface FilesWanted {
  /** Without their dot: letters and digits (`jsonl`). */
  readonly extensions: readonly string[];
  /** Whether a file in a folder below, such as `sessions/2026/11/rollout-1.jsonl`, is one; all are without it. */
  accepts?(pathBelow: string): boolean;
}

/** The files that sources name. Simulations give their own. */
export interface SourceFiles {
  /** A file, or a folder's files that are wanted, and what they were rotated to. */
  list(path: string, wanted: FilesWanted): Promise<FileListing>;
  /** Undefined if it is gone or is not a file. */
  open(path: string): Promise<OpenFile | undefined>;
}

declare const sanitised: unique symbol;
/** Every free text of it went through the sanitiser. Only such an event is stored, shown or mined. */
export type CleanEvent = Event & { readonly [sanitised]: true };

/** Why a record is not an event that can be accepted. */
export const ASIDE_REASONS = [
  'too_long',
  'not_json',
  'not_an_event',
  'wrong_time',
  'not_sanitised',
] as const;
export type AsideReason = (typeof ASIDE_REASONS)[number];
