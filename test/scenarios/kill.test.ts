import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce, readReport, requestCount } from '../support/oracle.ts';
import { type OwnTemporal, startOwnTemporal } from '../support/own-temporal.ts';
import { SHORT_WINDOW } from '../support/quick-fence.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
let temporal: OwnTemporal | undefined;
afterEach(async () => {
  await stack?.stop();
  await temporal?.stop();
});

it('kill -9 of worker, bridge, sandbox and Temporal in the middle of a batch: the same result, nobody paid twice', async () => {
  const folder = temporaryFolder();
  temporal = await startOwnTemporal(folder);
  stack = await startTestStack({
    folder,
    temporalAddress: temporal.address,
    env: {
      BURSAR_BATCH_CHUNK_ROWS: '100',
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '4',
      // Slow enough that every process can be lost while creates are on their way.
      BURSAR_SANDBOX_DELAY_MS_CREATE: '60',
      BURSAR_SANDBOX_STEP_MS: '300',
      ...SHORT_WINDOW,
    },
  });
  const { sandboxUrl } = stack;
  const rows = sampleRows({ rows: 20_000, failEvery: 666 });
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  const ended = stack.bursar('submit', file, '--id', stack.batchId, '--yes', '-o', 'json');

  const creates = (count: number) =>
    eventually(`${count} creates`, async () =>
      (await requestCount(sandboxUrl, 'MASS_CREATE').catch(() => 0)) >= count ? true : undefined,
    );
  await creates(10);
  await stack.kill('worker');
  await stack.start('worker');
  await creates(40);
  await stack.kill('bridge');
  await stack.start('bridge');
  await creates(80);
  await stack.kill('sandbox');
  await stack.start('sandbox');
  await creates(120);
  await temporal.kill();
  await temporal.start();

  await ended;
  const { code, value } = await stack.json('submit', file, '--id', stack.batchId, '--yes');
  expect([code, value['state']]).toEqual([10, 'PARTIAL']);
  const dir = join(folder, 'runs', stack.batchId);
  expect(readReport(dir).rows).toMatchObject({ paid: 19_970, failed: 30, unknown: 0 });
  await expectExactlyOnce(sandboxUrl, dir, rows);
});
