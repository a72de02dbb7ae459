/**
 * A frame is what templates say around their places; those of one frame are compared place by place.
 */
import type { Place } from './value-places.ts';

export interface Enclosing {
  readonly id: string;
  readonly text: string;
  readonly count: number;
  /** Words of the text in which forms differ: any word may be a value there. */
  readonly learnt: ReadonlySet<number>;
}

/**
 * A template as it is read: the text around its places, and the places: one more of the first. Marks that the value of a
 * key stands in are not in the text, because logs mark such values only where they have to.
 */
export interface Read {
  readonly template: Enclosing;
  readonly around: readonly string[];
  readonly places: readonly Place[];
  readonly words: number;
  /** Its first place is the first that it says. */
  readonly starts: boolean;
}

/** Templates that say the same around their places; who has no place goes to `others`. */
export function framesOf(
  templates: readonly Enclosing[],
  placesOf: (text: string) => Place[] | undefined,
  others: Enclosing[],
): Map<string, Read[]> {
  const frames = new Map<string, Read[]>();
  for (const template of templates) {
    const places = placesOf(template.text) ?? [];
    if (places.length === 0) others.push(template);
    else {
      const read = readTemplate(template, places);
      push(frames, frameOf(read), read);
    }
  }
  return frames;
}

export function frameOf({ around }: Read): string {
  return around.join(' \0 ');
}

export function readTemplate(template: Enclosing, places: readonly Place[]): Read {
  const { text } = template;
  const around: string[] = [];
  let end = 0;
  for (const place of places) {
    around.push(text.slice(end, place.start) + (place.kind === 'keyed' ? '' : place.open));
    end = place.end;
  }
  around.push(text.slice(end));
  const words = around.join(' ').match(/(?<![\p{L}\p{N}])\p{L}{2,}/gu)?.length ?? 0;
  return { template, around, places, words, starts: !/\p{L}/u.test(around[0]!) };
}

export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
