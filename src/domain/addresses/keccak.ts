import {
  add,
  and,
  assemble,
  assign,
  constant,
  local,
  loop,
  not,
  setWord,
  turnedLeft,
  word,
  xor,
} from './wasm.ts';

/*
 * The permutation Keccak-f[1600] of FIPS 202, which EIP-55 needs once per address. Its 25 lanes have 64 bits each, so its
 * steps are written as WebAssembly: a file may hold a million addresses, and arithmetic on halves of lanes takes three
 * times as long. A property test compares the result with @noble/hashes.
 */

const LANES = Array.from({ length: 25 }, (_, lane) => lane);
const LANE_BYTES = 8;
const FIVE = [0, 1, 2, 3, 4];

/** Bytes of the state that take up a block of the message, in Keccak-256. */
export const BLOCK_BYTES = 136;

// biome-ignore format: five lanes a line, as they lie
const TURNS = [
  0, 1, 62, 28, 27,
  36, 44, 6, 55, 20,
  3, 10, 43, 25, 39,
  41, 45, 15, 21, 8,
  18, 2, 61, 56, 14,
];

// biome-ignore format: four rounds a line
const ROUND_CONSTANTS = BigUint64Array.of(
  0x1n, 0x8082n, 0x800000000000808an, 0x8000000080008000n,
  0x808bn, 0x80000001n, 0x8000000080008081n, 0x8000000000008009n,
  0x8an, 0x88n, 0x80008009n, 0x8000000an,
  0x8000808bn, 0x800000000000008bn, 0x8000000000008089n, 0x8000000000008003n,
  0x8000000000008002n, 0x8000000000000080n, 0x800an, 0x800000008000000an,
  0x8000000080008081n, 0x8000000000008080n, 0x80000001n, 0x8000000080008008n,
);

/* The locals: lanes, lanes that have moved, sums of columns, what columns are changed by, and the round. */
const [A, B, C, D, ROUND, LOCALS] = [0, 25, 50, 55, 60, 61] as const;

const laneAt = (x: number, y: number): number => (x % 5) + 5 * (y % 5);
const placeOf = (lane: number): readonly [number, number] => [lane % 5, Math.floor(lane / 5)];

const theta = [
  ...FIVE.flatMap((x) => {
    const column = FIVE.map((y) => local(A + laneAt(x, y)));
    return assign(C + x, column.reduce(xor));
  }),
  ...FIVE.flatMap((x) => {
    const [before, after] = [local(C + ((x + 4) % 5)), local(C + ((x + 1) % 5))];
    return assign(D + x, xor(before, turnedLeft(after, 1)));
  }),
];

const rhoAndPi = LANES.flatMap((lane) => {
  const [x, y] = placeOf(lane);
  const changed = xor(local(A + lane), local(D + x));
  return assign(B + laneAt(y, 2 * x + 3 * y), turnedLeft(changed, TURNS[lane] ?? 0));
});

const chi = LANES.flatMap((lane) => {
  const [x, y] = placeOf(lane);
  const [next, nextButOne] = [local(B + laneAt(x + 1, y)), local(B + laneAt(x + 2, y))];
  return assign(A + lane, xor(local(B + lane), and(not(next), nextButOne)));
});

/** The round constants follow the lanes in memory. */
const iota = assign(A, xor(local(A), word(add(constant(LANES.length), local(ROUND)))));

const { memory, run } = assemble(
  [
    ...LANES.flatMap((lane) => assign(A + lane, word(constant(lane)))),
    ...loop(ROUND, ROUND_CONSTANTS.length, [...theta, ...rhoAndPi, ...chi, ...iota]),
    ...LANES.flatMap((lane) => setWord(constant(lane), local(A + lane))),
  ],
  LOCALS,
);
new BigUint64Array(memory).set(ROUND_CONSTANTS, LANES.length);

/** The bytes of all lanes, in the order of FIPS 202. */
export const state = new Uint8Array(memory, 0, LANES.length * LANE_BYTES);

/** Permutes {@link state} in place. */
export const keccakF = run;
