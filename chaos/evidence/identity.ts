import { createHash } from 'node:crypto';

type Named = Readonly<{ account: string; batchId: string; chunk: number; generation: number }>;

/**
 * The idempotency key of a chunk, worked out once more, apart from the engine: the start of a SHA-256 over its identity, in the
 * shape of a UUID of version 4.
 */
export function keyOf({ account, batchId, chunk, generation }: Named): string {
  const identity = ['payout-key/v1', account, batchId, chunk, generation].join('|');
  const bytes = createHash('sha256').update(identity).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
