import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createMerchantClient, type MerchantClient } from '@bursar/merchant-api';
import { SHAPES, type ShapeChoices } from '@bursar/merchant-api/spec';
import {
  answerBytes,
  type RawServer,
  startRawServer,
} from '../../../packages/merchant-api/test/support/raw-server.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import type { Store } from '../../../src/store/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CHUNKS, NOW_MS, sendGroup, storeOfBatch } from '../support/group-of-chunks.ts';

/** As people copy it: with the checksum in its letters. */
const ACCOUNT = '0x52908400098527886E0F7030069857D2E4169EE7';
const NOT_FOUND = '{"traceId":"t","errorCode":"NOT_FOUND","message":"no"}';

/** Every choice that changes the bytes of a create, with a list that has it and one without. */
const COMBINATIONS: readonly ShapeChoices[] = SHAPES.timestampUnit.flatMap((timestampUnit) =>
  SHAPES.accountCase.flatMap((accountCase) =>
    [...SHAPES.accountIn, ['MASS_CREATE'] as const, ['ACCOUNT'] as const].map((accountIn) => ({
      timestampUnit,
      accountCase,
      accountIn,
    })),
  ),
);

const keyIn = (body: string): string => /"idempotencyKey":"([^"]+)"/.exec(body)?.[1] ?? '';

let store: Store;
let server: RawServer;
const clients: MerchantClient[] = [];

beforeEach(async () => {
  store = await storeOfBatch(temporaryFolder());
  await writableDb(store).updateTable('batch').set({ account: ACCOUNT }).execute();
  server = await startRawServer({
    onRequest: (socket, { text, body: sent }) => {
      const isCreate = text.startsWith('POST /api/v1/payout/mass/create ');
      const body = isCreate ? `{"id":"mp-${keyIn(sent)}","state":"CONFIRMED"}` : NOT_FOUND;
      socket.write(answerBytes({ status: isCreate ? 200 : 404, body }));
    },
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await server.close();
  await store.close();
});

it('the hash that is stored before a create is that of its bytes on the wire, in every shape', async () => {
  expect(COMBINATIONS.length).toBeLessThanOrEqual(CHUNKS);
  const bodies: string[] = [];
  for (const [chunk, shapes] of COMBINATIONS.entries()) {
    const api = createMerchantClient({
      baseUrl: server.url,
      key: 'k',
      secret: 's',
      account: ACCOUNT,
      endpoints: { LOOKUP: '' },
      nowMs: () => NOW_MS,
      shapes,
    });
    clients.push(api);
    const service = {
      api,
      baseUrl: 'http://service',
      lookupName: 'http://service',
      account: ACCOUNT,
      pace: () => Promise.resolve(),
    };
    const before = server.requests.length;
    const { send } = await sendGroup(store, { input: { chunks: [chunk] }, deps: { service } });
    expect(await send()).toMatchObject({ created: [chunk], steps: [], failed: [] });
    const created = server.requests.slice(before).filter(({ text }) => text.includes('/create '));
    bodies.push(...created.map(({ body }) => body));
  }
  const attempts = await writableDb(store)
    .selectFrom('attempt')
    .select(['idempotency_key', 'body_sha256'])
    .execute();
  const stored = attempts.map((each) => [each.idempotency_key, each.body_sha256]);
  const hashes = bodies.map((body) => [
    keyIn(body),
    createHash('sha256').update(body).digest('hex'),
  ]);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(hashes));
  expect(hashes).toHaveLength(COMBINATIONS.length);
  expect(bodies.filter((body) => body.includes('"account":'))).toHaveLength(18);
  expect(bodies.filter((body) => body.includes(`"timestamp":${NOW_MS},`))).toHaveLength(15);
});
