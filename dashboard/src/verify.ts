/**
 * Checks the ledger in the browser, with its own cryptography: the entry that is shown is hashed here, and the proof
 * leads from that hash to the root (RFC 6962, section 2.1.1). A server that shows another entry than it recorded,
 * or another history than before, is found out.
 */
import type { LedgerEntry, Proof } from '../../src/contracts/ledger.ts';

/** RFC 8785: keys by their UTF-16 code units, numbers and strings as JSON writes them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  const part = (key: string) =>
    `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`;
  return `{${keys.map(part).join(',')}}`;
}

async function hash(
  prefix: number,
  ...parts: readonly Uint8Array[]
): Promise<Uint8Array<ArrayBuffer>> {
  const length = parts.reduce((sum, part) => sum + part.length, 1);
  const input = new Uint8Array(length);
  input[0] = prefix;
  let at = 1;
  for (const part of parts) {
    input.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', input));
}

const leafHash = (text: string) => hash(0, new TextEncoder().encode(text));
const nodeHash = (left: Uint8Array, right: Uint8Array) => hash(1, left, right);

const bytes = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
const isSame = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((one, at) => one === b[at]);

export type Verified =
  | { readonly ok: true; readonly leaf: string }
  | { readonly ok: false; readonly why: string };

/** Whether this very entry is in the ledger with that root. */
export async function verifyInclusion(shown: LedgerEntry, proof: Proof): Promise<Verified> {
  const { index, ...entry } = shown;
  const leaf = await leafHash(canonical({ v: 1, ...entry }));
  if (proof.index !== index) return { ok: false, why: 'The proof is about another entry.' };
  let [at, last] = [index, proof.size - 1];
  if (at > last) return { ok: false, why: 'The entry is beyond the ledger that is proven.' };
  let node = leaf;
  for (const sibling of proof.proof.map(bytes)) {
    if (last === 0) return { ok: false, why: 'The proof is too long.' };
    if (at % 2 === 1 || at === last) {
      node = await nodeHash(sibling, node);
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else node = await nodeHash(node, sibling);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  if (last !== 0) return { ok: false, why: 'The proof is too short.' };
  if (!isSame(node, bytes(proof.root)))
    return { ok: false, why: 'The entry that is shown is not the one that was recorded.' };
  return { ok: true, leaf: [...leaf].map((one) => one.toString(16).padStart(2, '0')).join('') };
}

/** Whether the ledger of `proof.size` begins with the one whose root was seen before (RFC 6962, section 2.1.2). */
export async function verifyConsistency(seenRoot: string, proof: Proof): Promise<boolean> {
  const size1 = proof.size1 ?? 0;
  const path = proof.proof.map(bytes);
  const [root1, root2] = [bytes(seenRoot), bytes(proof.root)];
  if (size1 === proof.size) return path.length === 0 && isSame(root1, root2);
  if (size1 === 0) return true;
  if ((size1 & (size1 - 1)) === 0) path.unshift(root1);
  let [first, second] = [size1 - 1, proof.size - 1];
  while (first % 2 === 1) {
    first = Math.floor(first / 2);
    second = Math.floor(second / 2);
  }
  const [start, ...rest] = path;
  if (start === undefined) return false;
  let [one, two] = [start, start];
  for (const node of rest) {
    if (second === 0) return false;
    if (first % 2 === 1 || first === second) {
      one = await nodeHash(node, one);
      two = await nodeHash(node, two);
      while (first % 2 === 0 && first !== 0) {
        first = Math.floor(first / 2);
        second = Math.floor(second / 2);
      }
    } else two = await nodeHash(two, node);
    first = Math.floor(first / 2);
    second = Math.floor(second / 2);
  }
  return second === 0 && isSame(one, root1) && isSame(two, root2);
}
