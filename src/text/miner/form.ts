/**
 * A form: all messages whose masked text is the same. Forms are what the miner remembers; templates
 * are made of them. Everything in a form is a count, a minimum or a small sample, so that two forms
 * with the same key can be added up in any order.
 */
import {
  LIST,
  LITERAL,
  MIXED,
  type Tokeniser,
  VARIABLE,
  VARIABLE_HASH,
  WILDCARD,
} from '../tokens.ts';
import type { Group } from './bucket.ts';

/** Values kept per variable, and how much of each. */
export const SAMPLES = 5;
const SAMPLE_CHARS = 80;
/** After so many messages only every `SAMPLE_EVERY`th message of a form is sampled. */
const SAMPLE_ALL = 16;
const SAMPLE_EVERY = 64;

export interface Sample {
  value: string;
  count: number;
}

/** One element of a form: a literal text, or a variable with what was seen there. */
export interface Slot {
  /** Masked text; `WILDCARD` for a variable. The digits of a mixed word are written as 0. */
  text: string;
  hash: number;
  kind: number;
  /** Lists: fewest and most members seen, and the text between them. */
  least: number;
  most: number;
  between: string;
  /** Mixed words: the text as first seen, until another one is seen. */
  shown: string;
  /** Mixed words: hash of the one seen last, so that the usual one is recognised without a copy. */
  exact: number;
  varies: boolean;
  /** Literals that a generalised form has made a variable. */
  open: boolean;
  samples: Sample[];
}

export interface Form {
  readonly key: number;
  readonly skeleton: number;
  readonly separators: readonly string[];
  readonly slots: Slot[];
  count: number;
  /** Number of the first and of the last message, among all messages of this miner. */
  first: number;
  last: number;
  /** Whether its id was ever given out as a template id: then the id must stay resolvable. */
  named: boolean;
  /** Whether some slot wants a look at every message. */
  watched: boolean;
  /** The template it is in at the moment; not part of the saved state. */
  group: Group | undefined;
}

export function newForm(tokens: Tokeniser, number: number): Form {
  const separators: string[] = [];
  const slots: Slot[] = [];
  for (let i = 0; i < tokens.count; i++) {
    separators.push(clip(tokens.separator(i)));
    slots.push(newSlot(tokens, i));
  }
  separators.push(clip(tokens.separator(tokens.count)));
  return {
    key: tokens.key,
    skeleton: tokens.skeleton,
    separators,
    slots,
    count: 0,
    first: number,
    last: number,
    named: false,
    watched: isWatched(slots),
    group: undefined,
  };
}

function newSlot(tokens: Tokeniser, index: number): Slot {
  const kind = tokens.kind[index]!;
  const size = tokens.size[index]!;
  return {
    text: detach(tokens.text(index, true)),
    hash: tokens.hash[index]!,
    kind,
    least: size,
    most: size,
    between: kind === LIST ? clip(tokens.between(index)) : '',
    shown: kind === MIXED ? detach(tokens.text(index, false)) : '',
    exact: kind === MIXED ? tokens.exact(index) : 0,
    varies: false,
    open: false,
    samples: [],
  };
}

/** Counts one more message into a form that it fits. True when the form looks otherwise than before. */
export function countIn(form: Form, tokens: Tokeniser, number: number): boolean {
  form.count++;
  form.last = number;
  const changed = form.watched && watch(form, tokens);
  if (form.count <= SAMPLE_ALL || form.count % SAMPLE_EVERY === 0) {
    for (let i = 0; i < form.slots.length; i++) {
      const slot = form.slots[i]!;
      if (isVariable(slot)) addSample(slot.samples, clip(tokens.raw(i)), 1);
    }
  }
  return changed;
}

