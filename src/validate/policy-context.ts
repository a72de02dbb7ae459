/** What the policy tests know beside the change: all of it the operator's or the base's, nothing of the change itself. */
import type { GivenArguments } from './argument-lists.ts';
import type { GateFiles } from './gate-files.ts';

export interface PolicyContext {
  readonly forbiddenPaths: readonly string[];
  /** Globs of the files that are declared as agents' files. */
  readonly agentFiles: readonly string[];
  /** What the target's definitions and its telemetry say that names are. */
  readonly names: KnownNames;
  /** What the gates name. */
  readonly gates: GateFiles;
}

export interface KnownNames {
  /** Names of tools, in small letters. */
  readonly tools: ReadonlySet<string>;
  /** Names of arguments by the tool's name. */
  readonly arguments: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names that agents called as tools, again and again, without a single answer. */
  readonly calledInVain: ReadonlySet<string>;
  /** What calls that tools refuse are made with, and what those tools take. */
  readonly given: readonly GivenArguments[];
}

const NO_NAMES: KnownNames = {
  tools: new Set(),
  arguments: new Map(),
  calledInVain: new Set(),
  given: [],
};
const NO_GATES: GateFiles = { direct: [], inFiles: [], inCiFiles: [] };

/** A context of which only some is known. */
export function policyContext(known: Partial<PolicyContext>): PolicyContext {
  return { forbiddenPaths: [], agentFiles: [], names: NO_NAMES, gates: NO_GATES, ...known };
}
