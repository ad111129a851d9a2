/** Gathers the chunks of a body up to a limit. */
export type BodyCollector = Readonly<{
  /** Adds the chunk. Returns false, and drops the chunk, when it would pass the limit. */
  add(chunk: Uint8Array): boolean;
  bytes(): Buffer;
}>;

export function createBodyCollector(sizeBytesMax: number): BodyCollector {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    add(chunk) {
      if (sizeBytes + chunk.length > sizeBytesMax) return false;
      chunks.push(chunk);
      sizeBytes += chunk.length;
      return true;
    },
    bytes: () => Buffer.concat(chunks),
  };
}
