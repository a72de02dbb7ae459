/** What a rule of the sanitiser gives: what must be removed from a text, and its mark. */

/** A rule of the configuration: what `pattern` finds is replaced by `[REDACTED:<mark>]`. */
export interface OwnRule {
  readonly name: string;
  /** In the small language of `own-pattern.ts`. */
  readonly pattern: string;
  /** Capital letters, digits and underscores; the name in capitals unless given. */
  readonly mark?: string | undefined;
}

export interface SanitiserRules {
  /** Host names whose URLs keep their path and query. */
  readonly allowedDomains: readonly string[];
  /** Absolute paths that stay whole, with all below them. */
  readonly allowedPaths: readonly string[];
  readonly redactUuids: boolean;
  readonly rules?: readonly OwnRule[];
  /** Kinds that are left alone. */
  readonly keepKinds?: readonly ReplacedKind[];
  /**
   * Letters by which equal values are recognised, put into their marks. It is keyed, and the key comes from outside: a
   * plain hash of a telephone number is found by trying all of them.
   */
  readonly suffixOf?: ((value: string) => string) | undefined;
}

export const REPLACED_KINDS = [
  'control',
  'private_key',
  'header',
  'connection',
  'api_key',
  'jwt',
  'bearer',
  'basic',
  'key',
  'own',
  'card',
  'iban',
  'phone',
  'national_id',
  'email',
  'uuid',
  'url',
  'address',
  'user',
  'path',
] as const;
export type ReplacedKind = (typeof REPLACED_KINDS)[number];

/** Where something is. A file's addresses and paths are what the file is about, so masks leave them. */
export const PLACE_KINDS = [
  'control',
  'uuid',
  'url',
  'address',
  'user',
  'path',
] as const satisfies readonly ReplacedKind[];
/** Who somebody is. */
export const PERSONAL_KINDS = [
  'card',
  'iban',
  'phone',
  'national_id',
  'email',
] as const satisfies readonly ReplacedKind[];

/** How often each kind was replaced; kinds that were not are absent. */
export type Replaced = Partial<Record<ReplacedKind, number>>;

export interface Edit {
  readonly kind: ReplacedKind;
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/** A secret or personal data in a text as it was given. */
export interface Span {
  readonly kind: ReplacedKind;
  readonly start: number;
  readonly end: number;
  /** What a reader sees in its place. */
  readonly mark: string;
}
