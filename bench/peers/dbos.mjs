/** Pays each chunk by a durable workflow of DBOS with two steps: `node dbos.mjs FILE --batch-id ID --server-url URL`. */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { drive, inLanes } from '../../build/bench/batch/drive.js';

await drive(async (client, inFlight, serverUrl) => {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: serverUrl,
    systemDatabasePoolSize: inFlight,
    logLevel: 'error',
  });
  const payChunk = DBOS.registerWorkflow(
    async (payload) => {
      const id = await DBOS.runStep(() => client.create(payload), { name: 'create' });
      await DBOS.runStep(() => client.settle(id), { name: 'settle' });
    },
    { name: 'payChunk' },
  );
  await DBOS.launch();
  return {
    payAll: (payloads) => inLanes(payloads, inFlight, payChunk),
    close: () => DBOS.shutdown(),
  };
});
