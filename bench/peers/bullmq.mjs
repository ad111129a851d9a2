/** Pays each chunk by a job of BullMQ: `node bullmq.mjs FILE --batch-id ID --server-url URL`. */
import { Queue, Worker } from 'bullmq';
import { drive } from '../../build/bench/batch/drive.js';

const QUEUE = 'chunks';
/** Jobs that are added with one call. */
const JOBS_PER_CALL = 100;

await drive(async (client, inFlight, serverUrl) => {
  const connection = { url: serverUrl };
  const queue = new Queue(QUEUE, { connection });
  const pay = async ({ data }) => client.settle(await client.create(data.payload));
  const worker = new Worker(QUEUE, pay, { connection, concurrency: inFlight });
  await worker.waitUntilReady();
  return {
    async payAll(payloads) {
      const { promise: allPaid, onCompleted, onFailed, expect } = countCompleted();
      worker.on('completed', onCompleted);
      worker.on('failed', onFailed);
      let added = 0;
      for (const jobs of inGroups(payloads, JOBS_PER_CALL)) {
        await queue.addBulk(jobs.map((payload) => ({ name: 'chunk', data: { payload } })));
        added += jobs.length;
      }
      expect(added);
      await allPaid;
      worker.off('completed', onCompleted);
      worker.off('failed', onFailed);
    },
    async close() {
      await worker.close();
      await queue.close();
    },
  };
});

/** A promise that resolves when as many jobs have completed as are expected, and rejects when one has failed. */
function countCompleted() {
  let [completed, expected] = [0, Number.POSITIVE_INFINITY];
  let resolve;
  let reject;
  const promise = new Promise((...both) => {
    [resolve, reject] = both;
  });
  const check = () => {
    if (completed >= expected) resolve();
  };
  return {
    promise,
    onCompleted() {
      completed += 1;
      check();
    },
    onFailed: (_job, error) => reject(error),
    expect(count) {
      expected = count;
      check();
    },
  };
}

function* inGroups(items, size) {
  let group = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
