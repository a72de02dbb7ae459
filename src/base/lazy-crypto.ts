/**
 * Node's crypto, loaded at its first use: importing it takes 7 ms, a tenth of what `hone status` may
 * take, and most commands that only look never hash anything.
 */
export const nodeCrypto = () => process.getBuiltinModule('node:crypto');
