/**
 * Words and signs that are not what they look like (UTS #39): letters of another script among Latin
 * ones, whole words of another script that read as Latin, styled alphabets, signs that imitate those
 * of addresses and code. Honest writing is told apart by its neighbours: a line with words that only
 * its own script can write is a line in that language, and a Greek letter beside a unit is a formula.
 */
import {
  foldPoint,
  hexPoint,
  isAsciiLetter,
  letterClassOf,
  looksLike,
  type Script,
} from './code-points.ts';
import type { Atom, LetterObserver } from './letters.ts';
import type { Report } from './report.ts';
import type { Severity } from './types.ts';
import { isListed } from './vocabulary.ts';
import { factsOf, type WordFacts } from './word-facts.ts';

/** Scripts that have enough Latin doubles to write whole words with. */
const DOUBLE_SCRIPTS: ReadonlySet<Script> = new Set([
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Lisu',
  'Georgian',
  'Canadian_Aboriginal',
  'Other',
]);
const EAST_ASIAN: ReadonlySet<Script> = new Set([
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
]);

interface SignFacts {
  readonly original: number;
  readonly start: number;
  readonly end: number;
}

/** Watches the words and signs that `letters.ts` passes by, and judges them at the end of each line. */
export class LookalikeWatch implements LetterObserver {
  readonly #text: string;
  readonly #report: Report;
  #words: WordFacts[] = [];
  #signs: SignFacts[] = [];
  #latinWords = 0;
  readonly #ownScripts = new Set<Script>();

  constructor(text: string, report: Report) {
    this.#text = text;
    this.#report = report;
  }

