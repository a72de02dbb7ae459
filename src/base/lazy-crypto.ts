/**
 * Node's crypto, loaded at its first use: importing it takes 7 ms, a tenth of what `hone status` may
 * take, and most commands that only look never hash anything.
 */
export function nodeCrypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}

let loaded: typeof import('node:crypto') | undefined;
