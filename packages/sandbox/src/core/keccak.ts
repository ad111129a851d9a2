/*
 * Keccak-256 as Ethereum uses it for the checksum of addresses: FIPS 202 with the older padding.
 * The sandbox creates few addresses, so readable code comes before speed.
 */

const LANE_BYTES = 8;
const BLOCK_BYTES = 136;
const DIGEST_BYTES = 32;
const LANE_MASK = (1n << 64n) - 1n;

// biome-ignore format: five lanes a line, as they lie
const TURNS = [
  0n, 1n, 62n, 28n, 27n,
  36n, 44n, 6n, 55n, 20n,
  3n, 10n, 43n, 25n, 39n,
  41n, 45n, 15n, 21n, 8n,
  18n, 2n, 61n, 56n, 14n,
];

// biome-ignore format: four rounds a line
const ROUND_CONSTANTS = [
  0x1n, 0x8082n, 0x800000000000808an, 0x8000000080008000n,
  0x808bn, 0x80000001n, 0x8000000080008081n, 0x8000000000008009n,
  0x8an, 0x88n, 0x80008009n, 0x8000000an,
  0x8000808bn, 0x800000000000008bn, 0x8000000000008089n, 0x8000000000008003n,
  0x8000000000008002n, 0x8000000000000080n, 0x800an, 0x800000008000000an,
  0x8000000080008081n, 0x8000000000008080n, 0x80000001n, 0x8000000080008008n,
];

/** 25 lanes of 64 bits. The lane (x, y) has the index x + 5 * y. */
type Lanes = readonly bigint[];

export function keccak256(message: Buffer): Buffer {
  const padded = pad(message);
  let lanes: Lanes = Array.from({ length: 25 }, () => 0n);
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) {
    const block = padded.subarray(at, at + BLOCK_BYTES);
    const absorbed = lanes.map((lane, index) => lane ^ laneOf(block, index));
    lanes = ROUND_CONSTANTS.reduce(round, absorbed);
  }
  const digest = Buffer.alloc(DIGEST_BYTES);
  for (let index = 0; index < DIGEST_BYTES / LANE_BYTES; index += 1) {
    digest.writeBigUInt64LE(lanes[index] ?? 0n, index * LANE_BYTES);
  }
  return digest;
}

function pad(message: Buffer): Buffer {
  const blocks = Math.floor(message.length / BLOCK_BYTES) + 1;
  const padded = Buffer.alloc(blocks * BLOCK_BYTES);
  message.copy(padded);
  padded.writeUInt8(0x01, message.length);
  padded.writeUInt8(padded.readUInt8(padded.length - 1) | 0x80, padded.length - 1);
  return padded;
}

const laneOf = (block: Buffer, index: number): bigint =>
  index < BLOCK_BYTES / LANE_BYTES ? block.readBigUInt64LE(index * LANE_BYTES) : 0n;

/** One round: the steps theta, rho and pi, chi, and iota. */
function round(lanes: Lanes, constant: bigint): Lanes {
  const at = (x: number, y: number): bigint => lanes[(x % 5) + 5 * (y % 5)] ?? 0n;
  const column = (x: number): bigint => at(x, 0) ^ at(x, 1) ^ at(x, 2) ^ at(x, 3) ^ at(x, 4);
  const moved = Array.from({ length: 25 }, () => 0n);
  lanes.forEach((lane, index) => {
    const [x, y] = [index % 5, Math.floor(index / 5)];
    const changed = lane ^ column(x + 4) ^ turn(column(x + 1), 1n);
    moved[y + 5 * ((2 * x + 3 * y) % 5)] = turn(changed, TURNS[index] ?? 0n);
  });
  return moved.map((lane, index) => {
    const row = index - (index % 5);
    const next = moved[row + ((index + 1) % 5)] ?? 0n;
    const nextButOne = moved[row + ((index + 2) % 5)] ?? 0n;
    const mixed = lane ^ (~next & LANE_MASK & nextButOne);
    return index === 0 ? mixed ^ constant : mixed;
  });
}

const turn = (lane: bigint, bits: bigint): bigint =>
  ((lane << bits) | (lane >> (64n - bits))) & LANE_MASK;
