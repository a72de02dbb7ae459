/** The settings in a file of the target: one for each way that leads to a value. */
import {
  type Document,
  type DocumentValue,
  type MapNode,
  type Node,
  numberOf,
  type Place,
  readDocument,
} from '../document/index.ts';
import type { SettingValue } from '../facts/index.ts';
import type { Setting, TimeUnit } from './types.ts';
import { wordsOf } from './wording.ts';

const DEPTH_MAX = 40;
const KEY_CHARS_MAX = 200;
/** A longer text is a prompt, not a setting. */
const TEXT_CHARS_MAX = 2000;

/** `refused` goes on after "The file x was not read: ". */
export function settingsOf(
  file: string,
  text: string,
): { readonly settings: readonly Setting[] } | { readonly refused: string } {
  const reading = readDocument(file, text, { depthMax: DEPTH_MAX });
  if (!reading.ok) return { refused: `line ${reading.line}: ${reading.why}` };
  const { document } = reading;
  const keys = document.places.flatMap(({ steps }) => steps.map(({ key }) => key));
  if (keys.some((key) => key.length > KEY_CHARS_MAX))
    return { refused: `it has a key of more than ${KEY_CHARS_MAX} characters` };
  const nameOf = namesOf();
  return {
    settings: document.places.flatMap((place) => settingAt(place, { file, document, nameOf })),
  };
}

interface Around {
  readonly file: string;
  readonly document: Document;
  readonly nameOf: (node: Node) => string | null;
}

function settingAt(
  { value, document: index, steps }: Place,
  { file, document, nameOf }: Around,
): Setting[] {
  const { path, line, start, end } = value;
  const means = meaningOf(value);
  if (means === undefined || path.length === 0) return [];
  return [
    {
      file,
      line,
      path,
      ...means,
      start,
      end,
      steps: steps.map(({ key, node }) => ({ key, name: nameOf(node) })),
      documentName: nameOf(document.roots[index]!),
    },
  ];
}

/** `"800"`: whether it is a limit is shown by evidence, not by its quotes. Long rows of digits are ids. */
function quotedNumber({ quantity, value }: DocumentValue): DocumentValue['quantity'] {
  const isShort = typeof value === 'string' && value.length <= QUOTED_DIGITS_MAX;
  return quantity !== null && isShort && !value.startsWith('0') ? quantity : null;
}

/** Null, NaN, infinity and prompts are not settings; nor is a value with a tag of its own. */
function meaningOf(
  value: DocumentValue,
): { readonly value: SettingValue; readonly unit: TimeUnit | null } | undefined {
  const { value: plain, tag, path, text } = value;
  if (tag !== null || plain === null || text === '') return undefined;
  if (typeof plain === 'boolean') return { value: plain, unit: null };
  const number = numberOf(value) ?? quotedNumber(value);
  if (number?.unit === null) return { value: number.amount, unit: unitOf(path) };
  const unit = number?.unit === 'm' ? 'min' : unitOfWord(number?.unit ?? '');
  if (number !== null && unit !== null) return { value: number.amount, unit };
  if (typeof plain === 'number' || plain.length > TEXT_CHARS_MAX) return undefined;
  return { value: plain.toWellFormed(), unit: null };
}

const NAME_KEYS = ['name', 'id', 'tool', 'agent'];
const QUOTED_DIGITS_MAX = 9;
const HOLDER_KEYS = ['function', 'tool', 'spec', 'definition'];

/** What a map calls itself. Asked once for each: a map is on the way to all that is below it. */
function namesOf(): (node: Node) => string | null {
  const known = new Map<Node, string | null>();
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const name = node.kind === 'map' ? ownName(node) : null;
    known.set(node, name);
    return name;
  };
}

function ownName({ entries }: MapNode): string | null {
  const named = (within: MapNode['entries']) => {
    for (const wanted of NAME_KEYS) {
      const own = within.find(({ key }) => key === wanted)?.node;
      if (own?.kind === 'value' && typeof own.value === 'string')
        return own.value.slice(0, KEY_CHARS_MAX);
    }
    return null;
  };
  const own = named(entries);
  if (own !== null) return own;
  // `{ type: function, function: { name: … } }`: what it holds is named, and a value beside that is its own.
  const held = entries.find(({ key }) => HOLDER_KEYS.includes(key))?.node;
  return held?.kind === 'map' ? named(held.entries) : null;
}

const UNIT_WORDS: Readonly<Record<TimeUnit, string>> = {
  ms: 'ms msec msecs millis millisecond milliseconds',
  s: 's sec secs second seconds',
  min: 'min mins minute minutes',
  h: 'h hour hours',
};
const UNITS: ReadonlyMap<string, TimeUnit> = new Map(
  (Object.entries(UNIT_WORDS) as [TimeUnit, string][]).flatMap(([unit, words]) =>
    words.split(' ').map((word) => [word, unit] as const),
  ),
);

function unitOfWord(word: string): TimeUnit | null {
  return UNITS.get(word) ?? null;
}

/** `timeout_ms`, `waitSeconds`, `timeout: { ms: … }`, `timeouts_ms: { read: … }`. */
function unitOf(path: readonly string[]): TimeUnit | null {
  for (const key of path.slice(-2).reverse()) {
    const unit = unitOfWord(wordsOf(key).at(-1) ?? '');
    if (unit !== null) return unit;
  }
  return null;
}
