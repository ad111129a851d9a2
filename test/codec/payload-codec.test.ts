import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Payload } from '@temporalio/common';
import fc from 'fast-check';
import { openPayloadKeys } from '../../src/codec/payload-keys.ts';
import { codecWithoutKeys, createPayloadCodec } from '../../src/codec/payload-codec.ts';
import { encryptBytes, decryptBytes } from '../../src/codec/aes-gcm.ts';
import type { KeyRing, RingKey } from '../../src/config.ts';

const CANARY = 'canary-of-a-payload';

const key = (id: string): RingKey => ({ id, key: randomBytes(32) });
const OLD = key('old');
const NEW = key('new');

const codecOf = (ring: KeyRing, namespace = 'pay') =>
  createPayloadCodec({ keys: openPayloadKeys(() => ring), file: 'ring', namespace });

const payloadOf = (text: string): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(text),
});

const codec = codecOf([OLD]);

async function encrypted(text = CANARY): Promise<Payload> {
  const [payload] = await codec.encode([payloadOf(text)]);
  if (payload === undefined) throw new Error('nothing was encrypted');
  return payload;
}

const textOf = (payload: Payload | undefined): string =>
  Buffer.from(payload?.data ?? []).toString('utf8');
const metadataOf = ({ metadata }: Payload) =>
  Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );

/** Returns the payload with other bytes. */
const changed = (payload: Payload, data: Uint8Array): Payload => ({ ...payload, data });
const renamed = (payload: Payload, name: string, value: string): Payload => ({
  ...payload,
  metadata: { ...payload.metadata, [name]: Buffer.from(value) },
});

describe('the codec', () => {
  it('decodes every payload to its original', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const payloads = fc.array(
      fc.record({
        metadata: fc.dictionary(fc.stringMatching(/^[a-z-]{1,9}$/), bytes),
        data: bytes,
      }),
    );
    await fc.assert(
      fc.asyncProperty(payloads, async (given) => {
        const back = await codec.decode(await codec.encode(given));
        const plain = (list: readonly Payload[]) =>
          list.map(({ metadata, data }) => ({
            metadata: Object.entries(metadata ?? {})
              .map(([name, value]) => `${name}=${Buffer.from(value).toString('hex')}`)
              .sort(),
            data: Buffer.from(data ?? []).toString('hex'),
          }));
        expect(plain(back)).toEqual(plain(given));
      }),
    );
  });

  it('shows the key and the namespace, and nothing of the payload', async () => {
    const payload = await encrypted();
    expect(metadataOf(payload)).toEqual({
      encoding: 'binary/encrypted',
      'encryption-key-id': 'old',
      'encryption-namespace': 'pay',
    });
    expect(textOf(payload)).not.toContain(CANARY);
    expect(textOf(payload)).not.toContain('json/plain');
  });

  it('never encrypts the same payload twice to the same bytes', async () => {
    expect((await encrypted()).data).not.toEqual((await encrypted()).data);
  });

  it('passes payloads that were written before the first key', async () => {
    const plain = payloadOf('{}');
    expect(await codec.decode([plain, await encrypted()])).toMatchObject([
      plain,
      payloadOf(CANARY),
    ]);
  });
});

