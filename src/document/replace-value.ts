/**
 * Replaces one value of a document: its bytes and no other. The new text is read again, and exactly that value must
 * differ, together with the places that share it by an alias or a merge key.
 */
import { readDocument } from './read-document.ts';
import type { Declined, Document, DocumentValue, Scalar } from './types.ts';

export interface Replaced {
  /** The new text as it was read again. */
  readonly document: Document;
  /** The same value there. */
  readonly value: DocumentValue;
}

/** `to` may be a number for every value that has a quantity: `5s` becomes `10s`, `"800"` becomes `"900"`. */
export function replaceValue(
  document: Document,
  value: DocumentValue,
  to: Scalar,
): Replaced | Declined {
  const index = document.values.indexOf(value);
  if (index < 0) return { declined: 'The value is not in this document.' };
  const refusal = refusalOf(value, to);
  if (refusal !== undefined) return { declined: refusal };
  const written = document.format.write(value, to);
  if (typeof written !== 'string') return written;
  const { path, text } = document;
  const reading = readDocument(path, text.slice(0, value.start) + written + text.slice(value.end));
  const next = reading.ok ? reading.document : undefined;
  const changed = next?.values[index];
  if (next === undefined || changed === undefined || !differsOnlyIn(document, next, index))
    return { declined: 'The value cannot be changed without changing something else.' };
  if (!means(changed, to, value))
    return { declined: 'The new value cannot be written in the form used there.' };
  return { document: next, value: changed };
}

function refusalOf({ start, end, tag, style, value, quantity }: DocumentValue, to: Scalar) {
  if (start === end) return 'There is nothing to replace there.';
  if (tag !== null) return 'The value has a tag, which says how it is read.';
  if (style === 'block') return 'A block of text is not replaced as a value.';
  if (typeof to === 'number' && !Number.isFinite(to)) return 'The new value is not a number.';
  if (typeof to === 'string' && !to.isWellFormed()) return 'The new value is not a sound text.';
  if (to === null) return 'A value cannot be replaced by nothing.';
  const isKept = value === null || typeof value === typeof to;
  const isAmount = typeof to === 'number' && quantity !== null;
  const isSwitch = typeof to === 'boolean' && typeof value === 'string';
  if (isKept || isAmount || isSwitch) return undefined;
  return `The value is a ${typeof value}, and the new one is a ${typeof to}.`;
}

/** The same values in the same places, except one; offsets after it have moved. */
function differsOnlyIn(before: Document, after: Document, index: number): boolean {
  const [ownIndex, newIndex] = [indexesOf(before), indexesOf(after)];
  return (
    before.values.length === after.values.length &&
    before.places.length === after.places.length &&
    before.sections.length === after.sections.length &&
    before.problems.length === after.problems.length &&
    before.values.every((one, at) => at === index || isSame(one, after.values[at]!)) &&
    before.places.every((one, at) => {
      const other = after.places[at]!;
      const isSameValue = ownIndex.get(one.value) === newIndex.get(other.value);
      return isSameValue && sameKeys(one.steps, other.steps);
    })
  );
}

function indexesOf({ values }: Document): ReadonlyMap<DocumentValue, number> {
  return new Map(values.map((value, index) => [value, index]));
}

function isSame(one: DocumentValue, other: DocumentValue): boolean {
  return (
    one.document === other.document &&
    one.text === other.text &&
    Object.is(one.value, other.value) &&
    one.style === other.style &&
    one.tag === other.tag &&
    one.path.length === other.path.length &&
    one.path.every((key, at) => key === other.path[at])
  );
}

function sameKeys(one: readonly { key: string }[], other: readonly { key: string }[]): boolean {
  return one.length === other.length && one.every(({ key }, at) => key === other[at]!.key);
}

/** Read back, it has the requested value and the same kind as before. */
function means(now: DocumentValue, to: Scalar, before: DocumentValue): boolean {
  if (before.value === null) return now.value === to;
  if (typeof now.value !== typeof before.value) return false;
  if (typeof to === 'number')
    return now.quantity?.amount === to && now.quantity.unit === before.quantity?.unit;
  // `yes` is a string in YAML 1.2 and true in YAML 1.1; the writer wrote its opposite.
  return typeof to === 'boolean' && typeof now.value === 'string' ? true : now.value === to;
}
