/**
 * Node's crypto, loaded at its first use: importing it takes 7 ms, a tenth of what `hone status` may
 * take, and most commands that only look never hash anything.
 */
export function nodeCrypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}

/** Hashing so much in JavaScript takes as long as loading node:crypto. */
const HASHED_MAX = 16 * 1024;
let hashed = 0;

/**
 * For whoever hashes: undefined while this process hashed so little that JavaScript does it sooner. A process that goes
 * on hashing loses at most as much as the loading takes.
 */
export function cryptoWorthLoading(length: number): typeof import('node:crypto') | undefined {
  if (loaded !== undefined) return loaded;
  hashed += length;
  return hashed > HASHED_MAX ? nodeCrypto() : undefined;
}

let loaded: typeof import('node:crypto') | undefined;
