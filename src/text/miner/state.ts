/**
 * The miner's state as plain JSON, and back. What comes back is untrusted (a file, another machine):
 * everything is checked before any of it is used.
 */
import { TextError } from '../errors.ts';
import { LIST, LITERAL, MAX_ELEMENTS } from '../tokens.ts';
import { type Form, isWatched, SAMPLES, type Slot } from './form.ts';

/** Also the version of the keys: the same tokeniser must read what the state was made from. */
export const STATE_VERSION = 1;

interface SlotState {
  readonly text: string;
  readonly hash: number;
  readonly kind: number;
  readonly list?: readonly [least: number, most: number, between: string];
  readonly shown?: string;
  readonly varies?: true;
  readonly open?: true;
  readonly samples?: readonly (readonly [value: string, count: number])[];
}

export interface FormState {
  readonly key: number;
  readonly skeleton: number;
  readonly separators: readonly string[];
  readonly slots: readonly SlotState[];
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly named?: true;
}

export interface MinerState {
  readonly version: number;
  readonly messages: number;
  readonly forgotten: number;
  readonly forms: readonly FormState[];
  readonly aliases: readonly (readonly [from: number, to: number])[];
}

/** What became different since changes were taken last; each list without repeats. */
export interface MinerChanges {
  readonly version: number;
  readonly messages: number;
  readonly forgotten: number;
  /** New, or other than before. */
  readonly forms: readonly FormState[];
  /** Keys of forms that are gone. */
  readonly goneForms: readonly number[];
  readonly aliases: readonly (readonly [from: number, to: number])[];
  readonly goneAliases: readonly number[];
}

interface Contents {
  readonly messages: number;
  readonly forgotten: number;
  readonly forms: readonly Form[];
  readonly aliases: readonly (readonly [number, number])[];
}

export function writeState(contents: Contents): MinerState {
  return {
    version: STATE_VERSION,
    messages: contents.messages,
    forgotten: contents.forgotten,
    forms: contents.forms.map(writeForm),
    aliases: contents.aliases,
  };
}

export function writeForm(form: Form): FormState {
  const { key, skeleton, separators, count, first, last } = form;
  const slots = form.slots.map(writeSlot);
  const state = { key, skeleton, separators, slots, count, first, last };
  return form.named ? { ...state, named: true } : state;
}

function writeSlot(slot: Slot): SlotState {
  return {
    text: slot.text,
    hash: slot.hash,
    kind: slot.kind,
    ...(slot.kind === LIST ? { list: [slot.least, slot.most, slot.between] as const } : {}),
    ...(slot.shown === '' ? {} : { shown: slot.shown }),
    ...(slot.varies ? { varies: true as const } : {}),
    ...(slot.open ? { open: true as const } : {}),
    ...(slot.samples.length === 0
      ? {}
      : { samples: slot.samples.map(({ value, count }) => [value, count] as const) }),
  };
}

export function readState(state: MinerState): Contents {
  check(typeof state === 'object' && state !== null, 'the state is not an object');
  check(
    state.version === STATE_VERSION,
    `the state has version ${String(state.version)}, expected ${STATE_VERSION}`,
  );
  check(Array.isArray(state.forms), 'forms is not a list');
  check(Array.isArray(state.aliases), 'aliases is not a list');
  const forms = state.forms.map(readForm);
  checkShapes(forms);
  return {
    messages: whole(state.messages, 'messages'),
    forgotten: whole(state.forgotten, 'forgotten'),
    forms,
    aliases: state.aliases.map((pair, i) => {
      check(Array.isArray(pair) && pair.length === 2, `aliases[${i}] is not a pair`);
      return [whole(pair[0], `aliases[${i}]`), whole(pair[1], `aliases[${i}]`)] as const;
    }),
  };
}

/** Forms of one skeleton have the same number of elements, and no key appears twice. */
function checkShapes(forms: readonly Form[]): void {
  check(new Set(forms.map((form) => form.key)).size === forms.length, 'a key appears twice');
  const places = new Map(forms.map((form) => [form.skeleton, form.slots.length]));
  const fits = forms.every((form) => places.get(form.skeleton) === form.slots.length);
  check(fits, 'forms of one skeleton differ in length');
}

function readForm(form: FormState, index: number): Form {
  const name = `forms[${index}]`;
  check(typeof form === 'object' && form !== null, `${name} is not an object`);
  check(
    Array.isArray(form.slots) && form.slots.length <= MAX_ELEMENTS + 1,
    `${name}.slots is not a list`,
  );
  check(
    Array.isArray(form.separators) &&
      form.separators.length === form.slots.length + 1 &&
      form.separators.every((separator) => typeof separator === 'string'),
    `${name}.separators does not fit the slots`,
  );
  const slots = form.slots.map((slot, i) => readSlot(slot, `${name}.slots[${i}]`));
  return {
    key: whole(form.key, `${name}.key`),
    skeleton: whole(form.skeleton, `${name}.skeleton`),
    separators: [...form.separators],
    slots,
    count: whole(form.count, `${name}.count`),
    first: whole(form.first, `${name}.first`),
    last: whole(form.last, `${name}.last`),
    named: form.named === true,
    watched: isWatched(slots),
    group: undefined,
  };
}

function readSlot(slot: SlotState, name: string): Slot {
  check(typeof slot === 'object' && slot !== null, `${name} is not an object`);
  check(typeof slot.text === 'string', `${name}.text is not a text`);
  check(
    Number.isInteger(slot.hash) && slot.hash === (slot.hash | 0),
    `${name}.hash is not 32 bits`,
  );
  check(
    slot.kind >= LITERAL && slot.kind <= LIST && Number.isInteger(slot.kind),
    `${name}.kind is unknown`,
  );
  check(slot.shown === undefined || typeof slot.shown === 'string', `${name}.shown is not a text`);
  const list = slot.list ?? [1, 1, ''];
  check(Array.isArray(list) && typeof list[2] === 'string', `${name}.list is damaged`);
  const samples = slot.samples ?? [];
  check(Array.isArray(samples) && samples.length <= SAMPLES, `${name}.samples is damaged`);
  return {
    text: slot.text,
    hash: slot.hash,
    kind: slot.kind,
    least: whole(list[0], `${name}.list`),
    most: whole(list[1], `${name}.list`),
    between: list[2],
    shown: slot.shown ?? '',
    exact: 0,
    varies: slot.varies === true,
    open: slot.open === true,
    samples: samples.map((sample) => {
      check(Array.isArray(sample) && typeof sample[0] === 'string', `${name}.samples is damaged`);
      return { value: sample[0], count: whole(sample[1], `${name}.samples`) };
    }),
  };
}

function whole(value: unknown, name: string): number {
  check(Number.isSafeInteger(value) && (value as number) >= 0, `${name} is not a whole number`);
  return value as number;
}

function check(holds: boolean, problem: string): asserts holds {
  if (holds) return;
  throw new TextError('state_unreadable', `this is not a state of the miner: ${problem}`, {
    hint: 'Start from an empty miner, or load a state that save() of this version wrote.',
  });
}
