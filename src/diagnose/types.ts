/** The nouns of a diagnosis. */
import type { FailureGroup, FailureKind, Pattern, Window } from '../facts/index.ts';

export type TimeUnit = 'ms' | 's' | 'min' | 'h';

/** One key on the way to a value, and what the map or list item behind it calls itself (`name:`). */
export interface Step {
  readonly key: string;
  readonly name: string | null;
}

/** A number in a file of the target. Files and keys are attacker-controlled text. */
export interface Setting {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The keys that lead to it in the file; the index for a list. */
  readonly path: readonly string[];
  readonly value: number;
  /** Guessed from its key; null where the key tells none. */
  readonly unit: TimeUnit | null;
  /** Where its source stands in the file's text, in UTF-16 units, a byte order mark included. */
  readonly start: number;
  readonly end: number;
  /** The keys by which an agent reaches it: others than `path` where an alias leads to it. */
  readonly steps: readonly Step[];
  /** What the document calls itself (`name:` at its top). */
  readonly documentName: string | null;
}

export interface SettingsReading {
  readonly settings: readonly Setting[];
  /** What could not be read, one plain sentence each. */
  readonly problems: readonly string[];
  readonly seen: FilesSeen;
}

/** What the globs of `target.agentFiles` match in a commit. */
export interface FilesSeen {
  readonly globs: number;
  /** Globs that match nothing. */
  readonly emptyGlobs: readonly string[];
  /** Files that match, of every kind. */
  readonly files: number;
  /** Those whose name says YAML or JSON: only their values can be tuned. */
  readonly settingsFiles: number;
  readonly filesRead: number;
}

export interface DiagnoseLimits {
  readonly minOccurrences: number;
  /** A failure is worth acting on when its share of the calls is surely above this. */
  readonly failureShare: number;
}

/** What tells a pattern of an earlier cycle from others. */
export type KnownPattern = Pick<
  Pattern,
  'id' | 'kind' | 'template' | 'agent' | 'tool' | 'errorCode'
>;

export interface DiagnoseInput {
  readonly window: Window;
  readonly groups: readonly FailureGroup[];
  readonly settings: readonly Setting[];
  /** The commit that the settings were read from. */
  readonly commit: string;
  readonly limits: DiagnoseLimits;
  /** Patterns of earlier cycles, so that a reworded template keeps its pattern's id. */
  readonly known?: readonly KnownPattern[];
}

export interface Diagnosis {
  /** The highest score first. */
  readonly patterns: readonly Pattern[];
  readonly passedOver: readonly { readonly title: string; readonly why: string }[];
  /** One plain sentence, also when there is nothing to do. */
  readonly summary: string;
}

/** All groups of one failure at one place, added up. */
export interface Failure extends FailureGroup {
  readonly id: string;
  readonly kind: FailureKind;
}
