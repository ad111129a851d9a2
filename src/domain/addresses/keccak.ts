// oxlint-disable typescript/no-non-null-assertion -- arithmetic on arrays of fixed size; every index is inside
/*
 * The permutation Keccak-f[1600] of FIPS 202, which EIP-55 needs once per address.
 * Each 64-bit lane is kept as two words, one of its even and one of its odd bits, because turning a lane is then turning
 * two words. The steps are written out, not looped over tables, which makes them five times as fast: a file may hold a
 * million addresses. A property test compares the result with @noble/hashes.
 */

/** The 25 lanes: word `2 * lane` holds the even bits, word `2 * lane + 1` the odd bits. */
const lanes = new Int32Array(50);
export const state = lanes;

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
    lanes[0]! ^= ROUND_CONSTANTS[round]!;
    lanes[1]! ^= ROUND_CONSTANTS[round + 1]!;
  }
}

/** Finds what each column is changed by; the change itself is made while the lanes move. */
function theta(): void {
  const c0 = lanes[0]! ^ lanes[10]! ^ lanes[20]! ^ lanes[30]! ^ lanes[40]!;
  const c1 = lanes[1]! ^ lanes[11]! ^ lanes[21]! ^ lanes[31]! ^ lanes[41]!;
  const c2 = lanes[2]! ^ lanes[12]! ^ lanes[22]! ^ lanes[32]! ^ lanes[42]!;
  const c3 = lanes[3]! ^ lanes[13]! ^ lanes[23]! ^ lanes[33]! ^ lanes[43]!;
  const c4 = lanes[4]! ^ lanes[14]! ^ lanes[24]! ^ lanes[34]! ^ lanes[44]!;
  const c5 = lanes[5]! ^ lanes[15]! ^ lanes[25]! ^ lanes[35]! ^ lanes[45]!;
  const c6 = lanes[6]! ^ lanes[16]! ^ lanes[26]! ^ lanes[36]! ^ lanes[46]!;
  const c7 = lanes[7]! ^ lanes[17]! ^ lanes[27]! ^ lanes[37]! ^ lanes[47]!;
  const c8 = lanes[8]! ^ lanes[18]! ^ lanes[28]! ^ lanes[38]! ^ lanes[48]!;
  const c9 = lanes[9]! ^ lanes[19]! ^ lanes[29]! ^ lanes[39]! ^ lanes[49]!;
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
  moved[0] = lanes[0]! ^ mix[0]!;
  w = lanes[12]! ^ mix[2]!;
  moved[2] = (w << 22) | (w >>> 10);
  w = lanes[25]! ^ mix[5]!;
  moved[4] = (w << 22) | (w >>> 10);
  w = lanes[37]! ^ mix[7]!;
  moved[6] = (w << 11) | (w >>> 21);
  w = lanes[48]! ^ mix[8]!;
  moved[8] = (w << 7) | (w >>> 25);
  w = lanes[6]! ^ mix[6]!;
  moved[10] = (w << 14) | (w >>> 18);
  w = lanes[18]! ^ mix[8]!;
  moved[12] = (w << 10) | (w >>> 22);
  w = lanes[21]! ^ mix[1]!;
  moved[14] = (w << 2) | (w >>> 30);
  w = lanes[33]! ^ mix[3]!;
  moved[16] = (w << 23) | (w >>> 9);
  w = lanes[45]! ^ mix[5]!;
  moved[18] = (w << 31) | (w >>> 1);
  w = lanes[3]! ^ mix[3]!;
  moved[20] = (w << 1) | (w >>> 31);
  w = lanes[14]! ^ mix[4]!;
  moved[22] = (w << 3) | (w >>> 29);
  w = lanes[27]! ^ mix[7]!;
  moved[24] = (w << 13) | (w >>> 19);
  w = lanes[38]! ^ mix[8]!;
  moved[26] = (w << 4) | (w >>> 28);
  w = lanes[40]! ^ mix[0]!;
  moved[28] = (w << 9) | (w >>> 23);
  w = lanes[9]! ^ mix[9]!;
  moved[30] = (w << 14) | (w >>> 18);
  w = lanes[10]! ^ mix[0]!;
  moved[32] = (w << 18) | (w >>> 14);
  w = lanes[22]! ^ mix[2]!;
  moved[34] = (w << 5) | (w >>> 27);
  w = lanes[35]! ^ mix[5]!;
  moved[36] = (w << 8) | (w >>> 24);
  w = lanes[46]! ^ mix[6]!;
  moved[38] = (w << 28) | (w >>> 4);
  w = lanes[4]! ^ mix[4]!;
  moved[40] = (w << 31) | (w >>> 1);
  w = lanes[17]! ^ mix[7]!;
  moved[42] = (w << 28) | (w >>> 4);
  w = lanes[29]! ^ mix[9]!;
  moved[44] = (w << 20) | (w >>> 12);
  w = lanes[31]! ^ mix[1]!;
  moved[46] = (w << 21) | (w >>> 11);
  w = lanes[42]! ^ mix[2]!;
  moved[48] = (w << 1) | (w >>> 31);
}

