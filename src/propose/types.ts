/** The port of generators, what proposing needs, and what it gives. */
import type { Artifact } from '../artifact/index.ts';
import type {
  Actor,
  Attestation,
  Change,
  Pattern,
  ProposalContent,
  ProposalState,
  ProposalType,
  Reach,
  Risk,
  SettingSubject,
  SettingValue,
  Signs,
  Step,
} from '../facts/index.ts';
import type { CommitId, FileChange, Signature, TargetRepository } from '../git/index.ts';

export type Author = Omit<Signature, 'atMs'>;

/** The target's files at the commit that the change is made on. */
export interface TargetFiles {
  /** Undefined where there is no such file, or it is larger than 1 MiB or not UTF-8. A byte order mark stays. */
  readText(path: string): Promise<string | undefined>;
  /** The same at another commit of the target; undefined also where that cannot be read. */
  readTextAt(commit: string, path: string): Promise<string | undefined>;
  /** The file of a setting with another value there, and every other byte as it was. */
  setValue(setting: SettingSubject, to: SettingValue): Promise<ValueEdit | Declined>;
  /** The same with the bytes that the value had before a commit; declined where it was changed again since. */
  putBack(
    setting: SettingSubject,
    around: {
      readonly commit: string;
      readonly parent: string;
      readonly value?: SettingValue | undefined;
    },
  ): Promise<ValueEdit | Declined>;
}

export interface ValueEdit {
  readonly edit: FileChange;
  /** Where the value is now, which may not be where the diagnosis saw it. */
  readonly line: number;
  /** Other places of the file that use the same value. */
  readonly aliases: number;
  /** As it is written, with its unit and quotes: `5s` and `10s`. Somebody else's text. */
  readonly before: string;
  readonly after: string;
}

/** One plain sentence. */
export interface Declined {
  readonly declined: string;
}

/** A change as a generator wants it; the room makes the diff and the proposal. Texts are plain sentences. */
export interface Draft {
  /** One line, at most 120 characters. */
  readonly title: string;
  readonly change: Change;
  /** Where it is another than its generator's. */
  readonly type?: ProposalType;
  /** The whole new content of each file that changes. */
  readonly edits: readonly FileChange[];
  /** What it risks by itself; the room raises it where it reaches further. */
  readonly risk: Risk;
  /** Who it applies to; null for a change that is not one value. */
  readonly reach: Reach | null;
  /** What it can produce, where that is known (`expected-signs.ts`). */
  readonly signs?: Signs | undefined;
  /** It is a trial, which shows whether calls that were cut off after so long end later. */
  readonly trial?: { readonly cutOffMs: number } | undefined;
  /** It puts back what a commit changed right before the failures began. */
  readonly isUndo?: true;
  /** A larger change needs more failures as evidence. */
  readonly failuresNeeded: number;
  /** What is wrong, with its place: `timeout_ms is 800 in agents/a.yaml:5`. */
  readonly cause: string;
  /** How the change was found, with its numbers. */
  readonly why: string;
  /** What may go wrong with it. */
  readonly harm: string;
}

/**
 * One way to fix failures. Its answer depends on the pattern and the files alone. It gives no draft for patterns of
 * another kind than its own, and declines in a sentence where the pattern is of its kind and it is not sure.
 * `generator-contract.test-support.ts` has the rules.
 */
export interface Generator {
  /** One word with dashes, such as `constant-tune`. */
  readonly name: string;
  /** The type of its proposals. */
  readonly type: ProposalType;
  propose(pattern: Pattern, files: TargetFiles): Promise<Declined | { drafts: readonly Draft[] }>;
}

export interface ProposePorts {
  readonly repository: TargetRepository;
  /** The target branch's head: what the change is made on. */
  readonly head: CommitId;
  /**
   * Changes that are not tried again for this pattern now, by their recorded key, each with the reason in a sentence; where a
   * step is named, only those that are as large.
   */
  readonly closedChanges: readonly {
    readonly change: string;
    readonly step?: Step | undefined;
    readonly why: string;
    /** It was a trial that brought nothing: it closes trials alone. */
    readonly isTrial?: true;
    /** It was taken back for harm, its own or perhaps not: what it changed is likely read, so that copies of it are not. */
    readonly isRead?: true;
  }[];
  /** Changes that were taken back, by their recorded key, and when: what was seen before that is not of the value of now. */
  readonly restored: readonly {
    readonly change: string;
    readonly proposalId: string;
    readonly atMs: number;
  }[];
  /** Changes that are open or watched, for whatever pattern. */
  readonly openChanges: readonly Change[];
  /** What is known to help against such failures, by its way, and how often it did; it comes first. */
  readonly knownFixes: ReadonlyMap<string, number>;
  /** Ways that helped against a pattern that this one is like; they come first as well. */
  readonly helpedAlike: ReadonlySet<string>;
  readonly proposer: Actor;
  readonly minConfidence: number;
}

export interface Proposed {
  readonly content: ProposalContent;
  /** The unified diff; the content names it by its digest. */
  readonly diff: Artifact;
  readonly score: number;
  /** It is known to help, here (LRN-1) or against a pattern that is alike (DIAG-7). */
  readonly isKnown: boolean;
}

/** Known fixes first, of each the highest score first; never empty. */
export type Answer = { readonly proposed: readonly [Proposed, ...Proposed[]] } | Declined;

/** A proposal as its page shows it. */
export interface PageInput {
  readonly proposal: {
    readonly id: string;
    readonly title: string;
    readonly createdAtMs: number;
  };
  readonly version: number;
  readonly state: ProposalState;
  readonly content: ProposalContent;
  readonly diffText: string;
  /** Those made up to this version, in their order. */
  readonly attestations: readonly Attestation[];
  /** What was said with them, by their id: a person's reason, a watch's numbers. */
  readonly said: ReadonlyMap<
    string,
    { readonly reason: string; readonly numbers: readonly string[] }
  >;
  /** What the person who decides must know about how the change reaches the target. */
  readonly beforeDecision: readonly string[];
}

/** A proposal as the index lists it. */
export interface IndexRow {
  readonly id: string;
  readonly title: string;
  readonly state: ProposalState;
  readonly createdAtMs: number;
  /** Null where it is not known. */
  readonly severity: Pattern['severity'] | null;
  /** Relative to the index; null where there is no page yet. */
  readonly page: string | null;
}

/** What the pages' branch is made of, read when an effect is sent. */
export interface PagePorts {
  readonly repository: TargetRepository;
  readonly author: Author;
  /** The proposal with its attestations of a position below `version`. */
  page(
    id: string,
    version: number,
  ): Promise<
    Pick<PageInput, 'content' | 'diffText' | 'attestations' | 'said' | 'beforeDecision'> & {
      readonly proposal: PageInput['proposal'] & { readonly changedAtMs: number };
    }
  >;
  /** Every proposal, as it is now. */
  list(): Promise<readonly Omit<IndexRow, 'severity' | 'page'>[]>;
}
