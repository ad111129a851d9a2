import { expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { readFileSync } from 'node:fs';
import { sharedTemporal } from './shared-temporal.ts';

it('is a server with our search attributes', async () => {
  const { address, namespace } = sharedTemporal();
  const connection = await Connection.connect({ address });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  expect(Object.keys(customAttributes ?? {})).toContain('BursarBatch');
  await connection.close();
});

it('comes with a bundle of our workflows', () => {
  const code = readFileSync(sharedTemporal().workflowBundle.codePath, 'utf8');
  expect(code).toContain('payoutBatch');
});
