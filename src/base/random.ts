/**
 * Randomness is a port. `systemRandom` draws from the operating system; `seededRandom` repeats the
 * same draws for the same seed, on every machine, so that a failing run can be repeated.
 */
import { nodeCrypto } from './lazy-crypto.ts';

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = {
  next: () => Number(nodeCrypto().randomFillSync(new BigUint64Array(1))[0]! >> 11n) / 2 ** 53,
  bytes: (count) => nodeCrypto().randomFillSync(new Uint8Array(count)),
};

/** xoshiro128** 1.1 (Blackman and Vigna), its state filled by splitmix32 from the seed. */
export function seededRandom(seed: number): Random {
  let filler = seed | 0;
  const split = () => {
    filler = (filler + 0x9e3779b9) | 0;
    let z = filler;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  let a = split();
  let b = split();
  let c = split();
  let d = split();
  const next32 = () => {
    const x = Math.imul(b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  return {
    next: () => ((next32() >>> 5) * 2 ** 26 + (next32() >>> 6)) / 2 ** 53,
    bytes: (count) => Uint8Array.from({ length: count }, () => next32() & 0xff),
  };
}

/** A whole number from 0 to `below` - 1. */
export function randomInt(random: Random, below: number): number {
  return Math.floor(random.next() * below);
}
