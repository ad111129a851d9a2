import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { readReport, requestCount } from '../support/oracle.ts';
import { type OwnTemporal, startOwnTemporal } from '../support/own-temporal.ts';
import { SHORT_WINDOW } from '../support/quick-fence.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const CHUNK_ROWS = 100;
const CHUNKS = 200;

let stack: TestStack | undefined;
let temporal: OwnTemporal | undefined;
afterEach(async () => {
  await stack?.stop();
  await temporal?.stop();
});

it('kill -9 of worker, bridge, sandbox and Temporal in the middle of a batch: the same result, no row paid twice', async () => {
  const folder = temporaryFolder();
  temporal = await startOwnTemporal(folder);
  stack = await startTestStack({
    folder,
    temporalAddress: temporal.address,
    env: {
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '4',
      // Slow enough that every process can be lost while creates are on their way.
      BURSAR_SANDBOX_DELAY_MS_CREATE: '500',
      BURSAR_SANDBOX_STEP_MS: '300',
      ...SHORT_WINDOW,
    },
  });
  const { sandboxUrl } = stack;
  const rows = sampleRows({ rows: CHUNKS * CHUNK_ROWS, failEvery: 666 });
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  const ended = stack.bursar('submit', file, '--id', stack.batchId, '--yes', '-o', 'json');

  const count = () => requestCount(sandboxUrl, 'MASS_CREATE');
  const creates = (wanted: number) =>
    eventually(`${wanted} creates`, async () =>
      (await count().catch(() => 0)) >= wanted ? true : undefined,
    );
  const expectMoreToSend = async () => expect(await count()).toBeLessThan(CHUNKS);
  await creates(10);
  await stack.kill('worker');
  await expectMoreToSend();
  await stack.start('worker');
  await creates(30);
  await stack.kill('bridge');
  await expectMoreToSend();
  await stack.start('bridge');
  await creates(50);
  await stack.kill('sandbox');
  await stack.start('sandbox');
  await expectMoreToSend();
  await creates(70);
  await temporal.kill();
  await expectMoreToSend();
  await temporal.start();

  await ended;
  const { code, value } = await stack.json('submit', file, '--id', stack.batchId, '--yes');
  expect([code, value['state']]).toEqual([10, 'PARTIAL']);
  const dir = join(folder, 'runs', stack.batchId);
  expect(readReport(dir).rows).toMatchObject({ paid: 19_970, failed: 30, unknown: 0 });
  await expectExactlyOnce(sandboxUrl, dir, rows);
});
