import { afterAll, beforeAll, expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { ledgerWithdrawals } from '../../support/oracle.ts';
import type { SampleRow } from '../../support/sample-file.ts';
import { failedRunCodes, toldByFile, untilRunFails } from '../../support/schedules.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { sharedTemporal } from '../../support/temporal/shared-temporal.ts';
import { startTestStack, type TestStack } from '../../support/test-stack.ts';

export const fileOf = (scheduleId: string, nominal: string): string =>
  `${scheduleId}-${nominal.slice(0, 10)}.csv`;

/** A stack for the schedules of one file of tests, while its tests run. */
export function useScheduleStack() {
  let stack: TestStack;
  let connection: Connection;
  let temporal: Client;

  beforeAll(async () => {
    const folder = sharedFolder();
    stack = await startTestStack({ folder, env: toldByFile(folder) });
    connection = await Connection.connect({ address: sharedTemporal().address });
    temporal = new Client({ connection, namespace: 'default' });
  });
  afterAll(async () => {
    await connection.close();
    await stack.stop();
  });

  return {
    stack: () => stack,
    temporal: () => temporal,

    /** Creates a schedule that takes `<id>-<date>.csv`. */
    async create(scheduleId: string, ...flags: string[]): Promise<void> {
      const made = ['--timezone', 'UTC', '--file', `${scheduleId}-{date}.csv`, '--yes'];
      const { code, err } = await stack.bursar('schedule', 'create', scheduleId, ...made, ...flags);
      if (code !== 0) throw new Error(err);
    },

    remove: (scheduleId: string) => stack.bursar('schedule', 'delete', scheduleId, '--yes'),

    trigger: (scheduleId: string, nominal: string) =>
      stack.bursar(
        ...['schedule', 'trigger', scheduleId, '--run', nominal, '--reason', 'a test', '--yes'],
      ),

    /** Whether the sandbox paid each of these rows, and each once. */
    async expectPaidOnce(rows: readonly SampleRow[]): Promise<void> {
      const wanted = rows.map(({ address, amount }) => `${address} ${amount}`);
      const paid = (await ledgerWithdrawals(stack.sandboxUrl))
        .filter(({ state }) => state === 'COMPLETED')
        .map(({ depositAddress, amount }) => `${depositAddress} ${amount}`)
        .filter((one) => wanted.includes(one));
      expect(paid.sort()).toEqual(wanted.sort());
    },

    failuresOf: (scheduleId: string) => failedRunCodes(temporal, scheduleId),

    failedWorkflow: (scheduleId: string) => untilRunFails(temporal, scheduleId),
  };
}
