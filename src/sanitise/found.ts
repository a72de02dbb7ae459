/** What the finders of one text have found so far, and what they may look at. */
import { type Edit, PERSONAL_KINDS, type ReplacedKind, type SanitiserRules } from './types.ts';

/** Encodings inside encodings: each is shorter than what holds it, and nobody writes three by accident. */
export const DEPTH_MAX = 3;

export interface Scope {
  readonly rules: SanitiserRules;
  /** Kinds that are not looked for. */
  readonly without: ReadonlySet<ReplacedKind>;
  /** How many encodings the text was taken out of. */
  readonly depth: number;
}

export class Found {
  readonly text: string;
  readonly rules: SanitiserRules;
  readonly scope: Scope;
  readonly edits: Edit[] = [];
  /** Values up to here were read: names inside them are not looked at, or each would read to the end again. */
  readUntil = 0;
  /** The same for users before an @, and for addresses. */
  userUntil = 0;
  urlUntil = 0;
  /** The program that a command line began with, and up to where it was looked for. */
  program: { readonly name: string | undefined; readonly until: number } = {
    name: undefined,
    until: 0,
  };
  /** The last line that was asked whether it speaks of keys. */
  line: { readonly start: number; readonly end: number; readonly isNear: boolean } = {
    start: 0,
    end: -1,
    isNear: false,
  };
  /** Where an escape or a letter of another script may hide something. */
  readonly hidden: number[] = [];
  /** Where a name of a secret stands as the head of a column may. */
  readonly columns: number[] = [];
  /** A word that a command line with a secret may hold. */
  hasCommand = false;
  /** Something was left alone for what is at some distance from it: with less between, it may not be. */
  isFar = false;
  /** Words with digits among letters, or in both cases. */
  readonly oddWords: number[] = [];
  /** Where runs begin that were found to be secret. */
  readonly secretRuns = new Set<number>();
  /** Tokens up to here were judged. */
  judgedUntil = 0;
  /** Words that speak of secrets. */
  readonly topics: number[] = [];
  /** Lines that are base64 and nothing else, as a key's are. */
  readonly bodyLines: { readonly start: number; readonly end: number }[] = [];

  constructor(text: string, scope: Scope) {
    this.text = text;
    this.rules = scope.rules;
    this.scope = scope;
  }

  add(kind: ReplacedKind, start: number, end: number, mark: string): void {
    if (end > start && !this.scope.without.has(kind)) this.edits.push({ kind, start, end, mark });
  }

  secret(start: number, end: number): void {
    this.add('key', start, end, '[REDACTED:KEY]');
  }
}

/** Of two that overlap, the first of these says what it was. */
const BY_WEIGHT: readonly ReplacedKind[] = [
  'private_key',
  'header',
  'connection',
  'jwt',
  'api_key',
  'bearer',
  'basic',
  'own',
  'key',
  'card',
  'iban',
  'national_id',
  'email',
  'phone',
  'uuid',
  'address',
  'user',
  'url',
  'path',
  'control',
];
const PERSONAL: ReadonlySet<ReplacedKind> = new Set(PERSONAL_KINDS);
const WEIGHT = new Map(BY_WEIGHT.map((kind, at) => [kind, at]));

/** In order, and joined where they overlap: nothing that one of them covers stays. */
export function joined(edits: Edit[]): readonly Edit[] {
  if (edits.length < 2) return edits;
  edits.sort((a, b) => a.start - b.start || b.end - a.end || weight(a) - weight(b));
  const result: Edit[] = [edits[0]!];
  for (let at = 1; at < edits.length; at++) {
    const edit = edits[at]!;
    const last = result.at(-1)!;
    if (edit.start >= last.end) result.push(edit);
    // A secret inside something else is what the whole is hidden for; inside another secret it is a part of it.
    else if (edit.end > last.end || PERSONAL.has(last.kind)) {
      const { kind, mark } = weight(edit) < weight(last) ? edit : last;
      result[result.length - 1] = {
        kind,
        mark,
        start: last.start,
        end: Math.max(edit.end, last.end),
      };
    }
  }
  return result;
}

function weight({ kind }: Edit): number {
  return WEIGHT.get(kind)!;
}
