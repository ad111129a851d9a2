import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { eventually } from '../support/eventually.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import {
  type BatchInHand,
  type Begin,
  type Operators,
  operatorsOf,
  totalOf,
} from '../support/operators.ts';
import { readPlainCsv, readReport } from '../support/oracle.ts';
import { personAtAdminApi } from '../support/person.ts';
import { sandboxAdmin } from '../support/sandbox-admin.ts';
import { type SampleRow, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { bobApproves, writeKeyFiles } from '../support/signing-people.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const PAID: TestAddressCode[] = ['0000', '0000'];
/** A rule for each currency, so that one stack does for all: BTC has limits, bob approves what is in USDC_ERC20. */
const RULES = {
  ...bobApproves('USDC_ERC20'),
  BURSAR_FEES_TOTAL_MAX: '10:USDT_TRC20,10:USDC_ERC20',
  BURSAR_LIMITS_DAY: '10:BTC',
  BURSAR_LIMITS_PAYEE: '15:BTC',
};
const newRows = {
  USDT_TRC20: fatedRowMaker('USDT_TRC20'),
  USDC_ERC20: fatedRowMaker('USDC_ERC20'),
  BTC: fatedRowMaker('BTC'),
};

let stack: TestStack;
let operators: Operators;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  const env = { ...RULES, BURSAR_BATCH_CHUNK_ROWS: '3', BURSAR_BATCH_CHUNKS_IN_FLIGHT: '2' };
  stack = await startTestStack({ folder: sharedFolder(), env });
  operators = await operatorsOf(stack);
  control = sandboxControl(stack.sandboxUrl);
  writeKeyFiles(stack.folder);
});
afterAll(async () => {
  await operators.close();
  await stack.stop();
});

/** Waits until a mass payout waits for somebody to confirm it; answers with its id. */
const pending = (batchId: string, chunk: number): Promise<string> =>
  eventually(`chunk ${chunk} waits for a person`, async () => {
    const found = await control.massPayoutOf(batchId, chunk);
    return found?.state === 'PENDING_CONFIRMATION' ? found.id : undefined;
  });

const begin = (rows: readonly SampleRow[], more?: Begin) => operators.begin(rows, more);

/** What the page of the report shows to people. */
const page = ({ dir }: BatchInHand): string => readFileSync(join(dir, 'summary.html'), 'utf8');

