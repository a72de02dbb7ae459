import type { DocumentValue, Quantity } from './types.ts';

/**
 * The number that a value is: `800`, `1_200`, `5s`, also `"5s"`. A bare number in quotes is not one: it is a version or a name as
 * often as a limit.
 */
export function numberOf({ value, text, quantity, tag }: DocumentValue): Quantity | null {
  if (tag !== null) return null;
  if (typeof value === 'number')
    return Number.isFinite(value) ? { amount: value, unit: quantity?.unit ?? null } : null;
  const isBareInQuotes = quantity?.unit === null && text !== value;
  return isBareInQuotes ? null : quantity;
}
