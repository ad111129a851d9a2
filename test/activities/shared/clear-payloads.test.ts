import { expect, it } from '@jest/globals';
import { refuseClearActivities } from '../../../src/activities/shared/clear-payloads.ts';
import { clearValue } from '../../../src/domain/encryption/clear-value.ts';

const run = (...args: unknown[]) =>
  refuseClearActivities().inbound.execute({ args }, async (input) => input.args);

it('an activity of the clear queue does nothing where encryption is required', async () => {
  await expect(run({ batchId: 'b' }, clearValue(true, { batchId: 'b' }))).rejects.toMatchObject({
    type: 'PAYLOAD_IN_CLEAR',
    nonRetryable: false,
  });
});

it('an activity gets its input unchanged, in clear or not, where encryption is not required', async () => {
  expect(await run({ batchId: 'a' }, clearValue(false, { batchId: 'b' }))).toEqual([
    { batchId: 'a' },
    { batchId: 'b' },
  ]);
});
