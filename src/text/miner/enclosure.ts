/**
 * What a message puts between quotation marks or brackets is mostly a value: templates that say the same around such
 * places, and differ only in them, are one. Their forms lie in different buckets when a value is a list or a command, or
 * when several places differ at once, so that grouping never compares them.
 *
 * A pure function of the templates and their counts, like adoption.
 */
import { WILDCARD } from '../tokens.ts';
import { type Enclosing, framesOf, push, type Read } from './frames.ts';
import { foldFields } from './optional-fields.ts';
import { openPlaces, PHRASES } from './place-evidence.ts';
import { takeInWords } from './plain-names.ts';
import {
  isCode,
  type Place,
  placesBeforeCode,
  placesBeforeTail,
  valuePlaces,
} from './value-places.ts';

/** Those that are one template under the id of the most frequent one, with its text as it is for all of them. */
export interface Joined extends Enclosing {
  readonly members: readonly string[];
}

/** What varies inside stays as it is where so many have it so. */
const USUAL_SHARE = 0.8;

/** So many different texts, each seen so often at most. */
const TAILS = 8;
const COMES_AGAIN = 2;
/** Colons of a text that are looked at, from its end. */
const LEVELS = 6;

export function joinByEnclosure(templates: readonly Enclosing[]): Joined[] {
  const out: Joined[] = [];
  const rest: Enclosing[] = [];
  for (const frame of framesOf(templates, placesBeforeCode, rest).values()) {
    if (frame.filter(({ places }) => isCode(places.at(-1)!.value)).length >= PHRASES)
      out.push(...joinFrame(frame));
    else rest.push(...frame.map(({ template }) => template));
  }
  const plain: Enclosing[] = [];
  const frames = takeInWords(foldFields(framesOf(rest, valuePlaces, plain)), plain);
  for (const frame of frames.values()) out.push(...joinFrame(frame));
  for (const template of plain) out.push({ ...template, members: [template.id] });
  return out;
}

/**
 * What never comes twice behind the same words is content (an answer, a list, a query), whatever it is made of: reasons
 * come again, and then stand by themselves. As much as possible is kept before it.
 */
export function joinTails(templates: readonly Joined[]): Joined[] {
  const out: Joined[] = [];
  const rest: Joined[] = [];
  let rare: Joined[] = [];
  for (const one of templates)
    (one.count <= COMES_AGAIN || one.text.endsWith(`: ${WILDCARD}`) ? rare : rest).push(one);
  const members = new Map(rare.map((one) => [one.id, one.members]));
  for (let level = 0; level < LEVELS && rare.length >= TAILS; level++) {
    const taken = new Set<string>();
    const placesOf = (text: string): Place[] | undefined => placesBeforeTail(text, level);
    for (const frame of framesOf(rare, placesOf, []).values()) {
      for (const set of frame.length < TAILS ? [] : setsOf(frame)) {
        if (new Set(set.map(({ places }) => places.at(-1)!.value)).size < TAILS) continue;
        const all = joined(set);
        for (const id of all.members) taken.add(id);
        out.push({ ...all, members: all.members.flatMap((id) => members.get(id)!) });
      }
    }
    rare = rare.filter(({ id }) => !taken.has(id));
  }
  return [...out, ...rare, ...rest];
}

/** Where the places of a frame are not values, what stands there belongs to the frame. */
function joinFrame(frame: readonly Read[]): Joined[] {
  return frame.length === 1 ? [joined(frame)] : setsOf(frame).map(joined);
}

function setsOf(frame: readonly Read[]): Read[][] {
  const opens = openPlaces(frame);
  const sets = new Map<string, Read[]>();
  for (const read of frame) {
    const fixed = read.places.filter((_, at) => !opens[at]).map(({ value }) => value);
    push(sets, fixed.join(' \0 '), read);
  }
  return [...sets.values()];
}

/** The marks of a list of texts or of an object belong to the value: it is of any shape. */
function isMarkedAs(place: Place, first: Place): boolean {
  if (place.open !== first.open) return false;
  return place.kind !== 'keyed' || !/[[{]/.test(place.open) || !/^["'{]|["']\s*:/.test(place.value);
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
    for (const { places: own, template } of ordered)
      if (own[at]!.value === place.value && own[at]!.open === place.open) same += template.count;
    const isUsual = place.value.includes(WILDCARD) && same >= USUAL_SHARE * count;
    if (same < count) learnt.add(text.split(' ').length - 1);
    const isMarked =
      same === count || ordered.every(({ places: own }) => isMarkedAs(own[at]!, place));
    if (isMarked) text += place.open;
    text += same === count || isUsual ? place.value : WILDCARD;
    if (isMarked) text += place.close;
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
