/**
 * Pays each chunk by a job of pg-boss: `node pg-boss.mjs FILE --batch-id ID --server-url URL`. Lanes fetch their jobs
 * themselves: `work` of pg-boss waits half a second between two fetches.
 */
import PgBoss from 'pg-boss';
import { drive, inLanes } from '../../build/bench/batch/drive.js';

const QUEUE = 'chunks';

await drive(async (client, inFlight, serverUrl) => {
  const boss = new PgBoss({ connectionString: serverUrl, max: inFlight });
  boss.on('error', (error) => process.stderr.write(`${error}\n`));
  await boss.start();
  await boss.createQueue(QUEUE);

  const payNext = async () => {
    const [job] = await boss.fetch(QUEUE);
    if (job === undefined) throw new Error('a job is missing');
    await client.settle(await client.create(job.data.payload));
    await boss.complete(QUEUE, job.id);
  };
  return {
    async payAll(payloads) {
      let jobs = 0;
      await inLanes(payloads, inFlight, async (payload) => {
        await boss.send(QUEUE, { payload });
        jobs += 1;
      });
      await inLanes(Array(jobs).keys(), inFlight, payNext);
    },
    close: () => boss.stop({ graceful: false }),
  };
});
