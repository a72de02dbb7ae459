/** The nouns of the room: sections, problems, and what `hone init` finds. */
import type { z } from 'zod';
import type { Digest } from '../base/index.ts';

/** One room's part of `hone.yaml`. Made by `section()`, so every key has a default and a comment. */
export interface Section<K extends string = string, S extends z.ZodObject = z.ZodObject> {
  /** The top-level key. */
  readonly key: K;
  /** One line; `hone init` writes it above the section. */
  readonly title: string;
  readonly schema: S;
}

/** The strict schema of the whole file; every section may be left out. */
export type Composed<S extends readonly Section[]> = z.ZodObject<
  { [E in S[number] as E['key']]: z.ZodPrefault<E['schema']> },
  z.core.$strict
>;

/** What the rooms read: durations in milliseconds, sizes in bytes, every default filled in. */
export type ConfigOf<S extends readonly Section[]> = z.output<Composed<S>>;

export type ProblemCode =
  /** Not YAML. */
  | 'syntax'
  /** Not UTF-8 text. */
  | 'not_text'
  /** Beyond a limit on size, depth or aliases. */
  | 'too_large'
  | 'duplicate_key'
  | 'unknown_key'
  | 'wrong_type'
  | 'out_of_range'
  /** Not one of the allowed words. */
  | 'not_allowed'
  /** The right type in the wrong form: a duration, a cron expression, a URL. */
  | 'bad_form'
  /** A literal secret. */
  | 'secret'
  /** YAML that is not used here: tags, directives, merge keys, `__proto__`. */
  | 'unsupported';

/** One mistake in the file. No text in it holds a secret or a control character of the file. */
export interface Problem {
  readonly code: ProblemCode;
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** `schedules.digest.cron`, `identity.agents[0].name`; empty when it is about the file. */
  readonly key: string;
  readonly expected: string;
  /** What stood there, masked and shortened. */
  readonly found: string;
  /** A plain sentence with all of it but the place. */
  readonly message: string;
}

export type ParseResult<C> =
  | { readonly ok: true; readonly config: C; readonly digest: Digest }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** One key whose meaning differs between two configurations, as texts that may be shown. */
export interface Change {
  readonly key: string;
  /** Undefined where the key is new. */
  readonly before: string | undefined;
  /** Undefined where the key is gone. */
  readonly after: string | undefined;
}

export interface TreeEntry {
  readonly name: string;
  /** Links are never followed: they may lead out of the tree. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * The files of a repository, read only. Paths are relative to its root and use `/`; the root is the
 * empty text. Nothing throws: what cannot be read is not there.
 */
export interface ReadOnlyTree {
  /** At most `maxEntries` entries, sorted by name; empty when it is not a readable folder. */
  list(path: string, maxEntries: number): readonly TreeEntry[];
  /** The first `maxBytes` bytes as text; undefined when it is not a readable file. */
  read(path: string, maxBytes: number): string | undefined;
}

/** What `hone init` found. Every list is sorted and free of repetition. */
export interface Detected {
  readonly languages: readonly string[];
  readonly packageManagers: readonly string[];
  /** How its dependencies are built in a sandbox; undefined where nothing is known to be needed. */
  readonly profile?: LanguageProfile | undefined;
  readonly testRunners: readonly string[];
  /** A fixed command of a known tool, never text from the repository; empty when none is known. */
  readonly testCommand: string;
  readonly ci: readonly string[];
  /** Globs of the files that define the agents' behaviour. */
  readonly agentFiles: readonly string[];
  readonly mcpConfigs: readonly string[];
  /** The repository is larger than the walk's limits, so something may be missing. */
  readonly truncated: boolean;
}

/**
 * How `hone.yaml` relates to what is in effect. In the last three states the accepted configuration cannot be in effect,
 * so Hone only watches and rolls back. `outdated`: the accepted text means something else to this build than to
 * the one that accepted it. `unreadable`: this build cannot read the accepted text. `superseded`: what is kept
 * here is not what was accepted last.
 */
export type ConfigurationState =
  | 'accepted'
  | 'edited'
  | 'missing'
  | 'outdated'
  | 'unreadable'
  | 'superseded';

/** What tests need before they run in the sandbox (`validate.prepare`, `validate.hosts`). */
export interface LanguageProfile {
  readonly prepare: readonly string[];
  readonly hosts: readonly string[];
  /** How the tests are called where what was prepared has its own place. */
  readonly test?: readonly string[];
}
