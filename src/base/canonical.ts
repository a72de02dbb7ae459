/**
 * Canonical JSON (RFC 8785) and SHA-256: equal values have equal bytes, so a digest names a value.
 */
import { nodeCrypto } from './lazy-crypto.ts';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/**
 * RFC 8785: keys in the order of their UTF-16 code units, numbers as ECMAScript writes them, nothing
 * between. Throws on what JSON cannot say (NaN, half a surrogate pair): writing it would lose something.
 * By hand because every ledger entry passes here: 4 µs, where the package `canonicalize`, which the
 * tests compare it with, takes 14 µs.
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('half a surrogate pair has no JSON form');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : canonicalObject(value);
    default:
      throw new TypeError(`a ${typeof value} has no JSON form`);
  }
}

const isArray = (value: object): value is readonly Json[] => Array.isArray(value);

function canonicalObject(value: { readonly [key: string]: Json | undefined }): string {
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${canonicalKey(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Keys repeat; so many are remembered that ours fit, and so few that others' cannot fill memory. */
const KEYS_MAX = 1000;
const keys = new Map<string, string>();

function canonicalKey(key: string): string {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const text = canonicalJson(key);
  if (keys.size < KEYS_MAX) keys.set(key, text);
  return text;
}

/**
 * By way of a string of bytes: a hash that is asked for as a `Buffer` gets memory of its own from the
 * operating system, 4.0 µs in place of 1.2 µs when many are made.
 */
export function sha256(data: Uint8Array | string): Buffer {
  return Buffer.from(nodeCrypto().hash('sha256', data, 'binary'), 'latin1');
}

export function sha256Hex(data: Uint8Array | string): string {
  return nodeCrypto().hash('sha256', data, 'hex');
}

/** `sha256:<hex>` of the canonical form: how values and files are named in the ledger. */
export function digestOf(value: Json): Digest {
  return `sha256:${sha256Hex(canonicalJson(value))}`;
}

export function digestOfBytes(bytes: Uint8Array | string): Digest {
  return `sha256:${sha256Hex(bytes)}`;
}

export type Digest = `sha256:${string}`;
