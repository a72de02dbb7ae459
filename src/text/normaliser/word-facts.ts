/** What a word is made of, counted once: plain letters, doubles from other scripts, styled and phonetic ones. */
import {
  foldPoint,
  isAsciiLetter,
  letterClassOf,
  looksLike,
  type Script,
  scriptOf,
} from './code-points.ts';
import { type Atom, isAlphanumeric } from './letters.ts';

export interface WordFacts {
  readonly start: number;
  readonly end: number;
  /** What a reader takes the word for, in small letters. */
  readonly reads: string;
  readonly ascii: number;
  /** Letters of other scripts with a Latin double, and without. */
  readonly doubles: number;
  readonly own: number;
  /** Mathematical, circled, fullwidth letters. */
  readonly styled: number;
  readonly fullwidth: number;
  /** Phonetic and small-capital Latin letters with an ASCII double. */
  readonly phonetic: number;
  readonly otherLatin: number;
  readonly script: Script | undefined;
  readonly scripts: number;
  readonly greekFirst: boolean;
}

export function factsOf(atoms: readonly Atom[]): WordFacts {
  const count = {
    ascii: 0,
    doubles: 0,
    own: 0,
    styled: 0,
    fullwidth: 0,
    phonetic: 0,
    otherLatin: 0,
  };
  const scripts = new Set<Script>();
  let reads = '';
  let lastStart = -1;
  for (const atom of atoms) {
    const { original, point } = atom;
    if (point >= 0x80 && letterClassOf(point) === 'mark') continue;
    const imitated = looksLike(original) ?? looksLike(point);
    if (reads.length < 64)
      reads += isAlphanumeric(imitated) ? imitated.toLowerCase() : String.fromCodePoint(point);
    if (original < 0x80) {
      if (isAsciiLetter(original)) count.ascii += 1;
      continue;
    }
    if (atom.start === lastStart) continue;
    lastStart = atom.start;
    const script = scriptOf(original);
    if (isStyled(original, point)) {
      count.styled += 1;
      if (original >= 0xff00 && original <= 0xff5e) count.fullwidth += 1;
    } else if (script === 'Latin') {
      if (!isAlphanumeric(imitated)) count.otherLatin += original >= 0x250 && point >= 0x80 ? 1 : 0;
      else if (isPhonetic(original)) count.phonetic += 1;
    } else if (script === 'Common' || script === 'Inherited') {
      if (letterClassOf(original) === 'number' && isAlphanumeric(imitated)) count.doubles += 1;
    } else {
      scripts.add(script);
      if (isAlphanumeric(looksLike(original))) count.doubles += 1;
      else if (letterClassOf(original) === 'letter') count.own += 1;
    }
  }
  const first = atoms[0]!;
  return {
    ...count,
    start: first.start,
    end: atoms[atoms.length - 1]!.end,
    reads,
    script: scripts.values().next().value,
    scripts: scripts.size,
    greekFirst: scriptOf(first.original) === 'Greek',
  };
}

function isStyled(original: number, point: number): boolean {
  if (original === 0xaa || original === 0xba || original < 0x80) return false;
  if (point < 0x80) return isAsciiLetter(point) && foldPoint(original).length === 1;
  // Boxed letters keep their code point and only look like ASCII.
  return original >= 0x1f130 && original <= 0x1f189 && isAlphanumeric(looksLike(original));
}

function isPhonetic(original: number): boolean {
  return (
    (original >= 0x250 && original <= 0x2af) ||
    (original >= 0x1d00 && original <= 0x1dbf) ||
    (original >= 0xa720 && original <= 0xa7ff)
  );
}
