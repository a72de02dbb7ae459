/** The canonical form: letters first, then spelling, with the way back to the original kept. */
import { foldLetters, type LetterObserver } from './letters.ts';
import { foldSpelling, type SpellingObserver } from './spelling.ts';

export interface Canonical {
  readonly text: string;
  originalRange(start: number, end: number): { start: number; end: number };
}

/** Printable ASCII with tabs and line ends: nothing in it can hide by its code point. */
export function isPlainAscii(text: string): boolean {
  return /^[\t\n\r\x20-\x7e]*$/.test(text);
}

export function canonicalise(
  text: string,
  observers: { letters?: LetterObserver; spelling?: SpellingObserver } = {},
): Canonical {
  if (isPlainAscii(text)) {
    // Small letters keep their offsets, and a carriage return is a space to `foldSpelling`.
    const spelled = foldSpelling(text.toLowerCase().replaceAll('\r', '\n'), observers.spelling);
    return {
      text: spelled.toString(),
      originalRange: (start, end) => spelled.originalRange(start, end),
    };
  }
  const letters = foldLetters(text, observers.letters);
  const spelled = foldSpelling(letters.toString(), translated(letters, observers.spelling));
  return {
    text: spelled.toString(),
    originalRange: (start, end) => {
      const middle = spelled.originalRange(start, end);
      return letters.originalRange(middle.start, middle.end);
    },
  };
}

function translated(
  letters: ReturnType<typeof foldLetters>,
  observer: SpellingObserver | undefined,
): SpellingObserver | undefined {
  if (observer === undefined) return undefined;
  const through = (method: 'leet' | 'spaced') => (start: number, end: number, word: string) => {
    const original = letters.originalRange(start, end);
    observer[method](original.start, original.end, word);
  };
  return { leet: through('leet'), spaced: through('spaced') };
}
