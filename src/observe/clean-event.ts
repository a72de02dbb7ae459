/**
 * Sanitises every free text of an event, names included, before anything else happens with
 * it. Which fields are texts is declared with the event (`EVENT_FIELDS`); what is not declared is not kept.
 */
import { EVENT_FIELDS, type Event, type FieldRule, TEXT_MAX } from '../facts/index.ts';
import type { Replaced, Sanitise, SanitiserRules } from '../sanitise/index.ts';
import { keyedHash, type SessionKey, toldApart } from './session-key.ts';
import type { CleanEvent } from './types.ts';

/** Names come back again and again: agents and tools with every event. */
const NAMES_KEPT_MAX = 10_000;

export interface Cleaned {
  readonly event: CleanEvent;
  readonly replaced: Replaced;
}

interface Cleaning {
  readonly key: SessionKey;
  readonly replaced: Replaced;
}

export class Cleaner {
  readonly #sanitise: Sanitise;
  readonly #rules: SanitiserRules;
  readonly #names = new Map<string, ReturnType<Sanitise>>();

  constructor(sanitise: Sanitise, rules: SanitiserRules) {
    this.#sanitise = sanitise;
    this.#rules = rules;
  }

  /** Throws what the sanitiser throws; then nothing of the event may be kept. */
  event(event: Event, key: SessionKey): Cleaned {
    const clean: Record<string, unknown> = { kind: event.kind };
    const replaced: Replaced = {};
    const given = event as unknown as Readonly<Record<string, unknown>>;
    const rules: Readonly<Record<string, FieldRule>> = EVENT_FIELDS[event.kind];
    for (const field in rules) {
      const value = given[field];
      if (value === undefined) continue;
      clean[field] = this.#field(rules[field]!, value, { key, replaced });
    }
    return { event: clean as unknown as CleanEvent, replaced };
  }

  #field(rule: FieldRule, value: unknown, { key, replaced }: Cleaning): unknown {
    const name = (raw: string) => {
      const done = this.#name(raw);
      addReplaced(replaced, done.replaced);
      return done.text;
    };
    switch (rule) {
      case 'name':
        return shortened(name(value as string), TEXT_MAX);
      case 'names':
        return (value as readonly string[]).map(name);
      case 'session':
        return toldApart(value as string, name(value as string), key);
      case 'hash':
        return keyedHash(value as string, key);
      case 'text': {
        const done = this.text(value as string);
        addReplaced(replaced, done.replaced);
        return shortened(done.text, TEXT_MAX);
      }
      default:
        return value;
    }
  }

  text(text: string): ReturnType<Sanitise> {
    return this.#sanitise(text, this.#rules);
  }

  #name(name: string): ReturnType<Sanitise> {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const { text, replaced } = this.text(name);
    const clean = { text: text.replace(/[\n\t]+/g, ' '), replaced };
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
