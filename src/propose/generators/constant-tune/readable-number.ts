/** Numbers that a person would have written: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten. */

const LEADING = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80];

/** The readable numbers around a positive value, ascending; `whole` leaves only whole ones. */
function around(value: number, whole: boolean): number[] {
  const power = Math.floor(Math.log10(value)) - 1;
  const numbers: number[] = [];
  // Read from text: 12 * 10 ** -1 is not 1.2.
  for (let at = power - 1; at <= Math.max(power + 2, 1); at++)
    for (const digits of LEADING) numbers.push(Number(`${digits}e${at}`));
  return whole ? numbers.filter(Number.isInteger) : numbers;
}

/** The smallest readable number that is not below the value. */
export function readableUp(value: number, whole: boolean): number {
  return around(value, whole).find((one) => one >= value * (1 - 1e-9))!;
}

/** The largest readable number that is not above the value, which is at least 1 where `whole`. */
export function readableDown(value: number, whole: boolean): number {
  return around(value, whole).findLast((one) => one <= value * (1 + 1e-9))!;
}
