/**
 * The template miner: messages in, templates out, online, in bounded memory. See `README.md`.
 *
 * `add` gives the id of the template the message belongs to as far as is known now. Templates may
 * join later; every id ever given keeps resolving (`template(id)`) to the template its messages are
 * in today, unless that form was forgotten for lack of room.
 */
import { TextError } from '../errors.ts';
import { Tokeniser } from '../tokens.ts';
import { adoptions } from './adoption.ts';
import { Bucket, type Group } from './bucket.ts';
import { ChangedKeys } from './changes.ts';
import { joinByEnclosure, joinTails } from './enclosure.ts';
import { addForm, countIn, type Form, newForm } from './form.ts';
import {
  type MinerChanges,
  type MinerState,
  readState,
  STATE_VERSION,
  writeForm,
  writeState,
} from './state.ts';
import { keyOf, learntWords, type Template, templateOf } from './template.ts';

/** Forms kept. Above this, the rarest and, among them, the oldest quarter is forgotten. */
export const FORMS_MAX = 16_384;
/** Elements kept in all forms together: long messages weigh more. */
const SLOTS_MAX = 262_144;
/** What is left after forgetting. */
const KEPT_SHARE = 0.75;
/** Old ids kept for forms that went into another form; the oldest go first. */
const ALIASES_MAX = 65_536;

export interface Added {
  readonly templateId: string;
  /** True when no earlier message looked like this one. */
  readonly isNew: boolean;
}

interface Adopted {
  readonly messages: number;
  readonly forms: number;
  readonly by: ReadonlyMap<string, Group>;
  readonly members: ReadonlyMap<string, readonly Group[]>;
  /** Of those whose text is another with what they took in. */
  readonly texts: ReadonlyMap<string, string>;
}

export class Miner {
  readonly #tokens = new Tokeniser();
  readonly #forms = new Map<number, Form>();
  readonly #buckets = new Map<number, Bucket>();
  readonly #aliases = new Map<number, number>();
  readonly #stale = new Set<Bucket>();
  readonly #changedForms = new ChangedKeys();
  readonly #changedAliases = new ChangedKeys();
  /** Odd members by the template that took them in, as of so many messages and forms; made when it is asked for. */
  #adopted: Adopted | undefined;
  #slots = 0;
  #messages = 0;
  #forgotten = 0;

  /** Messages seen. */
  get messages(): number {
    return this.#messages;
  }

  /** Messages whose form was forgotten for lack of room. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Forms kept at the moment, at most `FORMS_MAX`. */
  get size(): number {
    return this.#forms.size;
  }

  add(message: string): Added {
    const tokens = this.#read(message);
    const number = ++this.#messages;
    const known = this.#forms.get(tokens.key);
    if (known !== undefined) {
      this.#count(known, number);
      return { templateId: known.group!.id, isNew: false };
    }
    return this.#addUnknown(number);
  }

  /**
   * The id of the template that the message belongs to, if one is known; then it is counted. Any other message
   * leaves no trace: for sources of which enough was learnt.
   */
  recognise(message: string): string | undefined {
    const tokens = this.#read(message);
    const known = this.#forms.get(tokens.key);
    if (known === undefined) return this.#buckets.get(tokens.skeleton)?.match(tokens)?.id;
    this.#count(known, ++this.#messages);
    return known.group!.id;
  }

  /** The current template behind an id that `add` gave, now or earlier. */
  template(id: string): Template | undefined {
    const group = this.#resolve(id);
    return group === undefined ? undefined : this.#templateOf(group);
  }

  /** The id of the template that `id` belongs to now. */
  currentId(id: string): string | undefined {
    return this.#resolve(id)?.id;
  }

