import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { requestCount } from '../support/oracle.ts';
import type { TestStack } from '../support/test-stack.ts';
import {
  begin,
  expectCompleted,
  isFlagged,
  onceNotAtWork,
  onSlowStack,
  servedStoreOf,
  type StartedBatch,
} from './support/store-batches.ts';

jest.setTimeout(600_000);

const DELETED = ['', '-wal', '-shm'];
const deleteStore = ({ folder }: TestStack): void => {
  for (const suffix of DELETED) rmSync(join(folder, `store.db${suffix}`), { force: true });
};

describe('a store that is lost', () => {
  it.concurrent.each([
    ['while the worker runs', false],
    ['while the worker is away', true],
  ])('%s: batches show the flag, and go on after bursar recover --store empty', (_, isAway) =>
    onSlowStack(async (running) => {
      const [batch] = (await begin(running, 1)) as [StartedBatch];
      await eventually('some creates arrive', async () =>
        (await requestCount(running.sandboxUrl, 'MASS_CREATE')) > 3 ? true : undefined,
      );
      await eventually(
        'housekeeping keeps that lookups are proven',
        async () => (await servedStoreOf(running))?.lookup,
      );
      if (isAway) await running.kill('worker');
      deleteStore(running);
      if (isAway) await running.start('worker');
      await isFlagged(batch, true);
      const sent = await requestCount(running.sandboxUrl, 'MASS_CREATE');
      expect((await running.json('status', batch.batchId)).value['code']).toBe('STORE_IS_ANOTHER');
      const recovered = await onceNotAtWork(() =>
        running.json('recover', '--store', 'empty', '--yes'),
      );
      expect(recovered).toMatchObject({
        code: 0,
        value: { batches: [{ batchId: batch.batchId, done: true }] },
      });
      await eventually('it is paused', async () => {
        const { value } = await running.json('status', batch.batchId);
        return JSON.stringify(value['holds']).includes('PAUSE') || undefined;
      });
      await isFlagged(batch, false);
      expect(await requestCount(running.sandboxUrl, 'MASS_CREATE')).toBe(sent);
      expect(running.output('worker')).not.toContain('no result');
      await running.stopOne('bridge');
      await running.start('bridge');
      expect((await running.bursar('resume', batch.batchId, '--reason', 'looked at')).code).toBe(0);
      await eventually('the hold for approval is on, or it has ended', async () => {
        const { value } = await running.json('status', batch.batchId);
        if (value['state'] === 'COMPLETED') return true;
        if (!JSON.stringify(value['holds']).includes('APPROVAL')) return undefined;
        await running.bursar('resume', batch.batchId, '--reason', 'looked at');
        return undefined;
      });
      await expectCompleted(running, [batch]);
    }),
  );

  it.concurrent('an open resend of a lost store comes back after its parent, which sends nothing again', () =>
    onSlowStack(async (running) => {
      const [batch] = (await begin(running, 1, 4)) as [StartedBatch];
      expect((await running.json('watch', batch.batchId)).value['state']).toBe('PARTIAL');
      const child = `${batch.batchId}-r1`;
      const nextYear = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`;
      const flags = ['--confirm-not-paid-elsewhere', '--at', nextYear, '--yes', '--detach'];
      expect((await running.bursar('resend', batch.batchId, ...flags)).code).toBe(8);
      const rowsOf = async (id: string) => (await running.json('status', id)).value['rows'];
      await eventually('the resend waits', async () => {
        const { value } = await running.json('status', child);
        return value['state'] === 'SCHEDULED' || undefined;
      });
      const before = await rowsOf(child);
      const paid = (await rowsOf(batch.batchId)) as Readonly<{ paid: number; failed: number }>;
      const sent = await requestCount(running.sandboxUrl, 'MASS_CREATE');
      await running.stopOne('worker');
      await running.stopOne('bridge');
      deleteStore(running);
      await running.start('worker');
      await running.start('bridge');
      const first = await onceNotAtWork(() => running.json('recover', '--store', 'empty', '--yes'));
      expect(first.code).toBe(14);
      expect(first.value['batches']).toMatchObject(
        expect.arrayContaining([
          expect.objectContaining({ batchId: batch.batchId, action: 'SETTLE', done: true }),
          expect.objectContaining({ batchId: child, action: 'NONE' }),
        ]),
      );
      expect((await running.json('watch', batch.batchId)).value).toMatchObject({
        state: 'CANCELED',
        rows: { paid: paid.paid, failed: paid.failed },
      });
      const second = await running.json('recover', child, '--store', 'empty', '--yes');
      expect(second).toMatchObject({
        code: 0,
        value: { batches: [{ batchId: child, done: true }] },
      });
      await eventually('the resend is paused, with its rows', async () => {
        const { value } = await running.json('status', child);
        const isBack = JSON.stringify(value['rows']) === JSON.stringify(before);
        return (isBack && JSON.stringify(value['holds']).includes('PAUSE')) || undefined;
      });
      expect(await requestCount(running.sandboxUrl, 'MASS_CREATE')).toBe(sent);
    }));
});
