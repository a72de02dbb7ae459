/**
 * SHA-256 (FIPS 180-4) in plain JavaScript, for the few kilobytes that every start hashes: 3 ms cold, where
 * loading node:crypto takes 7, a tenth of what `hone status` may take. Everything else uses `sha256Hex`.
 */

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUNDS = Int32Array.from(primes(64), (prime) => ((Math.cbrt(prime) % 1) * 2 ** 32) | 0);
/** The same of the square roots of the first 8. */
const BEGINNING = Int32Array.from(primes(8), (prime) => ((Math.sqrt(prime) % 1) * 2 ** 32) | 0);

export function smallSha256Hex(text: string): string {
  const blocks = padded(Buffer.from(text));
  const hash = BEGINNING.slice();
  const words = new Int32Array(64);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) words[i] = grown(words, i);
    mix(hash, words);
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** A one bit, zeros, and the length in bits at the end of the last block. */
function padded(bytes: Uint8Array): DataView {
  const blocks = ((bytes.length + 8) >> 6) + 1;
  const all = new Uint8Array(blocks * 64);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(all.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(all.length - 4, (bytes.length << 3) >>> 0);
  return view;
}

function grown(words: Int32Array, i: number): number {
  const [x, y] = [words[i - 15]!, words[i - 2]!];
  const small = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
  const large = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
  return (words[i - 16]! + small + words[i - 7]! + large) | 0;
}

function mix(hash: Int32Array, words: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const turnedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + turnedE + ((e & f) ^ (~e & g)) + ROUNDS[i]! + words[i]!) | 0;
    const turnedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (turnedA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i]! += word;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++)
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
}
