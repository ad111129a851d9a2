import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { clearValue } from '../domain/encryption/clear-value.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { PayloadKeys } from './payload-keys.ts';
import { hasNonceAndTag, encryptBytes, decryptBytes } from './aes-gcm.ts';

/** The encoding name by which Temporal's tools recognize an encrypted payload. */
const ENCODING = 'binary/encrypted';
const JSON_ENCODING = 'json/plain';
/** Version of the encrypted format. A change of the format changes it. */
const FORMAT = 'bursar.payload/1';

export type CodecOptions = Readonly<{
  keys: PayloadKeys;
  /** File of the key ring, for errors. */
  file: string;
  /** A payload that was encrypted for another namespace is refused. */
  namespace: string;
  /**
   * How to decode a payload in clear. `shown` returns it unchanged, for people.
   * `marked` and `refused` wrap it in a mark, for programs.
   */
  clear?: 'shown' | 'marked' | 'refused';
}>;

/**
 * Encrypts payloads with AES-256-GCM.
 * Decoding a payload in clear never throws, because an error would stop the workflow for good.
 * Programs receive it with a mark (`domain/encryption/clear-value.ts`).
 * @throws CODEC_KEY_UNKNOWN, CODEC_OTHER_NAMESPACE, CODEC_PAYLOAD_REFUSED from `decode`.
 */
export function createPayloadCodec(options: CodecOptions): PayloadCodec {
  return {
    encode: async (payloads) => payloads.map((payload) => encrypt(options, payload)),
    decode: async (payloads) =>
      payloads.map((payload) =>
        isEncrypted(payload) ? decrypt(options, payload) : markClear(options, payload),
      ),
  };
}

/** Wraps a payload in clear in its mark. Our payloads are JSON, or stand for no value. */
function markClear({ clear = 'shown' }: CodecOptions, payload: Payload): Payload {
  if (clear === 'shown') return payload;
  const isJson = textOf(payload, 'encoding') === JSON_ENCODING;
  const value = isJson ? jsonIn(payload.data) : undefined;
  return {
    metadata: { encoding: Buffer.from(JSON_ENCODING) },
    data: Buffer.from(JSON.stringify(clearValue(clear === 'refused', value))),
  };
}

function jsonIn(data: Payload['data']): unknown {
  try {
    return JSON.parse(Buffer.from(data ?? []).toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The codec of a process without keys. It throws KEY_RING_MISSING for an encrypted payload.
 * Without this codec, the converter would only report an unknown encoding.
 */
export const codecWithoutKeys: PayloadCodec = {
  encode: async (payloads) => payloads,
  decode: async (payloads) => {
    for (const payload of payloads) refuseEncrypted(payload);
    return payloads;
  },
};

/** Throws KEY_RING_MISSING when a payload is encrypted. */
export function refuseEncrypted(payload: Payload): void {
  if (!isEncrypted(payload)) return;
  throw new BursarError('KEY_RING_MISSING', { keyId: safeName(textOf(payload, KEY_ID) ?? '') });
}

const KEY_ID = 'encryption-key-id';
const NAMESPACE = 'encryption-namespace';

const isEncrypted = (payload: Payload): boolean => textOf(payload, 'encoding') === ENCODING;

function encrypt({ keys, namespace }: CodecOptions, payload: Payload): Payload {
  const { id, key } = keys.current();
  const plain = proto.temporal.api.common.v1.Payload.encode(payload).finish();
  return {
    metadata: {
      encoding: Buffer.from(ENCODING),
      [KEY_ID]: Buffer.from(id),
      [NAMESPACE]: Buffer.from(namespace),
    },
    data: encryptBytes({ key, context: contextOf(namespace) }, plain),
  };
}

function decrypt({ keys, namespace, file }: CodecOptions, payload: Payload): Payload {
  const foreign = textOf(payload, NAMESPACE);
  if (foreign !== undefined && foreign !== namespace) {
    throw new BursarError('CODEC_OTHER_NAMESPACE', { namespace, foreign: safeName(foreign) });
  }
  const keyId = textOf(payload, KEY_ID) ?? '';
  const found = keys.find(keyId);
  if (found === undefined)
    throw new BursarError('CODEC_KEY_UNKNOWN', { keyId: safeName(keyId), file });
  const encrypted = payload.data ?? new Uint8Array();
  if (!hasNonceAndTag(encrypted)) throw refused(keyId, 'it is too short');
  const plain = decryptBytes({ key: found.key, context: contextOf(namespace) }, encrypted);
  if (plain === undefined) throw refused(keyId, 'its authentication tag does not match');
  return proto.temporal.api.common.v1.Payload.decode(plain);
}

/**
 * The encryption context: decryption fails when the namespace differs from the one at encryption.
 * The namespace in the metadata is not protected, and serves for the error only.
 */
const contextOf = (namespace: string): string => `${FORMAT}\n${namespace}`;

function textOf({ metadata }: Payload, name: string): string | undefined {
  const bytes = metadata?.[name];
  return bytes === undefined || bytes === null ? undefined : Buffer.from(bytes).toString('utf8');
}

/**
 * Returns a name from the metadata, or a placeholder when it has other characters than our names.
 * Errors go to histories and logs, and an attacker may have written the metadata.
 */
const safeName = (name: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(name) ? name : '(not a name of Bursar)';

const refused = (keyId: string, reason: string) =>
  new BursarError('CODEC_PAYLOAD_REFUSED', { keyId, reason });
