import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { clearValue } from '../domain/encryption/clear-value.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { Keys } from './keys.ts';
import { isWhole, seal, unseal } from './seal.ts';

/** The word by which all of Temporal's tools know an encrypted payload. */
const ENCODING = 'binary/encrypted';
const JSON_ENCODING = 'json/plain';
/** Changes when the form of what is encrypted does. */
const FORM = 'bursar.payload/1';

export type CodecOptions = Readonly<{
  keys: Keys;
  /** Where the keys are, for errors. */
  file: string;
  /** What is encrypted for one namespace is refused in any other. */
  namespace: string;
  /** What becomes of payloads in clear: `shown` leaves them as they are, for people; the others mark them, for programs. */
  clear?: 'shown' | 'marked' | 'refused';
}>;

/**
 * Encrypts payloads with AES-256-GCM. A payload in clear never fails to be read, since that would freeze the workflow that
 * has it: programs get it marked, and decide what a mark means (`domain/encryption/clear-value.ts`). Reading throws CODEC_KEY_UNKNOWN, CODEC_OTHER_NAMESPACE, CODEC_PAYLOAD_REFUSED.
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

/** Marks a payload in clear. Ours are JSON, or stand for no value. */
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

/** The codec of a process without keys: what is encrypted is KEY_RING_MISSING, and not the puzzle of a converter. */
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
  throw new BursarError('KEY_RING_MISSING', { keyId: shown(textOf(payload, KEY_ID) ?? '') });
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
    data: seal({ key, boundTo: bound(namespace) }, plain),
  };
}

function decrypt({ keys, namespace, file }: CodecOptions, payload: Payload): Payload {
  const foreign = textOf(payload, NAMESPACE);
  if (foreign !== undefined && foreign !== namespace) {
    throw new BursarError('CODEC_OTHER_NAMESPACE', { namespace, foreign: shown(foreign) });
  }
  const keyId = textOf(payload, KEY_ID) ?? '';
  const found = keys.find(keyId);
  if (found === undefined)
    throw new BursarError('CODEC_KEY_UNKNOWN', { keyId: shown(keyId), file });
  const sealed = payload.data ?? new Uint8Array();
  if (!isWhole(sealed)) throw refused(keyId, 'it is too short');
  const plain = unseal({ key: found.key, boundTo: bound(namespace) }, sealed);
  if (plain === undefined) throw refused(keyId, 'its seal is broken');
  return proto.temporal.api.common.v1.Payload.decode(plain);
}

/** The namespace beside the payload only explains; this is what makes it count. */
const bound = (namespace: string): string => `${FORM}\n${namespace}`;

function textOf({ metadata }: Payload, name: string): string | undefined {
  const bytes = metadata?.[name];
  return bytes === undefined || bytes === null ? undefined : Buffer.from(bytes).toString('utf8');
}

/** Errors go to histories and logs: what a stranger may have written is repeated only when it looks like a name. */
const shown = (name: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(name) ? name : '(no name of ours)';

const refused = (keyId: string, reason: string) =>
  new BursarError('CODEC_PAYLOAD_REFUSED', { keyId, reason });