  /** All templates, the most frequent first. */
  templates(): Template[] {
    const { by } = this.#adoption();
    const all: Template[] = [];
    for (const group of this.#groups()) if (!by.has(group.id)) all.push(this.#templateOf(group));
    return all.sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
  }

  /** Plain JSON that `load` makes the same miner of. */
  save(): MinerState {
    this.#settle();
    return writeState({
      messages: this.#messages,
      forgotten: this.#forgotten,
      forms: [...this.#forms.values()],
      aliases: [...this.#aliases],
    });
  }

  /**
   * What a saved state has to be changed in; undefined where nothing is. Taken once: who cannot save it
   * goes on from what was saved before. Forms that wait to be grouped are saved as they are, since
   * `load` groups them.
   */
  takeChanges(): MinerChanges | undefined {
    if (this.#changedForms.isEmpty && this.#changedAliases.isEmpty) return undefined;
    const forms = this.#changedForms.take();
    const aliases = this.#changedAliases.take();
    return {
      version: STATE_VERSION,
      messages: this.#messages,
      forgotten: this.#forgotten,
      forms: forms.changed.map((key) => writeForm(this.#forms.get(key)!)),
      goneForms: forms.gone,
      aliases: aliases.changed.map((from) => [from, this.#aliases.get(from)!] as const),
      goneAliases: aliases.gone,
    };
  }

  static load(state: MinerState): Miner {
    const read = readState(state);
    const miner = new Miner();
    miner.#messages = read.messages;
    miner.#forgotten = read.forgotten;
    for (const form of read.forms) miner.#insert(form);
    for (const [from, to] of read.aliases) miner.#alias(from, to);
    miner.#changedForms.take();
    miner.#changedAliases.take();
    miner.#settle();
    miner.#forget();
    return miner;
  }

  /** Takes in what another miner saw, as if its messages had been added here. The other is not changed. */
  merge(other: Miner): void {
    const { messages, forgotten, forms, aliases } = readState(other.save());
    for (const form of forms) this.#take(form);
    for (const [from, to] of aliases) this.#alias(from, to);
    this.#messages += messages;
    this.#forgotten += forgotten;
    this.#settle();
    this.#forget();
  }

  #take(form: Form): void {
    const known = this.#forms.get(form.key);
    const places = this.#buckets.get(known?.skeleton ?? form.skeleton)?.places;
    // Only a collision of hashes or a made-up state has two shapes under one key.
    if (places !== undefined && places !== form.slots.length) this.#forgotten += form.count;
    else if (known === undefined) this.#insert(form);
    else {
      addForm(known, form);
      this.#changedForms.put(known.key);
      this.#markStale(this.#buckets.get(known.skeleton)!);
    }
  }

  #read(message: string): Tokeniser {
    if (typeof message !== 'string') {
      throw new TextError('not_text', `a message must be a string, not ${typeof message}`);
    }
    this.#tokens.read(message);
    return this.#tokens;
  }

  #addUnknown(number: number): Added {
    const tokens = this.#tokens;
    const bucket = this.#bucket(tokens.skeleton);
    const group = bucket.match(tokens);
    const certain = group?.forms[0];
    if (group !== undefined && certain?.slots.some((slot) => slot.open)) {
      this.#count(certain, number);
      return { templateId: group.id, isNew: false };
    }
    const form = newForm(tokens, number);
    countIn(form, tokens, number);
    this.#keep(form);
    const joined = bucket.add(form, group);
    form.named = group === undefined;
    this.#stale.add(bucket);
    if (bucket.isDue) this.#settleBucket(bucket);
    this.#forget();
    return { templateId: form.group?.id ?? joined.id, isNew: group === undefined };
  }

  #count(form: Form, number: number): void {
    if (countIn(form, this.#tokens, number)) this.#changedForms.put(form.key);
    else this.#changedForms.count(form.key);
  }

  #insert(form: Form): void {
    const bucket = this.#bucket(form.skeleton);
    this.#keep(form);
    bucket.add(form);
    this.#stale.add(bucket);
  }

  #keep(form: Form): void {
    this.#forms.set(form.key, form);
    this.#changedForms.put(form.key);
    this.#slots += form.slots.length + 1;
  }

  #drop(form: Form): void {
    if (!this.#forms.delete(form.key)) return;
    this.#slots -= form.slots.length + 1;
    this.#changedForms.drop(form.key);
  }

  #holdsOver(share: number): boolean {
    return this.#forms.size > FORMS_MAX * share || this.#slots > SLOTS_MAX * share;
  }

  #bucket(skeleton: number): Bucket {
    let bucket = this.#buckets.get(skeleton);
    if (bucket === undefined) {
      bucket = new Bucket();
      this.#buckets.set(skeleton, bucket);
    }
    return bucket;
  }

  *#groups(): Generator<Group> {
    for (const bucket of this.#buckets.values()) yield* bucket.groups;
  }

  /** With what it took in. */
  #templateOf(group: Group): Template {
    const own = templateOf(group.id, group.forms);
    let { count, first, last } = own;
    for (const form of this.#adoption()
      .members.get(group.id)
      ?.flatMap(({ forms }) => forms) ?? []) {
      count += form.count;
      first = Math.min(first, form.first);
      last = Math.max(last, form.last);
    }
    const text = this.#adoption().texts.get(group.id) ?? own.text;
    return { ...own, text, count, first, last };
  }

  #adoption(): Adopted {
    this.#settle();
    const [messages, forms] = [this.#messages, this.#forms.size];
    if (this.#adopted?.messages === messages && this.#adopted.forms === forms) return this.#adopted;
    const groups = new Map([...this.#groups()].map((group) => [group.id, group]));
    const by = new Map<string, Group>();
    const members = new Map<string, Group[]>();
    const texts = new Map<string, string>();
    const templates = joinByEnclosure(
      [...groups.values()].map(({ id, forms: own }) => ({
        ...templateOf(id, own),
        learnt: learntWords(own),
      })),
    );
    const odd = adoptions(templates);
    const heads = joinTails(templates.filter(({ id }) => !odd.has(id)));
    const headOf = new Map(
      heads.flatMap(({ id, members: joined }) => joined.map((one) => [one, id])),
    );
    for (const { id, text, members: joined } of heads) if (joined.length > 1) texts.set(id, text);
    for (const { id, members: joined } of templates) {
      const head = headOf.get(odd.get(id) ?? id)!;
      for (const member of joined) {
        if (member === head) continue;
        by.set(member, groups.get(head)!);
        members.set(head, [...(members.get(head) ?? []), groups.get(member)!]);
      }
    }
    this.#adopted = { messages, forms, by, members, texts };
    return this.#adopted;
  }

  #resolve(id: string): Group | undefined {
    const own = this.#ownGroup(id);
    return own === undefined ? undefined : (this.#adoption().by.get(own.id) ?? own);
  }

  #ownGroup(id: string): Group | undefined {
    this.#settle();
    let key = keyOf(id);
    // An alias can point to a form that later went into another one. Merging can close a ring whose
    // forms are all forgotten, so the way is bounded.
    for (let steps = 0; steps < 64; steps++) {
      const form = this.#forms.get(key);
      if (form !== undefined) return form.group;
      const next = this.#aliases.get(key);
      if (next === undefined) return undefined;
      key = next;
    }
    return undefined;
  }

  #markStale(bucket: Bucket): void {
    bucket.touch();
    this.#stale.add(bucket);
  }

  #settle(): void {
    for (const bucket of this.#stale) this.#settleBucket(bucket);
  }

  #settleBucket(bucket: Bucket): void {
    this.#stale.delete(bucket);
    bucket.settle({
      replaced: (gone, by) => {
        this.#drop(gone);
        this.#changedForms.put(by.key);
        if (gone.named) this.#alias(gone.key, by.key);
      },
      named: (head) => this.#changedForms.put(head.key),
    });
  }

  #alias(from: number, to: number): void {
    if (from === to) return;
    this.#aliases.set(from, to);
    this.#changedAliases.put(from);
    if (this.#aliases.size <= ALIASES_MAX) return;
    for (const oldest of this.#aliases.keys()) {
      this.#aliases.delete(oldest);
      this.#changedAliases.drop(oldest);
      return;
    }
  }

  /** Makes room: first by generalising, then by forgetting what was seen least and longest ago. */
  #forget(): void {
    if (!this.#holdsOver(1)) return;
    this.#settle();
    const dropped: Form[] = [];
    const byWorth = [...this.#forms.values()].sort((a, b) => a.count - b.count || a.last - b.last);
    for (const form of byWorth) {
      if (!this.#holdsOver(KEPT_SHARE)) break;
      this.#drop(form);
      dropped.push(form);
      this.#forgotten += form.count;
      const bucket = this.#buckets.get(form.skeleton)!;
      bucket.remove(form);
      if (bucket.forms.size === 0) this.#buckets.delete(form.skeleton);
    }
    for (const { named, key, group } of dropped) {
      const heir = named ? group?.forms.find((form) => this.#forms.has(form.key)) : undefined;
      if (heir === undefined) continue;
      heir.named = true;
      this.#changedForms.put(heir.key);
      this.#alias(key, heir.key);
    }
  }
}
