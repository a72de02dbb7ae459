/**
 * Canonical JSON (RFC 8785) and SHA-256: equal values have equal bytes, so a digest names a value.
 */
import canonicalize from 'canonicalize';
import { cryptoWorthLoading } from './lazy-crypto.ts';
import { smallSha256, smallSha256Hex } from './small-sha256.ts';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Throws on what JSON cannot say (NaN, half a surrogate pair): writing it would lose something. */
export function canonicalJson(value: Json): string {
  if (isInOrder(value)) return JSON.stringify(value);
  const text = canonicalize(value);
  if (text === undefined)
    throw new TypeError('a value without a JSON form cannot be made canonical');
  return text;
}

/**
 * Whether the engine's own writer gives the canonical form: its strings and numbers are the RFC's, so
 * what is left is the order of the keys. Twice as fast for what is made in order, as entries are.
 */
function isInOrder(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'boolean';
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  let before = '';
  for (const key in value) {
    if (key < before || !key.isWellFormed()) return false;
    if (!isInOrder((value as Record<string, unknown>)[key])) return false;
    before = key;
  }
  return !('toJSON' in value);
}

/**
 * By way of a string of bytes: a hash that is asked for as a `Buffer` gets memory of its own from the
 * operating system, 4.0 µs in place of 1.2 µs when many are made.
 */
export function sha256(data: Uint8Array | string): Buffer {
  const crypto = cryptoWorthLoading(data.length);
  if (crypto === undefined) return smallSha256(data);
  return Buffer.from(crypto.hash('sha256', data, 'binary'), 'latin1');
}

export function sha256Hex(data: Uint8Array | string): string {
  const crypto = cryptoWorthLoading(data.length);
  return crypto === undefined ? smallSha256Hex(data) : crypto.hash('sha256', data, 'hex');
}

/** `sha256:<hex>` of the canonical form: how values and files are named in the ledger. */
export function digestOf(value: Json): Digest {
  return `sha256:${sha256Hex(canonicalJson(value))}`;
}

export function digestOfBytes(bytes: Uint8Array | string): Digest {
  return `sha256:${sha256Hex(bytes)}`;
}

export type Digest = `sha256:${string}`;
