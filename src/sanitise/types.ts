/** What a rule of the sanitiser gives: what must be removed from a text, and its mark. */

export interface SanitiserRules {
  /** Host names whose URLs keep their path and query. */
  readonly allowedDomains: readonly string[];
  /** Absolute paths that stay whole, with all below them. */
  readonly allowedPaths: readonly string[];
  readonly redactUuids: boolean;
}

export const REPLACED_KINDS = [
  'control',
  'escape',
  'private_key',
  'header',
  'connection',
  'api_key',
  'jwt',
  'bearer',
  'basic',
  'key',
  'card',
  'iban',
  'phone',
  'national_id',
  'email',
  'uuid',
  'url',
  'address',
  'path',
] as const;
export type ReplacedKind = (typeof REPLACED_KINDS)[number];

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

/** Edits in ascending order that do not overlap. Takes time linear in the text. */
export type Rule = (text: string, rules: SanitiserRules) => readonly Edit[];
