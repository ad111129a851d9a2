import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Names one create request for ever: the same parts lead to the same key, even when every history is lost. */
export type ChunkIdentity = Readonly<{
  account: string;
  batchId: string;
  chunk: number;
  /** 0 for the first send of a batch's rows; counts resends. */
  generation: number;
}>;

/**
 * The idempotency key of a chunk: a UUID derived from its identity, never from its content. Other content under one key
 * is a local error; another key for the same content would be a second payout.
 */
export function idempotencyKeyOf({ account, batchId, chunk, generation }: ChunkIdentity): string {
  const parts = ['payout-key/v1', account, batchId, String(chunk), String(generation)];
  return uuidOf(sha256(utf8ToBytes(parts.join('|'))));
}

/** What people find a mass payout by, in the service and in our reports. */
export const externalIdOf = ({
  batchId,
  chunk,
  generation,
}: Omit<ChunkIdentity, 'account'>): string => `${batchId}/${chunk}/${generation}`;

/** Letters without l, o, u and i, so that a code stays the same when it is read aloud or copied by hand. */
const CODE_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 8;

/** A short name of a batch for row tags: 40 bits of a hash, unique in a store (it refuses a second use). */
export function batchCodeOf(account: string, batchId: string): string {
  const hash = sha256(utf8ToBytes(`row-tag/v1|${account}|${batchId}`));
  let code = '';
  for (let i = 0; i < CODE_LENGTH; i += 1) code += CODE_LETTERS[(hash[i] ?? 0) % 32];
  return code;
}

export const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** Shapes 16 bytes as a version 4 UUID: some services accept no other version, and the spec only has "uuid". */
function uuidOf(hash: Uint8Array): string {
  const bytes = hash.slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytesToHex(bytes);
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-');
}
