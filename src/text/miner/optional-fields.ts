/**
 * Templates that say the same and end with `key: value` or `key=value`, and of which some have a key more than others
 * (`…, host: "a", referrer: "b"`): the program writes those only when it has them. What is optional is read as part of
 * the value before it, so that the templates have one frame.
 *
 * A pure function of the templates. Keys that tell what happened are no fields: they are text for `value-places.ts`.
 */
import { frameOf, push, type Read, readTemplate } from './frames.ts';
import type { Place } from './value-places.ts';

/** So many words before the values, keys among them, make it the same event. */
const WORDS_BEFORE = 3;
/** In so many events a key must be there at times and missing at others: as in `evidence.ts`, three are no chance. */
const EVENTS = 3;

const FIELD = /^[,;]?\s?["']?([\p{L}_][\p{L}\p{N}_.-]{0,40})["']?\s?[=:]\s?$/u;
const FIRST_FIELD = /(?:^|[\s,;{(])["']?([\p{L}_][\p{L}\p{N}_.-]{0,40})["']?\s?[=:]\s?$/u;
const AFTER_FIELDS = /^[\s.)}\]]*$/;

interface Fields {
  readonly read: Read;
  /** The place of the first one. */
  readonly first: number;
  readonly keys: readonly string[];
}

export function foldFields(frames: Map<string, Read[]>): Map<string, Read[]> {
  const alike = new Map<string, Fields[]>();
  const out = new Map<string, Read[]>();
  for (const [frame, reads] of frames) {
    // The fields are in the frame, so they are the same for all of it.
    const fields = fieldsOf(reads[0]!);
    if (fields === undefined) out.set(frame, reads);
    else for (const read of reads) push(alike, coreOf(fields), { ...fields, read });
  }
  const optional = optionalKeys([...alike.values()]);
  for (const set of alike.values()) {
    const bySaid = new Map<string, Fields[]>();
    for (const fields of set)
      push(bySaid, fields.keys.filter((key) => !optional.has(key)).join(), fields);
    for (const part of bySaid.values())
      for (const read of folded(part)) push(out, frameOf(read), read);
  }
  return out;
}

/** Keys that several events have at times. In one event alone, a key more can be what makes it another. */
function optionalKeys(sets: readonly (readonly Fields[])[]): ReadonlySet<string> {
  const events = new Map<string, number>();
  for (const set of sets) {
    const keys = new Set(set.flatMap(({ keys: own }) => own));
    for (const key of keys)
      if (!set.every(({ keys: own }) => own.includes(key)))
        events.set(key, (events.get(key) ?? 0) + 1);
  }
  return new Set([...events].filter(([, count]) => count >= EVENTS).map(([key]) => key));
}

function fieldsOf(read: Read): Fields | undefined {
  const { around, places } = read;
  if (!AFTER_FIELDS.test(around.at(-1)!)) return undefined;
  const keys: string[] = [];
  let at = places.length - 1;
  for (; at >= 0 && places[at]!.kind === 'keyed'; at--) {
    const key = FIELD.exec(around[at]!)?.[1];
    if (key === undefined || at === 0) break;
    keys.unshift(key);
  }
  const key =
    at < 0 || places[at]!.kind !== 'keyed' ? undefined : FIRST_FIELD.exec(around[at]!)?.[1];
  if (key === undefined) at++;
  else keys.unshift(key);
  return keys.length === 0 || new Set(keys).size < keys.length
    ? undefined
    : { read, first: at, keys };
}

/** What is said up to the first value, and behind the last. */
function coreOf({ read: { around }, first }: Fields): string {
  return [...around.slice(0, first + 1), around.at(-1)].join(' \0 ');
}

function folded(set: readonly Fields[]): Read[] {
  const reads = set.map(({ read }) => read);
  const { keys: all, read, first } = set[0]!;
  const common = all.filter((key) => set.every(({ keys }) => keys.includes(key)));
  const isOrdered = set.every(
    ({ keys }) => keys.filter((key) => common.includes(key)).join() === common.join(),
  );
  const isLong = set.some(({ keys }) => keys.length > common.length);
  const words =
    read.around
      .slice(0, first + 1)
      .join(' ')
      .match(/\p{L}{2,}/gu)?.length ?? 0;
  if (!isLong || !isOrdered || common[0] !== all[0] || words + common.length <= WORDS_BEFORE)
    return reads;
  const before = new Set(
    common.filter((key, at) => set.some(({ keys }) => nextOf(keys, key) !== common[at + 1])),
  );
  return set.map((fields) => fold(fields, common, before));
}

function nextOf(keys: readonly string[], key: string): string | undefined {
  return keys[keys.indexOf(key) + 1];
}

/** The values in `before` reach up to the next key that all have. */
function fold(
  { read, first, keys }: Fields,
  common: readonly string[],
  before: ReadonlySet<string>,
): Read {
  const { template, places } = read;
  const out: Place[] = places.slice(0, first);
  common.forEach((key, nth) => {
    const at = keys.indexOf(key);
    const next = nth + 1 < common.length ? keys.indexOf(common[nth + 1]!) : keys.length;
    const place = places[first + at]!;
    if (!before.has(key)) out.push(place);
    else {
      const { start } = place;
      const { end } = places[first + next - 1]!;
      out.push({
        start,
        end,
        value: template.text.slice(start, end),
        open: '',
        close: '',
        kind: 'free',
      });
    }
  });
  return readTemplate(template, out);
}
