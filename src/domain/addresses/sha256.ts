// oxlint-disable typescript/no-non-null-assertion -- arithmetic on arrays of fixed size; every index is inside
/*
 * SHA-256 of short messages, as base58 addresses need it: two blocks per address, no memory taken.
 * Written here because a million addresses are checked on one thread and this takes a quarter of the time of a general
 * implementation; a property test compares it with @noble/hashes.
 */

// biome-ignore format: eight constants a line, as in FIPS 180-4
const ROUND_CONSTANTS = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

const words = new Int32Array(64);
const digest = new Int32Array(8);

/**
 * First four bytes of SHA-256 of SHA-256 of the first `length` bytes, as one signed number. At most 55 bytes: one block
 * less an end mark and the length.
 */
export function doubleSha256Head(bytes: Uint8Array, length: number): number {
  loadMessage(bytes, length);
  compress();
  loadDigest();
  compress();
  return digest[0]!;
}

function loadMessage(bytes: Uint8Array, length: number): void {
  words.fill(0, 0, 15);
  for (let i = 0; i < length; i++) words[i >> 2]! |= bytes[i]! << (24 - 8 * (i & 3));
  words[length >> 2]! |= 0x80 << (24 - 8 * (length & 3));
  words[15] = 8 * length;
}

function loadDigest(): void {
  words.set(digest);
  words[8] = 0x80000000;
  words.fill(0, 9, 15);
  words[15] = 256;
}

/** One block from the initial state of FIPS 180-4. `| 0` after each sum keeps the engine in 32-bit arithmetic. */
function compress(): void {
  expand();
  let a = 0x6a09e667 | 0;
  let b = 0xbb67ae85 | 0;
  let c = 0x3c6ef372 | 0;
  let d = 0xa54ff53a | 0;
  let e = 0x510e527f | 0;
  let f = 0x9b05688c | 0;
  let g = 0x1f83d9ab | 0;
  let h = 0x5be0cd19 | 0;
  for (let i = 0; i < 64; i++) {
    const sumE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = g ^ (e & (f ^ g));
    const t = ((((((h + sumE) | 0) + choice) | 0) + ROUND_CONSTANTS[i]!) | 0) + words[i]!;
    const sumA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const majority = (a & b) | (c & (a | b));
    h = g;
    g = f;
    f = e;
    e = (d + (t | 0)) | 0;
    d = c;
    c = b;
    b = a;
    a = ((t | 0) + ((sumA + majority) | 0)) | 0;
  }
  digest[0] = a + 0x6a09e667;
  digest[1] = b + 0xbb67ae85;
  digest[2] = c + 0x3c6ef372;
  digest[3] = d + 0xa54ff53a;
  digest[4] = e + 0x510e527f;
  digest[5] = f + 0x9b05688c;
  digest[6] = g + 0x1f83d9ab;
  digest[7] = h + 0x5be0cd19;
}

function expand(): void {
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = ((s0 + words[i - 7]!) | 0) + ((s1 + words[i - 16]!) | 0);
  }
}
