/**
 * Sanitises every free text of an event, names included, before anything else happens with
 * it. Which fields are texts is declared with the event (`EVENT_FIELDS`); what is not declared is not kept.
 */
import { type Event, TEXT_MAX } from '../facts/index.ts';
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
  readonly replaced: Replaced;
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
    const clean: Record<string, unknown> = { kind: event.kind };
    const replaced: Replaced = {};
    const given = event as unknown as Readonly<Record<string, unknown>>;
    const rules = RULES.get(event.kind)!;
    for (const field in given) {
      const rule = rules.get(field);
      const value = given[field];
      if (rule === undefined || value === undefined) continue;
      switch (rule) {
        case 'name':
          clean[field] = this.#named(value as string, replaced);
          break;
        case 'names':
          clean[field] = (value as readonly string[]).map((one) => this.#named(one, replaced));
          break;
        case 'session':
          clean[field] = toldApart(value as string, this.#named(value as string, replaced), key);
          break;
        case 'hash':
          clean[field] = keyedHash(value as string, key);
          break;
        case 'text': {
          const done = this.text(value as string);
          addReplaced(replaced, done.replaced);
          clean[field] = shortened(done.text, TEXT_MAX);
          break;
        }
        default:
          clean[field] = value;
      }
    }
    // Some formats give fractions of a millisecond; times are kept in whole ones.
    clean['atMs'] = Math.floor(event.atMs);
    return { event: clean as unknown as CleanEvent, replaced };
  }

  text(text: string): Sanitised {
    return this.#sanitise(text, this.#rules);
  }

  #named(name: string, into: Replaced): string {
    const { text, replaced } = this.#names.get(name) ?? this.#cleanName(name);
    if (replaced !== undefined) addReplaced(into, replaced);
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