/** As {@link moveEvenBits}, for the words of odd bits. */
function moveOddBits(): void {
  let w = 0;
  moved[1] = lanes[1]! ^ mix[1]!;
  w = lanes[13]! ^ mix[3]!;
  moved[3] = (w << 22) | (w >>> 10);
  w = lanes[24]! ^ mix[4]!;
  moved[5] = (w << 21) | (w >>> 11);
  w = lanes[36]! ^ mix[6]!;
  moved[7] = (w << 10) | (w >>> 22);
  w = lanes[49]! ^ mix[9]!;
  moved[9] = (w << 7) | (w >>> 25);
  w = lanes[7]! ^ mix[7]!;
  moved[11] = (w << 14) | (w >>> 18);
  w = lanes[19]! ^ mix[9]!;
  moved[13] = (w << 10) | (w >>> 22);
  w = lanes[20]! ^ mix[0]!;
  moved[15] = (w << 1) | (w >>> 31);
  w = lanes[32]! ^ mix[2]!;
  moved[17] = (w << 22) | (w >>> 10);
  w = lanes[44]! ^ mix[4]!;
  moved[19] = (w << 30) | (w >>> 2);
  moved[21] = lanes[2]! ^ mix[2]!;
  w = lanes[15]! ^ mix[5]!;
  moved[23] = (w << 3) | (w >>> 29);
  w = lanes[26]! ^ mix[6]!;
  moved[25] = (w << 12) | (w >>> 20);
  w = lanes[39]! ^ mix[9]!;
  moved[27] = (w << 4) | (w >>> 28);
  w = lanes[41]! ^ mix[1]!;
  moved[29] = (w << 9) | (w >>> 23);
  w = lanes[8]! ^ mix[8]!;
  moved[31] = (w << 13) | (w >>> 19);
  w = lanes[11]! ^ mix[1]!;
  moved[33] = (w << 18) | (w >>> 14);
  w = lanes[23]! ^ mix[3]!;
  moved[35] = (w << 5) | (w >>> 27);
  w = lanes[34]! ^ mix[4]!;
  moved[37] = (w << 7) | (w >>> 25);
  w = lanes[47]! ^ mix[7]!;
  moved[39] = (w << 28) | (w >>> 4);
  w = lanes[5]! ^ mix[5]!;
  moved[41] = (w << 31) | (w >>> 1);
  w = lanes[16]! ^ mix[6]!;
  moved[43] = (w << 27) | (w >>> 5);
  w = lanes[28]! ^ mix[8]!;
  moved[45] = (w << 19) | (w >>> 13);
  w = lanes[30]! ^ mix[0]!;
  moved[47] = (w << 20) | (w >>> 12);
  w = lanes[43]! ^ mix[3]!;
  moved[49] = (w << 1) | (w >>> 31);
}

function chi(): void {
  for (let plane = 0; plane < 50; plane += 10) {
    chiOf(plane);
    chiOf(plane + 1);
  }
}

function chiOf(at: number): void {
  const b0 = moved[at]!;
  const b1 = moved[at + 2]!;
  const b2 = moved[at + 4]!;
  const b3 = moved[at + 6]!;
  const b4 = moved[at + 8]!;
  lanes[at] = b0 ^ (~b1 & b2);
  lanes[at + 2] = b1 ^ (~b2 & b3);
  lanes[at + 4] = b2 ^ (~b3 & b4);
  lanes[at + 6] = b3 ^ (~b4 & b0);
  lanes[at + 8] = b4 ^ (~b0 & b1);
}
