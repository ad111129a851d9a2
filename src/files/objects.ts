/** Bytes that are read once, from start to end. */
export type OpenObject = Readonly<{
  sizeBytes: number;
  blocks: AsyncIterable<Buffer>;
  /** Ends the reading, also before the last byte. */
  close(): Promise<void>;
}>;

/** An object of a listing. */
export type ObjectEntry = Readonly<{ path: string; sizeBytes: number; changedAtMs: number }>;

/** `always`: an earlier object of the path is replaced. `once`: it stays, and the write is refused. */
export type WriteMode = 'always' | 'once';

/**
 * Objects by their paths, in a folder or in a bucket. An object appears whole or not at all, and other programs see each
 * write at once. The parts of a path are separated by slashes.
 */
export interface ObjectEngine {
  /** Writes an object. Returns false when `once` was wanted and the path has an object. Throws what `blocks` throws. */
  write(path: string, blocks: AsyncIterable<Buffer>, mode: WriteMode): Promise<boolean>;
  /** Opens an object; undefined when there is none. */
  read(path: string): Promise<OpenObject | undefined>;
  /** The size of an object in bytes; undefined when there is none. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Removes an object. Where there is none, nothing happens. */
  remove(path: string): Promise<void>;
  /** The objects directly below a path, in any order. A path without objects has none. */
  list(prefix: string): AsyncIterable<ObjectEntry>;
}
