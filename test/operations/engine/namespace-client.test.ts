import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { openNamespaceClient } from '../../../src/operations/engine/namespace-client.ts';
import { SEARCH_ATTRIBUTES } from '../../../src/contract/names.ts';
import { freePort } from '../../support/free-port.ts';
import { clearPlace } from '../../support/temporal/clear-place.ts';
import { sharedTemporal } from '../../support/temporal/shared-temporal.ts';

const openDesk = (address: string, namespace?: string) =>
  openNamespaceClient({ ...clearPlace(address, namespace), taskQueue: randomUUID() });

it('the setup of a namespace is read unchanged', async () => {
  const { address } = sharedTemporal();
  const desk = await openDesk(address);
  const { searchAttributes, ...facts } = await desk.read();
  expect(facts).toEqual({
    address,
    access: { isLocal: true, hasTls: false, isOpen: true },
    served: undefined,
    stuck: [],
    namespace: 'default',
    retentionMs: expect.any(Number),
    workers: { workflows: false, activities: false },
  });
  expect(facts.retentionMs).toBeGreaterThan(0);
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTES)) {
    expect([name, searchAttributes?.get(name)]).toEqual([name, type]);
  }
  await desk.close();
});

it('housekeeping that does not run cannot be called', async () => {
  const desk = await openDesk(sharedTemporal().address);
  expect(await desk.callHousekeeping()).toBe(false);
  await desk.close();
});

it('a namespace that does not exist is reported with the reason', async () => {
  const desk = await openDesk(sharedTemporal().address, 'nowhere');
  await expect(desk.read()).rejects.toMatchObject({
    code: 'TEMPORAL_UNREACHABLE',
    message: expect.stringContaining('nowhere'),
  });
  await desk.close();
});

it('a server that does not answer is reported', async () => {
  await expect(openDesk(`127.0.0.1:${await freePort()}`)).rejects.toMatchObject({
    code: 'TEMPORAL_UNREACHABLE',
  });
});
