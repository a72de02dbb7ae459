/**
 * Sanitises every free text of an event, names included, before anything else happens with
 * it. Which fields are texts is declared with the event (`EVENT_FIELDS`); what is not declared is not kept.
 */
import { type Event, type FieldRule, TEXT_MAX } from '../facts/index.ts';
import type { Replaced, Sanitise, Sanitised, SanitiserRules } from '../sanitise/index.ts';
import { RULES } from './check-event.ts';
import { keyedHash, type SessionKey, toldApart } from './session-key.ts';
import type { CleanEvent } from './types.ts';

/** Names come back again and again: agents and tools with every event. */
const NAMES_KEPT_MAX = 10_000;
/** 32 bits: among ten thousand values, the chance of one collision is one in a hundred. */
const SUFFIX_LENGTH = 8;

export interface Cleaned {
  readonly event: CleanEvent;
  /** Undefined if nothing was. */
  readonly replaced: Replaced | undefined;
}

/** What is gathered while one event is cleaned. */
interface Work {
  readonly key: SessionKey;
  replaced: Replaced | undefined;
}

interface CleanName {
  readonly text: string;
  /** Undefined if nothing was. */
  readonly replaced: Replaced | undefined;
}

export class Cleaner {
  readonly #sanitise: Sanitise;
  /** With the store's key, from the first event on, where marks are to end alike for equal values. */
  #rules: SanitiserRules;
  readonly #hasSuffix: boolean;
  readonly #names = new Map<string, CleanName>();

  constructor(sanitise: Sanitise, rules: SanitiserRules & { readonly markSuffix?: boolean }) {
    this.#sanitise = sanitise;
    this.#rules = rules;
    this.#hasSuffix = rules.markSuffix === true;
  }

  /** Throws what the sanitiser throws; then nothing of the event may be kept. */
  event(event: Event, key: SessionKey): Cleaned {
    if (this.#hasSuffix && this.#rules.suffixOf === undefined)
      this.#rules = {
        ...this.#rules,
        suffixOf: (value) => keyedHash(value, key).slice(0, SUFFIX_LENGTH),
      };
    const given = event as unknown as Readonly<Record<string, unknown>>;
    const rules = RULES.get(event.kind)!;
    const work: Work = { key, replaced: undefined };
    // Nearly all are clean as they are: a copy is made when something has to differ.
    let copy: Record<string, unknown> | undefined;
    for (const field in given) {
      const value = given[field];
      if (value === undefined || field === 'kind') continue;
      const rule = rules.get(field);
      const clean = rule === undefined ? undefined : this.#clean(rule, value, work);
      if (clean === value) continue;
      copy ??= { ...given };
      copy[field] = clean;
    }
    // Some formats give fractions of a millisecond; times are kept in whole ones.
    const atMs = Math.floor(event.atMs);
    if (atMs !== event.atMs) copy = { ...(copy ?? given), atMs };
    return { event: (copy ?? given) as unknown as CleanEvent, replaced: work.replaced };
  }

  #clean(rule: FieldRule, value: unknown, work: Work): unknown {
    switch (rule) {
      case 'name':
        return this.#named(value as string, work);
      case 'names': {
        const names = value as readonly string[];
        const clean = names.map((one) => this.#named(one, work));
        return clean.every((one, at) => one === names[at]) ? names : clean;
      }
      case 'session':
        return toldApart(value as string, this.#named(value as string, work), work.key);
      case 'hash':
        return keyedHash(value as string, work.key);
      case 'text': {
        const { text, replaced } = this.text(value as string);
        note(work, replaced);
        return shortened(text, TEXT_MAX);
      }
      default:
        return value;
    }
  }

  text(text: string): Sanitised {
    return this.#sanitise(text, this.#rules);
  }

  #named(name: string, work: Work): string {
    const { text, replaced } = this.#names.get(name) ?? this.#cleanName(name);
    if (replaced !== undefined) note(work, replaced);
    return text;
  }

  #cleanName(name: string): CleanName {
    const { text, replaced } = this.text(name);
    const isChanged = Object.keys(replaced).length > 0;
    const clean = {
      text: shortened(text.replace(/[\n\t]+/g, ' '), TEXT_MAX),
      replaced: isChanged ? replaced : undefined,
    };
    if (this.#names.size >= NAMES_KEPT_MAX) this.#names.clear();
    this.#names.set(name, clean);
    return clean;
  }
}

function note(work: Work, replaced: Replaced): void {
  for (const _ in replaced) {
    work.replaced ??= {};
    addReplaced(work.replaced, replaced);
    return;
  }
}

export function addReplaced(into: Replaced, more: Replaced): void {
  for (const kind in more) {
    const known = kind as keyof Replaced;
    into[known] = (into[known] ?? 0) + more[known]!;
  }
}

/** Cuts without splitting a character. Only for sanitised texts: half a secret may not look like one. */
export function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, lengthMax).toWellFormed();
}
