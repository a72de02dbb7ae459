/**
 * Ids: a prefix that says what it is, then 26 characters of Crockford's base 32: 48 bits of time in
 * milliseconds and 80 random bits. Sorted as text they are sorted by time, so new rows land
 * together at the end of an index.
 */
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type NewId = (prefix: string) => string;

export function idMaker(clock: Clock, random: Random): NewId {
  return (prefix) => {
    let timeMs = clock.nowMs();
    let time = '';
    for (let digit = 0; digit < 10; digit++) {
      time = ALPHABET[timeMs % 32]! + time;
      timeMs = Math.floor(timeMs / 32);
    }
    let rest = '';
    for (const byte of random.bytes(16)) rest += ALPHABET[byte % 32];
    return `${prefix}_${time}${rest}`;
  };
}
