/** What people and other rooms see of a group of forms: its text, its counts, what varies and how. */
import { LIST, MIXED, VARIABLE, WILDCARD } from '../tokens.ts';
import { type Form, isTemplateVariable, mergeSamples, type Sample, type Slot } from './form.ts';

export interface TemplateVariable {
  /** Which element of the template, from 0. */
  readonly place: number;
  /** The word or key before it, if there is one. */
  readonly after: string;
  /** Typical values, most frequent first, with their share of the sampled messages. */
  readonly values: readonly { readonly value: string; readonly share: number }[];
  /** True for a list whose length varies. */
  readonly list: boolean;
}

export interface Template {
  readonly id: string;
  /** The message with `<*>` for what varies. */
  readonly text: string;
  readonly count: number;
  /** Numbers of its first and last message among all that the miner saw. */
  readonly first: number;
  readonly last: number;
  readonly variables: readonly TemplateVariable[];
}

/** What all forms of a group have in one place. */
interface Place {
  readonly text: string;
  readonly varies: boolean;
  readonly list: boolean;
  readonly samples: Sample[];
}

export function templateId(key: number): string {
  return key.toString(36);
}

/** The key of an id, or NaN for text that is not an id. */
export function keyOf(id: string): number {
  return /^[0-9a-z]{1,11}$/.test(id) ? Number.parseInt(id, 36) : Number.NaN;
}

export function templateOf(id: string, forms: readonly Form[]): Template {
  const { separators, slots } = forms[0]!;
  const variables: TemplateVariable[] = [];
  let text = '';
  for (let place = 0; place < slots.length; place++) {
    const found = placeOf(forms, place);
    const code = found.varies ? codeOf(forms, place, found) : undefined;
    text += separators[place]! + (code ?? found.text);
    if (!found.varies || code !== undefined) continue;
    variables.push({
      place,
      after: place > 0 && !isTemplateVariable(slots[place - 1]!) ? slots[place - 1]!.text : '',
      values: shares(found.samples),
      list: found.list,
    });
  }
  return {
    id,
    text: text + separators[slots.length]!,
    count: forms.reduce((sum, form) => sum + form.count, 0),
    first: forms.reduce((least, form) => Math.min(least, form.first), Number.MAX_SAFE_INTEGER),
    last: forms.reduce((most, form) => Math.max(most, form.last), 0),
    variables,
  };
}

const CODE = /^\d{1,5}$/;

/** `(13: Permission denied)`, `[Errno 2] No such file`: a number that always stands before its text belongs to it. */
function codeOf(forms: readonly Form[], place: number, { samples }: Place): string | undefined {
  const { separators, slots } = forms[0]!;
  const next = slots[place + 1];
  const value = samples[0]?.value;
  if (next === undefined || value === undefined || samples.length > 1 || !CODE.test(value))
    return undefined;
  if (forms.some(({ slots: own }) => own[place]!.kind !== VARIABLE || own[place]!.open))
    return undefined;
  const isNumbered = separators[place]!.endsWith('(') && separators[place + 1] === ': ';
  const isNamed = place > 0 && /^errno$/i.test(slots[place - 1]!.text);
  if (!isNumbered && !isNamed) return undefined;
  return isTemplateVariable(next) || !/^\p{Lu}/u.test(next.text) ? undefined : value;
}

/** Which words of the text, counted by its spaces, hold a place in which forms differ, or did. */
export function learntWords(forms: readonly Form[]): ReadonlySet<number> {
  const { separators, slots } = forms[0]!;
  const found = new Set<number>();
  let word = 0;
  for (let place = 0; place < slots.length; place++) {
    word += spaces(separators[place]!);
    const { hash } = slots[place]!;
    if (forms.some(({ slots: own }) => own[place]!.open || own[place]!.hash !== hash))
      found.add(word);
    word += spaces(placeOf(forms, place).text);
  }
  return found;
}

function spaces(text: string): number {
  return text.split(' ').length - 1;
}

function placeOf(forms: readonly Form[], place: number): Place {
  const slots = forms.map((form) => form.slots[place]!);
  const head = slots[0]!;
  const differ = slots.some((slot) => slot.text !== head.text || slot.shown !== head.shown);
  const varies = differ || slots.some(isTemplateVariable);
  if (!varies) {
    const text = head.kind === MIXED ? head.shown : head.text;
    return { text, varies: text.includes(WILDCARD), list: false, samples: [] };
  }
  const least = Math.min(...slots.map((slot) => slot.least));
  const most = Math.max(...slots.map((slot) => slot.most));
  const fixedList = !differ && head.kind === LIST && least === most;
  return {
    text: fixedList ? Array(most).fill(WILDCARD).join(head.between) : WILDCARD,
    varies: true,
    list: least !== most,
    samples: samplesOf(forms, slots),
  };
}

/** Samples of the forms' variables; a form whose literal is one value of many counts as a sample of it. */
function samplesOf(forms: readonly Form[], slots: readonly Slot[]): Sample[] {
  return slots
    .map((slot, i) =>
      slot.samples.length > 0 ? slot.samples : [{ value: slot.text, count: forms[i]!.count }],
    )
    .reduce((all, samples) => mergeSamples(all, samples), []);
}

function shares(samples: readonly Sample[]): { value: string; share: number }[] {
  const all = samples.reduce((sum, sample) => sum + sample.count, 0);
  return samples
    .map(({ value, count }) => ({ value, share: count / all }))
    .sort((a, b) => b.share - a.share || (a.value < b.value ? -1 : 1));
}
