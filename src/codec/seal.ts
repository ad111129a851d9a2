import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** What GCM is made for; random, so that processes that know nothing of each other can share a key. */
const NONCE_SIZE_BYTES = 12;
/** The whole tag. Node.js would take one of four bytes, which can be guessed. */
const TAG_SIZE_BYTES = 16;

/** What seals and opens: a key of 32 bytes, and a text that is not kept but must be the same at both times. */
export type SealKey = Readonly<{ key: Uint8Array; boundTo: string }>;

/** Encrypts: nonce, ciphertext and tag in one. */
export function seal({ key, boundTo }: SealKey, plain: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_SIZE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_SIZE_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  const sealed = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed);
}

/** Whether something has all the parts that {@link seal} makes. */
export const isWhole = (sealed: Uint8Array): boolean =>
  sealed.length >= NONCE_SIZE_BYTES + TAG_SIZE_BYTES;

/** Decrypts; answers with undefined when key, text or any byte is another than at sealing, or something is missing. */
export function unseal({ key, boundTo }: SealKey, sealed: Uint8Array): Uint8Array | undefined {
  if (!isWhole(sealed)) return undefined;
  const tagAt = sealed.length - TAG_SIZE_BYTES;
  const nonce = sealed.subarray(0, NONCE_SIZE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_SIZE_BYTES });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(sealed.subarray(tagAt));
  const plain = decipher.update(sealed.subarray(NONCE_SIZE_BYTES, tagAt));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    // Node.js has one error for all of this, and nothing of what was decrypted may leave before it.
    return undefined;
  }
}
