// Health check of a container: ends with 0 when healthy.
//   node healthy.mjs port 8787    something accepts connections there
//   node healthy.mjs worker       a worker polls the task queue
import { connect } from 'node:net';
import { Connection } from '@temporalio/client';

const [kind, port] = process.argv.slice(2);
if (kind === 'port') connect(Number(port), '127.0.0.1', () => process.exit(0));
else await checkWorker();

async function checkWorker() {
  const connection = await Connection.connect({
    address: process.env.TEMPORAL_ADDRESS,
    connectTimeout: '2s',
  });
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace: process.env.TEMPORAL_NAMESPACE,
    taskQueue: { name: process.env.BURSAR_TASK_QUEUE ?? 'bursar' },
    taskQueueType: 1,
  });
  process.exit(pollers.length > 0 ? 0 : 1);
}