describe('a payload is refused', () => {
  const refusal = (reason: string) => ({
    code: 'CODEC_PAYLOAD_REFUSED',
    facts: { keyId: 'old', reason },
  });

  it('when any one bit of it differs', async () => {
    const payload = await encrypted();
    const data = Buffer.from(payload.data ?? []);
    for (let at = 0; at < data.length; at += 1) {
      const flipped = Buffer.from(data);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await expect(codec.decode([changed(payload, flipped)])).rejects.toMatchObject(
        refusal('its authentication tag does not match'),
      );
    }
  });

  it('when it was cut off anywhere', async () => {
    const payload = await encrypted();
    const data = payload.data ?? new Uint8Array();
    for (let length = 0; length < data.length; length += 1) {
      const reason = length < 28 ? 'it is too short' : 'its authentication tag does not match';
      const cut = changed(payload, data.subarray(0, length));
      await expect(codec.decode([cut])).rejects.toMatchObject(refusal(reason));
    }
  });

  it('when its tag has four bytes, which Node.js accepts', async () => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', OLD.key, nonce, { authTagLength: 4 });
    cipher.setAAD(Buffer.from('bursar.payload/1\npay'));
    const body = Buffer.concat([cipher.update(Buffer.alloc(40)), cipher.final()]);
    const short = Buffer.concat([nonce, body, cipher.getAuthTag()]);
    await expect(codec.decode([changed(await encrypted(), short)])).rejects.toMatchObject(
      refusal('its authentication tag does not match'),
    );
  });

  it('when it was encrypted for another namespace, also with a forged name', async () => {
    const payload = await encrypted();
    const elsewhere = codecOf([OLD], 'test');
    await expect(elsewhere.decode([payload])).rejects.toMatchObject({
      code: 'CODEC_OTHER_NAMESPACE',
      facts: { namespace: 'test', foreign: 'pay' },
    });
    const disguised = renamed(payload, 'encryption-namespace', 'test');
    await expect(elsewhere.decode([disguised])).rejects.toMatchObject(
      refusal('its authentication tag does not match'),
    );
  });

  it('when its key is not in the ring, and the error names the key and the file', async () => {
    await expect(codecOf([NEW]).decode([await encrypted()])).rejects.toMatchObject({
      code: 'CODEC_KEY_UNKNOWN',
      facts: { keyId: 'old', file: 'ring' },
    });
  });

  it('when another key has the same name', async () => {
    const impostor = codecOf([{ ...NEW, id: 'old' }]);
    await expect(impostor.decode([await encrypted()])).rejects.toMatchObject(
      refusal('its authentication tag does not match'),
    );
  });

  it('by a process without a key ring, with KEY_RING_MISSING', async () => {
    await expect(codecWithoutKeys.decode([await encrypted()])).rejects.toMatchObject({
      code: 'KEY_RING_MISSING',
      facts: { keyId: 'old' },
    });
    const plain = [payloadOf('{}')];
    expect(await codecWithoutKeys.decode(await codecWithoutKeys.encode(plain))).toEqual(plain);
  });

  it('without repeating forged metadata', async () => {
    const forged = 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34 was paid!';
    const payload = await encrypted();
    for (const name of ['encryption-key-id', 'encryption-namespace']) {
      await expect(codec.decode([renamed(payload, name, forged)])).rejects.not.toThrow(forged);
    }
  });
});

describe('a key ring that changes', () => {
  it('encrypts with its first key and decrypts with all', async () => {
    const rotated = codecOf([NEW, OLD]);
    const [fresh] = await rotated.encode([payloadOf('2')]);
    expect(metadataOf(fresh ?? {})['encryption-key-id']).toBe('new');
    const both = await rotated.decode([await encrypted('1'), fresh ?? {}]);
    expect(both.map(textOf)).toEqual(['1', '2']);
  });

  it('is read again when a payload names a missing key', async () => {
    let ring: KeyRing = [OLD];
    const running = createPayloadCodec({
      keys: openPayloadKeys(() => ring),
      file: 'ring',
      namespace: 'pay',
    });
    const [before] = await running.encode([payloadOf('1')]);
    ring = [NEW, OLD];
    expect(metadataOf((await running.encode([payloadOf('1')]))[0] ?? {})['encryption-key-id']).toBe(
      'old',
    );
    const others = await codecOf([NEW, OLD]).encode([payloadOf('2')]);
    expect((await running.decode([before ?? {}, ...others])).map(textOf)).toEqual(['1', '2']);
    const [after] = await running.encode([payloadOf('3')]);
    expect(metadataOf(after ?? {})['encryption-key-id']).toBe('new');
  });
});

it('encrypted bytes need the same key and the same context', () => {
  const encryptionKey = { key: OLD.key, context: 'a' };
  const encryptedBytes = encryptBytes(encryptionKey, Buffer.from(CANARY));
  expect(Buffer.from(decryptBytes(encryptionKey, encryptedBytes) ?? []).toString()).toBe(CANARY);
  expect(decryptBytes({ ...encryptionKey, key: NEW.key }, encryptedBytes)).toBeUndefined();
  expect(decryptBytes({ ...encryptionKey, context: 'b' }, encryptedBytes)).toBeUndefined();
});