describe('a batch with a canary', () => {
  const FATES: TestAddressCode[] = ['0001', '0000', ...PAID, ...PAID, ...PAID];
  const canary = { flags: ['--canary', '2'] };

  it('sends the first chunk and waits for its end; when all of it is paid, the others follow without a person', async () => {
    await control.demandConfirmations(1);
    const person = personAtAdminApi(stack.sandboxUrl);
    const batch = await begin(newRows.USDT_TRC20([...PAID, ...PAID]), canary);
    const first = await pending(batch.batchId, 0);
    expect((await batch.status())['chunks']).toMatchObject({ byState: { PLANNED: 1 } });
    expect(await batch.sent()).toHaveLength(2);
    await person.confirm(first);
    await person.confirm(await pending(batch.batchId, 1));
    await control.demandConfirmations(0);
    expect((await batch.watch()).code).toBe(0);
    expect(readReport(batch.dir).holds).toEqual([]);
  });

  it('of which a row failed is held, and goes on when a person resumes it: the report names the person and the reason', async () => {
    const batch = await begin(newRows.USDT_TRC20(FATES), canary);
    expect((await batch.watch()).code).toBe(14);
    const hold = await batch.isHeld('CANARY');
    expect(hold).toMatchObject({ by: 'Bursar', facts: { currency: 'USDT_TRC20', chunk: '0' } });
    expect(await batch.sent()).toHaveLength(2);
    expect(await batch.tell('resume', 'one wrong address, the rest is right')).toEqual([
      0,
      undefined,
    ]);
    expect(await batch.watch()).toEqual({ code: 10, state: 'PARTIAL' });
    expect(await batch.outcomes()).toEqual(['FAILED', ...Array(7).fill('PAID')]);
    expect(readReport(batch.dir).holds).toEqual([
      {
        ...hold,
        released: {
          basis: 'name',
          by: 'ann',
          reason: 'one wrong address, the rest is right',
          at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      },
    ]);
    expect(page(batch)).toContain('one wrong address, the rest is right');
  });

  it('of which a row failed can be canceled: the sent chunk is settled, the other rows are NOT_SENT and can be sent again', async () => {
    const batch = await begin(newRows.USDT_TRC20(FATES), canary);
    await batch.isHeld('CANARY');
    expect(await batch.tell('cancel', 'the wrong file')).toEqual([0, undefined]);
    expect(await batch.watch()).toEqual({ code: 12, state: 'CANCELED' });
    expect(await batch.outcomes()).toEqual(['FAILED', 'PAID', ...Array(6).fill('NOT_SENT')]);
    const again = readPlainCsv(join(batch.dir, 'resend.csv')).map(([address]) => address);
    const unpaid = batch.rows.filter((_, i) => i !== 1).map(({ address }) => address);
    expect(again).toEqual(unpaid);
    const { code, value } = await stack.json('resend', batch.batchId, '--dry-run');
    expect([code, value['rows']]).toEqual([0, 7]);
    expect(readReport(batch.dir).holds).toMatchObject([{ kind: 'CANARY', released: null }]);
    expect(page(batch)).toContain('not lifted: the batch ended on hold');
  });
});

/** What the service takes of each withdrawal from now on; null: as at first. */
const takeFix = (currency: string, fix: string | null) =>
  sandboxAdmin(stack.sandboxUrl).post('tariffs', {
    currency,
    tariff: fix === null ? null : { fix },
  });

describe('a batch whose fees', () => {
  afterEach(async () => {
    await takeFix('USDT_TRC20', null);
    await takeFix('USDC_ERC20', null);
  });

  /** A batch whose plan was made, and then `change`, before its time came. On a slow machine it takes more tries, of more time each. */
  async function scheduledBefore(change: () => Promise<unknown>): Promise<BatchInHand> {
    for (let leadMs = 6_000; ; leadMs *= 2) {
      const dueMs = Date.now() + leadMs;
      const flags = ['--at', new Date(dueMs).toISOString()];
      const batch = await begin(newRows.USDT_TRC20(PAID), { flags }).catch((error: unknown) => {
        if (Date.now() < dueMs) throw error;
      });
      if (batch === undefined || !(await batch.isScheduledBy(dueMs))) continue;
      await change();
      if (Date.now() < dueMs) return batch;
      await takeFix('USDT_TRC20', null);
    }
  }

  it('rose until its due time is held, and is paid when a person accepts them', async () => {
    const batch = await scheduledBefore(() => takeFix('USDT_TRC20', '4'));
    const { reason, facts } = await batch.isHeld('FEE_DRIFT');
    expect([reason, facts['fees']]).toEqual([expect.stringContaining('8'), '8 USDT_TRC20']);
    expect(await batch.sent()).toEqual([]);
    expect((await batch.tell('resume', 'the network is busy'))[0]).toBe(0);
    expect(await batch.watch()).toEqual({ code: 0, state: 'COMPLETED' });
    expect(await batch.outcomes()).toEqual(['PAID', 'PAID']);
    const { feeQuotes, holds } = readReport(batch.dir);
    expect(feeQuotes?.accepted).toMatchObject([{ currency: 'USDT_TRC20', fee: '8' }]);
    expect(holds).toMatchObject([{ kind: 'FEE_DRIFT', released: { by: 'ann' } }]);
  });

  it('are above their cap is held before anything is sent, and can be canceled', async () => {
    await takeFix('USDT_TRC20', '6');
    const batch = await begin(newRows.USDT_TRC20(PAID));
    expect(await batch.isHeld('FEE_CAP')).toMatchObject({ facts: { fees: '12 USDT_TRC20' } });
    expect((await batch.tell('cancel', 'too dear'))[0]).toBe(0);
    expect(await batch.watch()).toEqual({ code: 12, state: 'CANCELED' });
    expect(await batch.outcomes()).toEqual(['NOT_SENT', 'NOT_SENT']);
    expect(await batch.sent()).toEqual([]);
  });

  it('rose after its plan was approved goes on by an approval of just that, and not by its submitter', async () => {
    const rows = newRows.USDC_ERC20(PAID);
    const batch = await begin(rows);
    await batch.isIn('AWAITING_APPROVAL');
    await takeFix('USDC_ERC20', '4');
    expect((await batch.approve('bob', totalOf(rows)))[0]).toBe(0);
    await batch.isHeld('FEE_DRIFT');
    expect(await batch.tell('resume', 'it is fine')).toEqual([4, 'APPROVAL_BY_SUBMITTER']);
    expect(await batch.sent()).toEqual([]);
    expect((await batch.approve('bob', totalOf(rows)))[0]).toBe(0);
    expect(await batch.watch()).toEqual({ code: 0, state: 'COMPLETED' });
    expect(await batch.outcomes()).toEqual(['PAID', 'PAID']);
    expect(await batch.acts()).toContain('ann (unsigned) resume-rejected');
    const { approvals, digest, holds } = readReport(batch.dir);
    expect(approvals.given.map(({ subject }) => subject === digest)).toEqual([true, false]);
    // Bob signed no reason.
    expect(holds).toMatchObject([{ kind: 'FEE_DRIFT', released: { by: 'bob', reason: '' } }]);
  });

  it('are above their cap needs two approvals: for the fees, and for the plan', async () => {
    await takeFix('USDC_ERC20', '6');
    const rows = newRows.USDC_ERC20(PAID);
    const batch = await begin(rows);
    await batch.isHeld('FEE_CAP');
    expect(await batch.tell('resume', 'it is fine')).toEqual([4, 'APPROVAL_BY_SUBMITTER']);
    expect((await batch.approve('bob', totalOf(rows)))[0]).toBe(0);
    await batch.isIn('AWAITING_APPROVAL');
    expect(await batch.sent()).toEqual([]);
    expect((await batch.approve('bob', totalOf(rows)))[0]).toBe(0);
    expect(await batch.watch()).toEqual({ code: 0, state: 'COMPLETED' });
    expect(await batch.outcomes()).toEqual(['PAID', 'PAID']);
  });
});

describe('a limit', () => {
  it('of a day holds one of two batches that pass it together, until a person lets it pass; the next one is held again', async () => {
    const two = [newRows.BTC(PAID), newRows.BTC(PAID)];
    const batches = await Promise.all(two.map((rows) => begin(rows)));
    const ends = await Promise.all(batches.map((batch) => batch.watch()));
    expect(ends.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 14]);
    const over = batches[ends.findIndex(({ code }) => code === 14)] ?? operators.hand('none', []);
    const hold = await over.isHeld('DAY_LIMIT');
    expect(hold.reason).toContain('12 BTC would be paid');
    expect(await over.sent()).toEqual([]);
    expect((await over.tell('resume', 'both are due today'))[0]).toBe(0);
    expect(await over.watch()).toEqual({ code: 0, state: 'COMPLETED' });
    expect(readReport(over.dir).holds).toMatchObject([{ ...hold, released: { by: 'ann' } }]);

    const next = await begin(newRows.BTC(PAID));
    expect((await next.isHeld('DAY_LIMIT')).reason).toContain('24 BTC would be paid');
    expect((await next.tell('cancel', 'tomorrow will do'))[0]).toBe(0);
    expect((await next.watch()).code).toBe(12);
    expect(await next.sent()).toEqual([]);
  });

  it('of a payee stops the file, also when its findings are accepted', async () => {
    const [row] = newRows.BTC(['0000']);
    const file = join(stack.folder, 'payee.csv');
    const rows = ['8', '8'].map((amount) => ({ address: '', currency: 'BTC', ...row, amount }));
    writeSample(file, rows);
    const accept = ['--accept', 'LIMIT_PAYEE', '--accept', 'DUPLICATE_ROW'];
    const { code, value } = await stack.json('submit', file, '--yes', ...accept);
    expect([code, value['code']]).toEqual([13, 'FINDINGS_BLOCK']);
    expect(value['what']).toContain('LIMIT_PAYEE');
  });
});
