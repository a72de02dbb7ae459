/**
 * What a message puts between quotation marks or brackets is mostly a value: templates that say the same around such
 * places, and differ only in them, are one. Their forms lie in different buckets when a value is a list or a command, or
 * when several places differ at once, so that grouping never compares them.
 *
 * A pure function of the templates and their counts, like adoption.
 */
import { WILDCARD } from '../tokens.ts';
import { type Enclosing, framesOf, push, type Read } from './frames.ts';
import { openPlaces, PHRASES } from './place-evidence.ts';
import { takeInWords } from './plain-names.ts';
import { isCode, placesBeforeCode, valuePlaces } from './value-places.ts';

/** Those that are one template under the id of the most frequent one, with its text as it is for all of them. */
export interface Joined extends Enclosing {
  readonly members: readonly string[];
}

/** What varies inside stays as it is where so many have it so. */
const USUAL_SHARE = 0.8;

export function joinByEnclosure(templates: readonly Enclosing[]): Joined[] {
  const out: Joined[] = [];
  const rest: Enclosing[] = [];
  for (const frame of framesOf(templates, placesBeforeCode, rest).values()) {
    if (frame.filter(({ places }) => isCode(places.at(-1)!.value)).length >= PHRASES)
      out.push(...joinFrame(frame));
    else rest.push(...frame.map(({ template }) => template));
  }
  const plain: Enclosing[] = [];
  const frames = takeInWords(framesOf(rest, valuePlaces, plain), plain);
  for (const frame of frames.values()) out.push(...joinFrame(frame));
  for (const template of plain) out.push({ ...template, members: [template.id] });
  return out;
}

/** Where the places of a frame are not values, what stands there belongs to the frame. */
function joinFrame(frame: readonly Read[]): Joined[] {
  if (frame.length === 1) return [joined(frame)];
  const opens = openPlaces(frame);
  const sets = new Map<string, Read[]>();
  for (const read of frame) {
    const fixed = read.places.filter((_, at) => !opens[at]).map(({ value }) => value);
    push(sets, fixed.join(' \0 '), read);
  }
  return [...sets.values()].map(joined);
}

function joined(set: readonly Read[]): Joined {
  const ordered = [...set].sort(
    ({ template: a }, { template: b }) => b.count - a.count || (a.id < b.id ? -1 : 1),
  );
  const { template: first, places } = ordered[0]!;
  const members = ordered.map(({ template }) => template.id);
  if (ordered.length === 1) return { ...first, members };
  const count = ordered.reduce((sum, { template }) => sum + template.count, 0);
  const learnt = new Set<number>();
  let text = '';
  let end = 0;
  places.forEach((place, at) => {
    text += first.text.slice(end, place.start);
    end = place.end;
    let same = 0;
    for (const one of ordered)
      if (one.places[at]!.value === place.value) same += one.template.count;
    const isUsual = place.value.includes(WILDCARD) && same >= USUAL_SHARE * count;
    if (same < count) learnt.add(text.split(' ').length - 1);
    text += place.open;
    text += same === count || isUsual ? place.value : WILDCARD;
    text += place.close;
  });
  text += first.text.slice(end);
  return {
    id: first.id,
    text,
    count,
    learnt: text === first.text ? first.learnt : learnt,
    members,
  };
}
