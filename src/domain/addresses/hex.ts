import { byteAt } from './byte-at.ts';

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Small hexadecimal digits of the bytes from `start` up to `end`. */
export function hexOf(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += HEX_OF_BYTE[byteAt(bytes, i)] ?? '';
  return text;
}
