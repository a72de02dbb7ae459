/** What an agent said, and what there is. */

export const CLAIM_LEVELS = ['file', 'symbol', 'signature', 'table', 'snippet'] as const;
export type ClaimLevel = (typeof CLAIM_LEVELS)[number];

/** One statement that can be checked. */
export interface Claim {
  readonly level: ClaimLevel;
  /** As it stands in the text. */
  readonly said: string;
  /** A path, a name such as `retry` or `Slot.parse`, a table, or the code of a snippet. */
  readonly name: string;
  /** The file that the text ties a name to. */
  readonly file?: string | undefined;
  /** The text says that it is defined there, and not only used. */
  readonly isDefinition?: boolean | undefined;
  /** What stands between the parentheses of a signature, and behind them. */
  readonly parameters?: string | undefined;
  readonly returns?: string | undefined;
  /** The language of a snippet. */
  readonly language?: string | undefined;
}

/** `unknown`: nothing here can tell. It is not refused. */
export type ClaimVerdict = 'confirmed' | 'refused' | 'unknown';

export interface CheckedClaim {
  readonly claim: Claim;
  readonly verdict: ClaimVerdict;
  /** What was found, as a sentence. */
  readonly why: string;
}

/** The files of the commit that the agent worked on. */
export interface ClaimTree {
  paths(): Promise<readonly string[]>;
  /** Undefined for what is no text, or too large. */
  read(path: string): Promise<string | undefined>;
}

export interface Parameter {
  /** Empty where only a type is known. */
  readonly name: string;
  readonly type: string | undefined;
  readonly isOptional: boolean;
  readonly default: string | undefined;
  readonly isRest: boolean;
  readonly isKeywordOnly: boolean;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly returns: string | undefined;
}

export interface CodeSymbol {
  readonly name: string;
  /** The class, type, interface, enum or object that it belongs to. */
  readonly owner: string | undefined;
  /** One for each overload; empty for what is not called. */
  readonly signatures: readonly Signature[];
}

/** What a file declares. */
export interface FileSymbols {
  readonly symbols: readonly CodeSymbol[];
  /** Classes and types of it, with what they are based on. */
  readonly bases: ReadonlyMap<string, readonly string[]>;
  /** Names that it takes from elsewhere, with where from. */
  readonly imports: ReadonlyMap<string, string>;
  /** Files whose names it passes on, all of them. */
  readonly passesOn: readonly string[];
  /** Of Go. */
  readonly package?: string | undefined;
}

export interface Language {
  readonly name: string;
  readonly extensions: readonly string[];
  /** As people write them behind a code fence. */
  readonly fences: readonly string[];
  /** Undefined where the file is broken. */
  symbols(text: string): FileSymbols | undefined;
  parses(code: string): boolean;
  /** Words of code that are neither comments nor documentation. */
  readonly comments: RegExp;
  parameter(text: string): Parameter[];
}
