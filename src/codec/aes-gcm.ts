import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/**
 * The nonce size that GCM is designed for. Nonces are random, so that processes can share a key.
 */
const NONCE_SIZE_BYTES = 12;
/** The full tag. Node.js also accepts a tag of four bytes, which an attacker can guess. */
const TAG_SIZE_BYTES = 16;

/**
 * A key of 32 bytes with its context (the additional authenticated data of GCM).
 * The context is not stored. Decryption needs the same context as encryption.
 */
export type EncryptionKey = Readonly<{ key: Uint8Array; context: string }>;

/** Encrypts bytes. Returns nonce, ciphertext and tag in one array. */
export function encryptBytes(
  { key, context: boundTo }: EncryptionKey,
  plain: Uint8Array,
): Uint8Array {
  const nonce = randomBytes(NONCE_SIZE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_SIZE_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Whether the bytes are long enough for a nonce and a tag. */
export const hasNonceAndTag = (encrypted: Uint8Array): boolean =>
  encrypted.length >= NONCE_SIZE_BYTES + TAG_SIZE_BYTES;

/** Decrypts bytes. Returns undefined when the key, the context or any byte differs. */
export function decryptBytes(
  { key, context: boundTo }: EncryptionKey,
  encrypted: Uint8Array,
): Uint8Array | undefined {
  if (!hasNonceAndTag(encrypted)) return undefined;
  const tagAt = encrypted.length - TAG_SIZE_BYTES;
  const nonce = encrypted.subarray(0, NONCE_SIZE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_SIZE_BYTES });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(encrypted.subarray(tagAt));
  const plain = decipher.update(encrypted.subarray(NONCE_SIZE_BYTES, tagAt));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    // The tag does not match. The decrypted bytes must not leave this function then.
    return undefined;
  }
}
