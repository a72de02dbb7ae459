/**
 * What a message puts between quotation marks or brackets is mostly a value: templates that say the same around such
 * places, and differ only in them, are one. Their forms lie in different buckets when a value is a list or a command, or
 * when several places differ at once, so that grouping never compares them.
 *
 * A pure function of the templates and their counts, like adoption.
 */
import { WILDCARD } from '../tokens.ts';
import { isTellingKey } from './evidence.ts';

export interface Enclosing {
  readonly id: string;
  readonly text: string;
  readonly count: number;
  /** Words of the text in which forms differ: any word may be a value there. */
  readonly learnt: ReadonlySet<number>;
}

/** Those that are one template under the id of the most frequent one, with its text as it is for all of them. */
export interface Joined extends Enclosing {
  readonly members: readonly string[];
}

/** So many words around make a sentence, which is the same one if all of it is. */
const WORDS_AROUND = 3;
/** More words in lower case are a text of its own, which says what happened. */
const WORDS_INSIDE = 2;
/** What varies inside stays as it is where so many have it so. */
const USUAL_SHARE = 0.8;
/** An enclosed value; what is longer is a text of its own. */
const SPAN = /(?<=^|[\s(:=,])(?:"[^"]{1,120}"|'[^']{1,120}'|\[[^[\]]{1,120}\])(?=$|[\s),.:;?!])/gu;

/** Text around spans, and the spans: one more of the first. */
interface Spans {
  readonly around: readonly string[];
  readonly inside: readonly string[];
}

export function joinByEnclosure(templates: readonly Enclosing[]): Joined[] {
  const out: Joined[] = [];
  const frames = new Map<string, Enclosing[]>();
  for (const template of templates) {
    const spans = spansOf(template.text);
    if (spans === undefined) out.push({ ...template, members: [template.id] });
    else {
      const frame = spans.around.join(' \0 ');
      const known = frames.get(frame);
      if (known === undefined) frames.set(frame, [template]);
      else known.push(template);
    }
  }
  for (const set of frames.values()) out.push(joined(set));
  return out;
}

function joined(set: readonly Enclosing[]): Joined {
  const ordered = [...set].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
  const first = ordered[0]!;
  const members = ordered.map(({ id }) => id);
  if (ordered.length === 1) return { ...first, members };
  const count = ordered.reduce((sum, one) => sum + one.count, 0);
  const all = ordered.map(({ text }) => spansOf(text)!);
  const { around, inside } = all[0]!;
  let text = around[0]!;
  const learnt = new Set<number>();
  inside.forEach((span, at) => {
    let same = 0;
    all.forEach((one, i) => {
      if (one.inside[at] === span) same += ordered[i]!.count;
    });
    const isUsual = span.includes(WILDCARD) && same >= USUAL_SHARE * count;
    if (same < count) learnt.add(text.split(' ').length - 1);
    text += same === count || isUsual ? span : `${span[0]}${WILDCARD}${span.at(-1)}`;
    text += around[at + 1]!;
  });
  return {
    id: first.id,
    text,
    count,
    learnt: text === first.text ? first.learnt : learnt,
    members,
  };
}

/** Undefined where nothing is enclosed, or where too little is around it. */
function spansOf(text: string): Spans | undefined {
  const around: string[] = [];
  const inside: string[] = [];
  let end = 0;
  for (const { 0: span, index } of text.matchAll(SPAN)) {
    if (!isValue(span.slice(1, -1)) || isNotation(text, index, index + span.length)) continue;
    around.push(text.slice(end, index));
    inside.push(span);
    end = index + span.length;
  }
  if (inside.length === 0) return undefined;
  around.push(text.slice(end));
  const words = around.join(' ').match(/(?<![\p{L}\p{N}])\p{L}{2,}/gu) ?? [];
  return words.length < WORDS_AROUND ? undefined : { around, inside };
}

/** A word and a value behind it are a text too: `"GET <*>"`. */
function isValue(inside: string): boolean {
  if (inside.includes(WILDCARD)) return !inside.split(' ').some((word) => /^\p{L}+$/u.test(word));
  return (inside.match(/(?<=^|\s)\p{Ll}+(?=$|\s)/gu)?.length ?? 0) <= WORDS_INSIDE;
}

/** The key of an object, or the value of a key that tells what kind of message it is. */
function isNotation(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  if (text[end] === ':' && /[{,]\s*$/.test(before)) return true;
  const key = /([\p{L}_]+)"?\s*[=:]\s*$/u.exec(before)?.[1];
  return key !== undefined && isTellingKey(key);
}