/** Mixed words until they vary, and the sizes of lists, are looked at in every message. */
function watch(form: Form, tokens: Tokeniser): boolean {
  let changed = false;
  for (let i = 0; i < form.slots.length; i++) {
    const slot = form.slots[i]!;
    if (slot.kind === LIST) {
      const size = tokens.size[i]!;
      if (size >= slot.least && size <= slot.most) continue;
      slot.least = Math.min(slot.least, size);
      slot.most = Math.max(slot.most, size);
      changed = true;
    } else if (wantsAll(slot) && tokens.exact(i) !== slot.exact) {
      slot.exact = tokens.exact(i);
      slot.varies = tokens.text(i, false) !== slot.shown;
      if (slot.varies) form.watched = isWatched(form.slots);
      changed ||= slot.varies;
    }
  }
  return changed;
}

export function isWatched(slots: readonly Slot[]): boolean {
  return slots.some(wantsAll);
}

function wantsAll(slot: Slot): boolean {
  return slot.kind === LIST || (slot.kind === MIXED && !slot.varies && !slot.open);
}

/** Whether the slot is a value, so that samples of it are worth keeping. */
function isVariable(slot: Slot): boolean {
  return slot.open || slot.kind !== LITERAL || slot.text.includes(WILDCARD);
}

/** Adds what another form has seen that agrees in all places which are not open. Uses `from` up. */
export function addForm(into: Form, from: Form): void {
  into.first = Math.min(into.first, from.first);
  into.last = Math.max(into.last, from.last);
  into.named ||= from.named;
  for (let i = 0; i < into.slots.length; i++) {
    const [slot, other] = [into.slots[i]!, from.slots[i]!];
    if (other.open) openSlot(slot, into.count);
    if (slot.open) openSlot(other, from.count);
    addSlot(slot, other);
  }
  into.count += from.count;
  into.watched = isWatched(into.slots);
}

function addSlot(into: Slot, from: Slot): void {
  into.least = Math.min(into.least, from.least);
  into.most = Math.max(into.most, from.most);
  if (into.kind === LIST && from.kind === LIST && into.between !== from.between) into.between = ' ';
  if (into.kind !== from.kind) into.kind = Math.max(into.kind, from.kind);
  if (into.between === '') into.between = from.between;
  if (into.kind === MIXED) into.varies ||= from.varies || into.shown !== from.shown;
  into.samples = mergeSamples(into.samples, from.samples);
}

/** The most frequent values of both; the same whichever side is first. */
export function mergeSamples(left: readonly Sample[], right: readonly Sample[]): Sample[] {
  if (left.length === 0 || right.length === 0) return [...left, ...right];
  const counts = new Map<string, number>();
  for (const { value, count } of [...left, ...right])
    counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, SAMPLES);
}

/** From now on every word fits here; the one that stood here so far becomes a sample. */
export function openSlot(slot: Slot, count: number): void {
  if (slot.open) return;
  if (slot.samples.length === 0) slot.samples.push({ value: clip(slot.text), count });
  slot.open = true;
  slot.text = WILDCARD;
  slot.hash = VARIABLE_HASH;
}

/** Keeps the most frequent values: a new one replaces the rarest and inherits its count (Metwally's space saving). */
function addSample(samples: Sample[], value: string, count: number): void {
  let rarest: Sample | undefined;
  for (const sample of samples) {
    if (sample.value === value) {
      sample.count += count;
      return;
    }
    if (rarest === undefined || sample.count < rarest.count) rarest = sample;
  }
  if (samples.length < SAMPLES) samples.push({ value, count });
  else if (rarest !== undefined) {
    rarest.value = value;
    rarest.count += count;
  }
}

/** Cuts a long value, never through a surrogate pair. A copy, so that the message itself can be freed. */
function clip(value: string): string {
  let end = Math.min(value.length, SAMPLE_CHARS);
  if (end < value.length && (value.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
  return detach(value.slice(0, end));
}

/** V8 keeps the whole parent of a slice alive: a 10 MB message for one word. Joining makes a copy. */
function detach(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}

export const isTemplateVariable = (slot: Slot): boolean =>
  slot.open || slot.kind >= VARIABLE || (slot.kind === MIXED && slot.varies);
