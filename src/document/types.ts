/** What a structured file is: values with their places, and sections of text. And the port of formats. */

/** A value that a file holds. */
export type Scalar = string | number | boolean | null;

/** In UTF-16 units of the whole text, a byte order mark included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** How a value is written; `json` is every value of a JSON text. */
export type Style = 'plain' | 'single' | 'double' | 'block' | 'json';

interface Written extends Span {
  /** A type that the text gives it, such as `!!int`. */
  readonly tag: string | null;
  /** A name by which aliases refer to it. */
  readonly anchor: string | null;
}

/** The content of a text as it is written: aliases are not followed, equal keys are both there. */
export type Syntax = SyntaxMap | SyntaxList | SyntaxValue | SyntaxAlias;

export interface SyntaxMap extends Written {
  readonly kind: 'map';
  readonly entries: readonly SyntaxEntry[];
}

export interface SyntaxEntry {
  readonly key: Syntax;
  readonly value: Syntax;
  /** Its value's keys count as keys of the map around it, where that has none of the same name. */
  readonly isMerge: boolean;
}

export interface SyntaxList extends Written {
  readonly kind: 'list';
  readonly items: readonly Syntax[];
}

export interface SyntaxValue extends Written {
  readonly kind: 'value';
  readonly value: Scalar;
  readonly style: Style;
  /** Of a number that the text around it gives one: `8 * SECOND`. */
  readonly unit?: string;
}

interface SyntaxAlias extends Written {
  readonly kind: 'alias';
  readonly of: string;
}

/** A part of a text under its headings. */
export interface Section extends Span {
  /** The headings that lead to it, the outermost first; empty for the text before the first one. */
  readonly headings: readonly string[];
  /** Of its heading, from 1. */
  readonly line: number;
  /** Up to the next heading of whatever level. `start` and `end` cut it out. */
  readonly text: string;
}

/**
 * `syntax`: it cannot be read. `not_strict`: lenient readers of the format take it, others do not. `unknown_tag`: what a
 * value means depends on its reader.
 */
export interface Problem {
  readonly code: 'syntax' | 'not_strict' | 'unknown_tag';
  readonly offset: number;
  /** A clause that never repeats the text, such as `a key appears twice in one map`. */
  readonly why: string;
}

export interface Parsed {
  /** The roots of the documents in the text; those that are empty are there too. */
  readonly documents: readonly Syntax[];
  readonly sections: readonly Section[];
  readonly problems: readonly Problem[];
}

/** One plain sentence that says why something was not done. */
export interface Declined {
  readonly declined: string;
}

/**
 * One way to write structured files. `format-contract.test-support.ts` has the rules: it reads any text without
 * throwing, in linear time, and what it writes reads back as it was meant.
 */
export interface Format {
  /** One word, such as `yaml`. */
  readonly name: string;
  /** Endings of file names, without the dot. */
  readonly extensions: readonly string[];
  /** A text for people, which may have values beside it. */
  readonly isProse: boolean;
  /** A program: what it does is not all in its values. */
  readonly isCode?: true;
  /** Its values are texts, and a number or a switch is told by its reader alone. */
  readonly isUntyped?: true;
  parse(text: string): Parsed;
  /** The bytes for `to` in place of a value, in its present style. */
  write(value: DocumentValue, to: Scalar): string | Declined;
}

/** A map with its merge keys merged, its aliases followed. */
export interface MapNode extends Span {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly key: string;
  /** Where it is asked for: the line of its key, or of the merge key that brings it. */
  readonly line: number;
  readonly node: Node;
}

export interface ListNode extends Span {
  readonly kind: 'list';
  readonly items: readonly Omit<Entry, 'key'>[];
}

/** A number, with its unit if it has one: `800`, `1_200`, `5s`, `"1h30m"` (90 m). */
export interface Quantity {
  readonly amount: number;
  readonly unit: string | null;
}

/** A value at its place in the text. */
export interface DocumentValue extends Omit<SyntaxValue, 'anchor'> {
  /** Which document of the file, from 0. */
  readonly document: number;
  /** The keys that lead to it as they are written; the index for an item of a list. */
  readonly path: readonly string[];
  readonly line: number;
  /** As it is written, with its quotes. */
  readonly text: string;
  /** Also of a quoted number or duration. Null for any other value. */
  readonly quantity: Quantity | null;
}

/** Aliases lead to the same object as their anchor. */
export type Node = MapNode | ListNode | DocumentValue;

/** One key on the path to a value, and the node that it leads to. */
export interface Step {
  readonly key: string;
  readonly node: Node;
}

/** One way that leads to a value. A value that is shared by aliases or merge keys has several. */
export interface Place {
  readonly value: DocumentValue;
  /** Which document of the file, from 0. */
  readonly document: number;
  /** Without merge keys: as a reader of the file asks for it. */
  readonly steps: readonly Step[];
}

export interface Document {
  readonly format: Format;
  readonly path: string;
  readonly text: string;
  readonly roots: readonly Node[];
  /** Each once, in the order of the text. */
  readonly values: readonly DocumentValue[];
  readonly places: readonly Place[];
  readonly sections: readonly Section[];
  /** Never of the code `syntax`. */
  readonly problems: readonly LocatedProblem[];
}

interface LocatedProblem extends Omit<Problem, 'offset'> {
  readonly line: number;
}

/** Why a text cannot be read, and from which line on. */
export interface Unreadable {
  readonly line: number;
  /** A clause, such as `it is nested too deeply`. */
  readonly why: string;
}

export type Reading =
  | { readonly ok: true; readonly document: Document }
  | ({ readonly ok: false } & Unreadable);

/** Limits against hostile input. */
export interface Limits {
  /** Aliases count in full. */
  readonly valuesMax: number;
  readonly depthMax: number;
}
