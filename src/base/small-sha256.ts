/**
 * SHA-256 (FIPS 180-4) in plain JavaScript, for the few kilobytes that a short command hashes, where loading node:crypto
 * takes 7 ms, a tenth of what `hone status` may take. One function without calls: it runs before any compiler has looked
 * at it.
 */

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUNDS = Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

export function smallSha256Hex(data: Uint8Array | string): string {
  return smallSha256(data).toString('hex');
}

export function smallSha256(data: Uint8Array | string): Buffer {
  const blocks = padded(typeof data === 'string' ? Buffer.from(data) : data);
  const words = new Int32Array(64);
  // The same fractional parts of the square roots of the first 8.
  let [a0, b0, c0, d0] = [0x6a09e667, 0xbb67ae85 | 0, 0x3c6ef372, 0xa54ff53a | 0];
  let [e0, f0, g0, h0] = [0x510e527f, 0x9b05688c | 0, 0x1f83d9ab, 0x5be0cd19];
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.readInt32BE(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = words[i - 15]!;
      const y = words[i - 2]!;
      const small = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const large = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      words[i] = words[i - 16]! + small + words[i - 7]! + large;
    }
    let a = a0;
    let b = b0;
    let c = c0;
    let d = d0;
    let e = e0;
    let f = f0;
    let g = g0;
    let h = h0;
    for (let i = 0; i < 64; i++) {
      const turnedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const first = (h + turnedE + ((e & f) ^ (~e & g)) + ROUNDS[i]! + words[i]!) | 0;
      const turnedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      const second = (turnedA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    a0 = (a0 + a) | 0;
    b0 = (b0 + b) | 0;
    c0 = (c0 + c) | 0;
    d0 = (d0 + d) | 0;
    e0 = (e0 + e) | 0;
    f0 = (f0 + f) | 0;
    g0 = (g0 + g) | 0;
    h0 = (h0 + h) | 0;
  }
  const hash = Buffer.allocUnsafe(32);
  for (const [i, word] of [a0, b0, c0, d0, e0, f0, g0, h0].entries())
    hash.writeInt32BE(word, 4 * i);
  return hash;
}

/** A one bit, zeros, and the length in bits at the end of the last block. */
function padded(bytes: Uint8Array): Buffer {
  const blocks = ((bytes.length + 8) >> 6) + 1;
  const all = Buffer.alloc(blocks * 64);
  all.set(bytes);
  all[bytes.length] = 0x80;
  all.writeUInt32BE(Math.floor(bytes.length / 2 ** 29), all.length - 8);
  all.writeUInt32BE((bytes.length << 3) >>> 0, all.length - 4);
  return all;
}
