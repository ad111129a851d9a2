/*
 * The permutation Keccak-f[1600] of FIPS 202, which EIP-55 needs once per address.
 * Each 64-bit lane is kept as two words, one of its even and one of its odd bits, because turning a lane is then turning
 * two words. The steps are written out, not looped over tables, which makes them five times as fast: a file may hold a
 * million addresses. A property test compares the result with @noble/hashes.
 */

/** The 25 lanes: word `2 * lane` holds the even bits, word `2 * lane + 1` the odd bits. */
export const state = new Int32Array(50);

const moved = new Int32Array(50);
const mix = new Int32Array(10);

// biome-ignore format: four rounds a line, even bits before odd bits
const ROUND_CONSTANTS = Int32Array.of(
  0x1, 0x0, 0x0, 0x89, 0x0, 0x8000008b, 0x0, 0x80008080,
  0x1, 0x8b, 0x1, 0x8000, 0x1, 0x80008088, 0x1, 0x80000082,
  0x0, 0xb, 0x0, 0xa, 0x1, 0x8082, 0x0, 0x8003,
  0x1, 0x808b, 0x1, 0x8000000b, 0x1, 0x8000008a, 0x1, 0x80000081,
  0x0, 0x80000081, 0x0, 0x80000008, 0x0, 0x83, 0x0, 0x80008003,
  0x1, 0x80008088, 0x0, 0x80000088, 0x1, 0x8000, 0x0, 0x80008082,
);

/** Permutes {@link state} in place. */
export function keccakF(): void {
  for (let round = 0; round < ROUND_CONSTANTS.length; round += 2) {
    theta();
    moveEvenBits();
    moveOddBits();
    chi();
    state[0]! ^= ROUND_CONSTANTS[round]!;
    state[1]! ^= ROUND_CONSTANTS[round + 1]!;
  }
}

/** Finds what each column is changed by; the change itself is made while the lanes move. */
function theta(): void {
  const c0 = state[0]! ^ state[10]! ^ state[20]! ^ state[30]! ^ state[40]!;
  const c1 = state[1]! ^ state[11]! ^ state[21]! ^ state[31]! ^ state[41]!;
  const c2 = state[2]! ^ state[12]! ^ state[22]! ^ state[32]! ^ state[42]!;
  const c3 = state[3]! ^ state[13]! ^ state[23]! ^ state[33]! ^ state[43]!;
  const c4 = state[4]! ^ state[14]! ^ state[24]! ^ state[34]! ^ state[44]!;
  const c5 = state[5]! ^ state[15]! ^ state[25]! ^ state[35]! ^ state[45]!;
  const c6 = state[6]! ^ state[16]! ^ state[26]! ^ state[36]! ^ state[46]!;
  const c7 = state[7]! ^ state[17]! ^ state[27]! ^ state[37]! ^ state[47]!;
  const c8 = state[8]! ^ state[18]! ^ state[28]! ^ state[38]! ^ state[48]!;
  const c9 = state[9]! ^ state[19]! ^ state[29]! ^ state[39]! ^ state[49]!;
  mix[0] = c8 ^ ((c3 << 1) | (c3 >>> 31));
  mix[1] = c9 ^ c2;
  mix[2] = c0 ^ ((c5 << 1) | (c5 >>> 31));
  mix[3] = c1 ^ c4;
  mix[4] = c2 ^ ((c7 << 1) | (c7 >>> 31));
  mix[5] = c3 ^ c6;
  mix[6] = c4 ^ ((c9 << 1) | (c9 >>> 31));
  mix[7] = c5 ^ c8;
  mix[8] = c6 ^ ((c1 << 1) | (c1 >>> 31));
  mix[9] = c7 ^ c0;
}

