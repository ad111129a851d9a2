/**
 * The part of WebAssembly that arithmetic on words of 64 bits needs; JavaScript computes them in halves. Code is a list
 * of bytes as in the WebAssembly core specification; a value is code that leaves one word.
 */
export type Code = readonly number[];

/** A number from -64 to 63. */
export const constant = (value: number): Code => [0x42, value & 0x7f];
export const local = (index: number): Code => [0x20, index];
export const assign = (index: number, value: Code): Code => [...value, 0x21, index];

export const add = (a: Code, b: Code): Code => [...a, ...b, 0x7c];
export const and = (a: Code, b: Code): Code => [...a, ...b, 0x83];
export const xor = (a: Code, b: Code): Code => [...a, ...b, 0x85];
export const not = (a: Code): Code => xor(a, constant(-1));
export const turnedLeft = (a: Code, bits: number): Code => [...a, ...constant(bits), 0x89];

/** The word at an index of the memory. */
export const word = (index: Code): Code => [...address(index), 0x29, 3, 0];
export const setWord = (index: Code, value: Code): Code => [
  ...address(index),
  ...value,
  ...[0x37, 3, 0],
];
const address = (index: Code): Code => [...index, ...constant(3), 0x86, 0xa7];

/** Runs the body for each value of a local from 0, which it must have before, to below `end`. */
export const loop = (counter: number, end: number, body: Code): Code => [
  ...[0x03, 0x40],
  ...body,
  ...assign(counter, add(local(counter), constant(1))),
  ...[...local(counter), ...constant(end), 0x54, 0x0d, 0],
  0x0b,
];

/** A function that runs the code, with so many locals, which start as 0, and the memory of 64 KiB that it works on. */
export function assemble(
  code: Code,
  locals: number,
): Readonly<{ memory: ArrayBuffer; run: () => void }> {
  const body = [1, locals, 0x7e, ...code, 0x0b];
  const types = [1, 0x60, 0, 0];
  const functions = [1, 0];
  const memories = [1, 0, 1];
  const exported = [2, ...name('memory'), 2, 0, ...name('run'), 0, 0];
  const bytes = Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(3, functions),
    ...section(5, memories),
    ...section(7, exported),
    ...section(10, [1, ...sized(body)]),
  );
  const { memory, run } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  return { memory: memory.buffer, run };
}

const section = (id: number, content: Code): Code => [id, ...sized(content)];

const name = (text: string): Code => sized(Array.from(text, (c) => c.charCodeAt(0)));

/** Code after its length. */
const sized = (code: Code): Code => [...unsigned(code.length), ...code];

/** Groups of seven bits, the lowest first; each but the last is marked. */
const unsigned = (n: number): Code => (n < 128 ? [n] : [(n & 127) | 128, ...unsigned(n >> 7)]);

/** Declared here because the domain is compiled with the types of the language alone. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: { memory: { buffer: ArrayBuffer }; run(): void } };
};
