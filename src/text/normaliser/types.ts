/**
 * The normaliser's nouns. Offsets are UTF-16 code units of the original text, end exclusive, as
 * `String.prototype.slice` takes them.
 */

/** `info`: worth knowing, never held. `suspicious`: rarely honest. `dangerous`: made to deceive. */
export type Severity = 'info' | 'suspicious' | 'dangerous';

export type FindingKind =
  | 'zero_width'
  | 'bidi_control'
  | 'tag_characters'
  | 'variation_selector'
  | 'blank_character'
  | 'control_character'
  | 'terminal_sequence'
  | 'odd_space'
  | 'pushed_text'
  | 'stacked_marks'
  | 'invalid_sequence'
  | 'private_use'
  | 'unassigned'
  | 'mixed_script'
  | 'lookalike_word'
  | 'lookalike_punctuation'
  | 'styled_letters'
  | 'leet_word'
  | 'spaced_word'
  | 'encoded_text'
  | 'limit_reached';

export interface Finding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly start: number;
  readonly end: number;
  /** One sentence for a person: what is there and why it matters. */
  readonly message: string;
  /** What it says once read: a smuggled text, the word that was imitated. Cut, and safe to show. */
  readonly reads?: string;
}

export type Encoding = 'base64' | 'hex' | 'escapes';

/** A text that a decoder would get out of the original, or out of another layer. */
export interface Layer {
  readonly encoding: Encoding;
  /** 1 for what is in the original itself. */
  readonly depth: number;
  /** Where the outermost encoded text is in the original. */
  readonly start: number;
  readonly end: number;
  /** As decoded, for machines: it may hide characters of its own. */
  readonly text: string;
  readonly canonical: string;
  /** Findings inside the decoded text; their offsets are the layer's own. */
  readonly findings: readonly Finding[];
}

export interface Limits {
  /** Longer input is refused with `text_too_long`. */
  readonly inputUnitsMax: number;
  /** How often encodings are opened inside encodings. */
  readonly depthMax: number;
  /** A single decoded text is cut here. */
  readonly layerUnitsMax: number;
  readonly layersMax: number;
  /** All decoded texts together, as a multiple of the input; keeps the time linear. */
  readonly decodedRatioMax: number;
  readonly findingsMax: number;
}

export const DEFAULT_LIMITS: Limits = {
  inputUnitsMax: 16 * 1024 * 1024,
  depthMax: 4,
  layerUnitsMax: 256 * 1024,
  layersMax: 256,
  decodedRatioMax: 4,
  findingsMax: 2_000,
};

export interface Normalised {
  /** The worst severity, layers included, or `none`. */
  readonly severity: Severity | 'none';
  /** In the order of their start; the most severe are kept when there are more than the limit. */
  readonly findings: readonly Finding[];
  readonly findingsLeftOut: number;
  /** For comparison, never for display: two texts that read alike have the same canonical form. */
  readonly canonical: string;
  /** For people: the original with every hidden character shown as a mark. */
  readonly visible: string;
  readonly layers: readonly Layer[];
  /** Where a range of the canonical form came from in the original. */
  originalRange(start: number, end: number): { start: number; end: number };
}