/** The steps rho and pi for the words of even bits: each lane is turned and moves to another place. */
function moveEvenBits(): void {
  let w = 0;
  moved[0] = state[0]! ^ mix[0]!;
  w = state[12]! ^ mix[2]!;
  moved[2] = (w << 22) | (w >>> 10);
  w = state[25]! ^ mix[5]!;
  moved[4] = (w << 22) | (w >>> 10);
  w = state[37]! ^ mix[7]!;
  moved[6] = (w << 11) | (w >>> 21);
  w = state[48]! ^ mix[8]!;
  moved[8] = (w << 7) | (w >>> 25);
  w = state[6]! ^ mix[6]!;
  moved[10] = (w << 14) | (w >>> 18);
  w = state[18]! ^ mix[8]!;
  moved[12] = (w << 10) | (w >>> 22);
  w = state[21]! ^ mix[1]!;
  moved[14] = (w << 2) | (w >>> 30);
  w = state[33]! ^ mix[3]!;
  moved[16] = (w << 23) | (w >>> 9);
  w = state[45]! ^ mix[5]!;
  moved[18] = (w << 31) | (w >>> 1);
  w = state[3]! ^ mix[3]!;
  moved[20] = (w << 1) | (w >>> 31);
  w = state[14]! ^ mix[4]!;
  moved[22] = (w << 3) | (w >>> 29);
  w = state[27]! ^ mix[7]!;
  moved[24] = (w << 13) | (w >>> 19);
  w = state[38]! ^ mix[8]!;
  moved[26] = (w << 4) | (w >>> 28);
  w = state[40]! ^ mix[0]!;
  moved[28] = (w << 9) | (w >>> 23);
  w = state[9]! ^ mix[9]!;
  moved[30] = (w << 14) | (w >>> 18);
  w = state[10]! ^ mix[0]!;
  moved[32] = (w << 18) | (w >>> 14);
  w = state[22]! ^ mix[2]!;
  moved[34] = (w << 5) | (w >>> 27);
  w = state[35]! ^ mix[5]!;
  moved[36] = (w << 8) | (w >>> 24);
  w = state[46]! ^ mix[6]!;
  moved[38] = (w << 28) | (w >>> 4);
  w = state[4]! ^ mix[4]!;
  moved[40] = (w << 31) | (w >>> 1);
  w = state[17]! ^ mix[7]!;
  moved[42] = (w << 28) | (w >>> 4);
  w = state[29]! ^ mix[9]!;
  moved[44] = (w << 20) | (w >>> 12);
  w = state[31]! ^ mix[1]!;
  moved[46] = (w << 21) | (w >>> 11);
  w = state[42]! ^ mix[2]!;
  moved[48] = (w << 1) | (w >>> 31);
}

/** As {@link moveEvenBits}, for the words of odd bits. */
function moveOddBits(): void {
  let w = 0;
  moved[1] = state[1]! ^ mix[1]!;
  w = state[13]! ^ mix[3]!;
  moved[3] = (w << 22) | (w >>> 10);
  w = state[24]! ^ mix[4]!;
  moved[5] = (w << 21) | (w >>> 11);
  w = state[36]! ^ mix[6]!;
  moved[7] = (w << 10) | (w >>> 22);
  w = state[49]! ^ mix[9]!;
  moved[9] = (w << 7) | (w >>> 25);
  w = state[7]! ^ mix[7]!;
  moved[11] = (w << 14) | (w >>> 18);
  w = state[19]! ^ mix[9]!;
  moved[13] = (w << 10) | (w >>> 22);
  w = state[20]! ^ mix[0]!;
  moved[15] = (w << 1) | (w >>> 31);
  w = state[32]! ^ mix[2]!;
  moved[17] = (w << 22) | (w >>> 10);
  w = state[44]! ^ mix[4]!;
  moved[19] = (w << 30) | (w >>> 2);
  moved[21] = state[2]! ^ mix[2]!;
  w = state[15]! ^ mix[5]!;
  moved[23] = (w << 3) | (w >>> 29);
  w = state[26]! ^ mix[6]!;
  moved[25] = (w << 12) | (w >>> 20);
  w = state[39]! ^ mix[9]!;
  moved[27] = (w << 4) | (w >>> 28);
  w = state[41]! ^ mix[1]!;
  moved[29] = (w << 9) | (w >>> 23);
  w = state[8]! ^ mix[8]!;
  moved[31] = (w << 13) | (w >>> 19);
  w = state[11]! ^ mix[1]!;
  moved[33] = (w << 18) | (w >>> 14);
  w = state[23]! ^ mix[3]!;
  moved[35] = (w << 5) | (w >>> 27);
  w = state[34]! ^ mix[4]!;
  moved[37] = (w << 7) | (w >>> 25);
  w = state[47]! ^ mix[7]!;
  moved[39] = (w << 28) | (w >>> 4);
  w = state[5]! ^ mix[5]!;
  moved[41] = (w << 31) | (w >>> 1);
  w = state[16]! ^ mix[6]!;
  moved[43] = (w << 27) | (w >>> 5);
  w = state[28]! ^ mix[8]!;
  moved[45] = (w << 19) | (w >>> 13);
  w = state[30]! ^ mix[0]!;
  moved[47] = (w << 20) | (w >>> 12);
  w = state[43]! ^ mix[3]!;
  moved[49] = (w << 1) | (w >>> 31);
}

function chi(): void {
  for (let plane = 0; plane < 50; plane += 10) {
    for (let at = plane; at < plane + 2; at++) {
      const b0 = moved[at]!;
      const b1 = moved[at + 2]!;
      const b2 = moved[at + 4]!;
      const b3 = moved[at + 6]!;
      const b4 = moved[at + 8]!;
      state[at] = b0 ^ (~b1 & b2);
      state[at + 2] = b1 ^ (~b2 & b3);
      state[at + 4] = b2 ^ (~b3 & b4);
      state[at + 6] = b3 ^ (~b4 & b0);
      state[at + 8] = b4 ^ (~b0 & b1);
    }
  }
}