  plain(start: number, end: number): void {
    const firstEnd = this.#text.slice(start, end).search(/[\r\n]/);
    if (firstEnd === -1) {
      if (this.#latinWords === 0) this.#latinWords += countsAsLatin(this.#text.slice(start, end));
      return;
    }
    this.#latinWords += countsAsLatin(this.#text.slice(start, start + firstEnd));
    this.lineEnd();
    const lastStart =
      1 + Math.max(this.#text.lastIndexOf('\n', end - 1), this.#text.lastIndexOf('\r', end - 1));
    this.#latinWords += countsAsLatin(this.#text.slice(lastStart, end));
  }

  word(atoms: readonly Atom[]): void {
    reportStackedMarks(atoms, this.#report);
    const facts = factsOf(atoms);
    if (facts.ascii >= 2 && facts.doubles + facts.own === 0) this.#latinWords += 1;
    if (facts.own > 0 && facts.script !== undefined) this.#ownScripts.add(facts.script);
    if (facts.doubles + facts.styled + facts.phonetic > 0 || (facts.own > 0 && facts.ascii > 0))
      this.#words.push(facts);
  }

  sign(original: number, start: number, end: number): void {
    if (original < 0x80) return;
    const ascii = looksLike(original) ?? foldPoint(original);
    if (/^[./:@;=!]$/.test(ascii)) this.#signs.push({ original, start, end });
  }

  lineEnd(): void {
    for (const word of this.#words) this.#judgeWord(word);
    for (const sign of this.#signs) this.#judgeSign(sign);
    this.#words = [];
    this.#signs = [];
    this.#latinWords = 0;
    this.#ownScripts.clear();
  }

  #judgeWord(word: WordFacts): void {
    const latin = word.ascii + word.phonetic + word.styled;
    if (word.own > 0) this.#judgeMixed(word);
    else if (word.doubles > 0 && latin > 0)
      this.#add(
        'lookalike_word',
        mixedSeverity(word),
        word,
        `letters of ${scriptName(word)} among Latin ones; reads as "${word.reads}"`,
      );
    else if (word.doubles > 0) this.#judgeWholeScript(word);
    else if (word.styled >= 3) this.#judgeStyled(word);
    else if (word.phonetic > 0 && word.otherLatin === 0) this.#judgePhonetic(word);
  }

  /** Latin beside letters that imitate nothing: a compound, a brand, a unit. Short ones are units. */
  #judgeMixed(word: WordFacts): void {
    const { script } = word;
    if (word.ascii === 0 || word.ascii + word.own + word.doubles < 4) return;
    if (script !== undefined && DOUBLE_SCRIPTS.has(script) && word.scripts === 1)
      this.#report.add('mixed_script', 'info', word, `Latin and ${script} letters in one word`);
  }

  /** All letters of another script: a word of that language, or a Latin word in disguise? */
  #judgeWholeScript(word: WordFacts): void {
    const { script } = word;
    if (script === undefined || !DOUBLE_SCRIPTS.has(script) || word.scripts > 1) return;
    if (word.doubles < 3 || this.#ownScripts.has(script) || /\d/.test(word.reads)) return;
    const listed = isListed(word.reads);
    if (this.#latinWords === 0 && !listed) return;
    this.#add(
      'lookalike_word',
      listed && this.#latinWords > 0 ? 'dangerous' : 'suspicious',
      word,
      `a ${script} word that reads as "${word.reads}" in Latin text`,
    );
  }

  #judgeStyled(word: WordFacts): void {
    const eastAsian = [...this.#ownScripts].some((script) => EAST_ASIAN.has(script));
    const severity: Severity = word.fullwidth === word.styled && eastAsian ? 'info' : 'suspicious';
    this.#add(
      'styled_letters',
      severity,
      word,
      `letters from a mathematical or decorative alphabet; reads as "${word.reads}"`,
    );
  }

  #judgePhonetic(word: WordFacts): void {
    // Between slashes or brackets it is a transcription.
    if (/[/['\u02c8]/.test(this.#text.charAt(word.start - 1))) return;
    const disguised = isListed(word.reads) || (word.ascii >= 3 && word.phonetic === 1);
    if (disguised)
      this.#add(
        'lookalike_word',
        'suspicious',
        word,
        `phonetic letters among plain ones; reads as "${word.reads}"`,
      );
  }

  #judgeSign({ original, start, end }: SignFacts): void {
    const ascii = looksLike(original) ?? foldPoint(original);
    const before = this.#text.charCodeAt(start - 1);
    const after = this.#text.charCodeAt(end);
    const between =
      isAsciiLetter(before) &&
      (isAsciiLetter(after) || (after >= 0x30 && after <= 0x39) || after === 0x2f);
    const greekQuestion = original === 0x037e && !this.#ownScripts.has('Greek');
    const eastAsian = [...this.#ownScripts].some((script) => EAST_ASIAN.has(script));
    if (!greekQuestion && (!between || eastAsian)) return;
    this.#report.add(
      'lookalike_punctuation',
      'suspicious',
      { start, end },
      `${hexPoint(original)} looks like "${ascii}" and is none`,
      ascii,
    );
    this.#report.mark(start, end);
  }

  #add(
    kind: 'lookalike_word' | 'styled_letters',
    severity: Severity,
    word: WordFacts,
    message: string,
  ): void {
    this.#report.add(kind, severity, word, message, word.reads);
    if (severity !== 'info') this.#report.mark(word.start, word.end);
  }
}

function countsAsLatin(plain: string): number {
  return /[A-Za-z]{2}/.test(plain) ? 1 : 0;
}

function mixedSeverity(word: WordFacts): Severity {
  const letters = word.ascii + word.doubles + word.styled + word.phonetic;
  if (isListed(word.reads)) return 'dangerous';
  if (letters < 4)
    return word.script === 'Greek' || !DOUBLE_SCRIPTS.has(word.script ?? 'Other')
      ? 'info'
      : 'suspicious';
  // one Greek letter (sigma max, nu Sphere) in front is how formulas and brands are written.
  if (word.greekFirst && word.doubles === 1) return 'suspicious';
  return 'dangerous';
}

function scriptName(word: WordFacts): string {
  return word.scripts === 1 && word.script !== undefined ? word.script : 'other scripts';
}

function reportStackedMarks(atoms: readonly Atom[], report: Report): void {
  let run = 0;
  for (let index = 0; index <= atoms.length; index += 1) {
    const atom = atoms[index];
    if (atom !== undefined && atom.point >= 0x300 && letterClassOf(atom.point) === 'mark') {
      run += 1;
      continue;
    }
    const base = atoms[index - run - 1];
    if (run > (base !== undefined && base.point < 0x80 ? 3 : 8)) {
      const place = { start: (base ?? atoms[index - run]!).start, end: atoms[index - 1]!.end };
      report.add('stacked_marks', 'suspicious', place, `${run} marks stacked on one letter`);
    }
    run = 0;
  }
}
