/** Reads a byte at an index that lies inside the array; the caller guarantees it. */
export const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] as number;
