/**
 * The door: every free text of an event through the sanitiser, names included, before anything else
 * happens with it. Which fields are free is said by exception, so that a new one is sanitised until
 * somebody decides otherwise.
 */
import type { Event } from '../facts/index.ts';
import type { Replaced, Sanitise, SanitiserRules } from '../sanitise/index.ts';
import { type SessionKey, toldApart } from './session-key.ts';
import type { CleanEvent } from './types.ts';

/** Their values come from closed lists, or were checked to be a time. */
const CLOSED_FIELDS = new Set([
  'event_type',
  'timestamp',
  'correction_type',
  'rating',
  'reason_category',
  'status',
]);
/** May have several lines; everything else is a name and has one. */
const TEXT_FIELD = 'error_message';

/** Sessions are counted, so two of them must not become one. */
const SESSION_FIELD = 'session_id';

/** Names come back again and again: agents and tools with every event. */
const NAMES_KEPT_MAX = 10_000;

export interface Cleaned {
  readonly event: CleanEvent;
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
    const clean: Record<string, unknown> = {};
    const replaced: Replaced = {};
    for (const [field, value] of Object.entries(event)) {
      if (typeof value !== 'string' || CLOSED_FIELDS.has(field)) {
        clean[field] = value;
        continue;
      }
      const done = field === TEXT_FIELD ? this.text(value) : this.#name(value);
      clean[field] = field === SESSION_FIELD ? toldApart(value, done.text, key) : done.text;
      addReplaced(replaced, done.replaced);
    }
    return { event: clean as unknown as CleanEvent, replaced };
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
