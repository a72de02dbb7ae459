/**
 * All forms of one skeleton, and the groups they make. A bucket is *settled* when its groups are
 * what `groupForms` says of its forms, and *stale* after a new form. While stale it answers from the
 * groups it has; it settles by itself often enough that one form costs a constant share of that work.
 */
import { type Tokeniser, VARIABLE_HASH } from '../tokens.ts';
import { type Cluster, highLane, isLearnt, lowLane, sumKey, sumsOf } from './clusters.ts';
import { addForm, type Form, openSlot } from './form.ts';
import { groupForms } from './grouping.ts';
import { templateId } from './template.ts';

/** One template: its forms, the head's first. */
export interface Group {
  readonly id: string;
  readonly forms: Form[];
}

/** Groups that vary in the same places, found by the hash of all other places. */
interface Mask {
  readonly places: readonly number[];
  readonly groups: Map<number, Group>;
}

/** Who hears what regrouping did to forms. */
export interface Regrouping {
  /** A form went into another one. */
  readonly replaced: (gone: Form, by: Form) => void;
  /** From now on a form's key names a template. */
  readonly named: (head: Form) => void;
}

/** A group of so many forms is certain: they become one form in which the place is open. */
export const CERTAIN_FORMS = 64;
/** Masks tried for an unknown message. More would be a bucket of noise, and cost time. */
const MASKS_MAX = 64;
/** A stale bucket settles after this many new forms, and later after half as many as it holds. */
const SETTLE_AFTER = 8;

export class Bucket {
  readonly forms = new Set<Form>();
  #groups: Group[] = [];
  #masks: Mask[] = [];
  #fresh = 0;

  get groups(): readonly Group[] {
    return this.#groups.filter((group) => group.forms.length > 0);
  }

  /** How many elements its forms have: all the same. */
  get places(): number | undefined {
    for (const form of this.forms) return form.slots.length;
    return undefined;
  }

  get isDue(): boolean {
    return this.#fresh >= Math.max(SETTLE_AFTER, this.forms.size / 2);
  }

  /** A known group that the message just read would belong to, or undefined. */
  match(tokens: Tokeniser): Group | undefined {
    if (this.#masks.length === 0) return undefined;
    const sums = sumsOf(tokens.hash, tokens.count);
    for (const mask of this.#masks) {
      let { high, low } = sums;
      for (const place of mask.places) {
        high = (high - highLane(place, tokens.hash[place]!)) | 0;
        low = (low - lowLane(place, tokens.hash[place]!)) | 0;
      }
      const group = mask.groups.get(sumKey(high, low));
      if (group !== undefined && group.forms.length > 0) return group;
    }
    return undefined;
  }

  add(form: Form, group?: Group): Group {
    this.forms.add(form);
    this.#fresh++;
    if (group !== undefined) {
      group.forms.push(form);
      form.group = group;
      return group;
    }
    const own: Group = { id: templateId(form.key), forms: [form] };
    form.group = own;
    this.#groups.push(own);
    return own;
  }

  /** Forgets a form. What it helped to learn about its group stays, until another form comes. */
  remove(form: Form): void {
    if (!this.forms.delete(form)) return;
    const members = form.group!.forms;
    members.splice(members.indexOf(form), 1);
  }

  touch(): void {
    this.#fresh++;
  }

  settle(heard: Regrouping): void {
    this.#fresh = 0;
    const masks = new Map<string, Mask>();
    this.#groups = groupForms([...this.forms]).map((cluster) => {
      const group = this.#groupOf(cluster, heard);
      indexGroup(masks, cluster, group);
      return group;
    });
    // Fewest open places first: the most particular template that fits is the right one.
    const byPlaces = [...masks.values()].sort(
      (a, b) => a.places.length - b.places.length || (a.places.join() < b.places.join() ? -1 : 1),
    );
    this.#masks = byPlaces.slice(0, MASKS_MAX);
  }

  #groupOf(cluster: Cluster, heard: Regrouping): Group {
    const forms = [...cluster.forms].sort((a, b) => a.first - b.first || a.key - b.key);
    const head = forms[0]!;
    if (!head.named) {
      head.named = true;
      heard.named(head);
    }
    const certain = forms.length >= CERTAIN_FORMS;
    const group: Group = { id: templateId(head.key), forms: certain ? [head] : forms };
    for (const form of forms) form.group = group;
    if (!certain) return group;
    cluster.hashes.forEach((hash, place) => {
      if (hash !== VARIABLE_HASH || !isLearnt(cluster, place)) return;
      openSlot(head.slots[place]!, head.count);
    });
    for (const form of forms.slice(1)) {
      addForm(head, form);
      this.forms.delete(form);
      heard.replaced(form, head);
    }
    return group;
  }
}

function indexGroup(masks: Map<string, Mask>, cluster: Cluster, group: Group): void {
  const places: number[] = [];
  let { high, low } = sumsOf(cluster.hashes, cluster.hashes.length);
  cluster.hashes.forEach((hash, place) => {
    if (hash !== VARIABLE_HASH || !isLearnt(cluster, place)) return;
    places.push(place);
    high = (high - highLane(place, VARIABLE_HASH)) | 0;
    low = (low - lowLane(place, VARIABLE_HASH)) | 0;
  });
  if (places.length === 0) return;
  const name = places.join();
  let mask = masks.get(name);
  if (mask === undefined) {
    mask = { places, groups: new Map() };
    masks.set(name, mask);
  }
  mask.groups.set(sumKey(high, low), group);
}
