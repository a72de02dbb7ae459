/**
 * A template that has a plain word where others have names, and else says the same, is read as if the word were one:
 * `topic orders` beside `topic web-orders`, `topic a.b` and `topic c_d`. Names have no shape at times, and alone such a
 * word could be what is said.
 */
import { isParticiple } from './evidence.ts';
import { type Enclosing, frameOf, push, type Read, readTemplate } from './frames.ts';
import { NAMES_IN_SENTENCE, openPlaces } from './place-evidence.ts';
import type { Place } from './value-places.ts';

/** A plain word in place of a name is looked for in texts so long: the work is their length times their words. */
const WORDS_CHARS = 400;
const PLAIN_WORD = /(?<=[\s(])\p{Ll}[\p{Ll}\p{N}]+(?=$|[\s),.:;!?])/gu;

/** The frames with such templates in them; takes from `plain` those that had no place. */
export function takeInWords(frames: Map<string, Read[]>, plain: Enclosing[]): Map<string, Read[]> {
  const named = new Map<string, ReadonlySet<number>>();
  for (const [key, frame] of frames) {
    const places = namePlaces(frame);
    if (places.size > 0) named.set(key, places);
  }
  if (named.size === 0) return frames;
  const out = new Map<string, Read[]>();
  const place = (key: string, read: Read): void => {
    const found = readAsName(read, named);
    push(out, found?.key ?? key, found?.read ?? read);
  };
  for (const [key, frame] of frames) {
    if (named.has(key)) for (const read of frame) push(out, key, read);
    else for (const read of frame) place(key, read);
  }
  for (const template of plain.splice(0)) {
    const read = readTemplate(template, []);
    const found = readAsName(read, named);
    if (found === undefined) plain.push(template);
    else push(out, found.key, found.read);
  }
  return out;
}

/** Places of a frame that are open and have several names. */
function namePlaces(frame: readonly Read[]): ReadonlySet<number> {
  const found = new Set<number>();
  if (frame.length < NAMES_IN_SENTENCE) return found;
  openPlaces(frame).forEach((isOpen, at) => {
    const column = frame.map(({ places }) => places[at]!);
    const values = new Set(column.map(({ value }) => value));
    const areNames = column.every(({ kind }) => kind === 'name');
    if (isOpen && areNames && values.size >= NAMES_IN_SENTENCE) found.add(at);
  });
  return found;
}

function readAsName(
  read: Read,
  named: ReadonlyMap<string, ReadonlySet<number>>,
): { key: string; read: Read } | undefined {
  const { template, places } = read;
  if (template.text.length > WORDS_CHARS) return undefined;
  for (const { 0: value, index: start } of template.text.matchAll(PLAIN_WORD)) {
    const end = start + value.length;
    const at = places.findIndex((place) => place.start >= end);
    const before = at < 0 ? places : places.slice(0, at);
    if ((before.at(-1)?.end ?? 0) > start || isParticiple(value)) continue;
    const word: Place = { start, end, value, open: '', close: '', kind: 'name' };
    const asName = readTemplate(template, [...before, word, ...places.slice(before.length)]);
    const key = frameOf(asName);
    if (named.get(key)?.has(before.length) === true) return { key, read: asName };
  }
  return undefined;
}
