/** Reads a byte at an index that the caller knows to be inside the array. */
export const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] as number;
