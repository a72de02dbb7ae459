/**
 * Canonical JSON (RFC 8785) and SHA-256: equal values have equal bytes, so a digest names a value.
 */
import canonicalize from 'canonicalize';
import { nodeCrypto } from './lazy-crypto.ts';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Throws on what JSON cannot say (NaN, half a surrogate pair): writing it would lose something. */
export function canonicalJson(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined)
    throw new TypeError('a value without a JSON form cannot be made canonical');
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
