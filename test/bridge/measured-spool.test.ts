import { expect, it } from '@jest/globals';
import { measuredSpool } from '../../src/bridge/measured-spool.ts';
import { createSpool } from '../../src/store/webhooks/spool.ts';
import { openTestStore, START_MS } from './support/bridge-fakes.ts';
import { accessTo } from '../../src/store/database/decide.ts';

it('measures the time from the arrival of a webhook to its end, each once', async () => {
  const store = await openTestStore();
  const plain = createSpool(accessTo(store.db));
  const ends: [string, number][] = [];
  const spool = measuredSpool(plain, ({ state, receivedAtMs, endedAtMs }) =>
    ends.push([state, endedAtMs - receivedAtMs]),
  );
  await spool.append(Buffer.from('{}'), START_MS);
  await spool.append(Buffer.from('{"a":1}'), START_MS + 100);
  const seqs = (await spool.next(10)).map(({ seq }) => seq);
  await spool.settle(seqs, { state: 'FORWARDED', atMs: START_MS + 300 });
  await spool.settle(seqs, { state: 'FORWARDED', atMs: START_MS + 900 });
  expect(ends).toEqual([
    ['FORWARDED', 300],
    ['FORWARDED', 200],
  ]);
  expect(measuredSpool(plain, undefined)).toBe(plain);
  await store.close();
});
