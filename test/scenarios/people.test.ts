import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { describeInBrowser, launchBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import { readPlainCsv, requestsOf } from '../support/oracle.ts';
import { type Person, personAtAdminApi } from '../support/person.ts';
import { personAtConsole } from '../support/person-at-console.ts';
import { expectRowsFitLedger, reportLines } from '../support/row-outcomes.ts';
import { type SampleRow, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const CHUNK_ROWS = 3;
/** The balance of USDC_ERC20; of USDT_TRC20 there is plenty. */
const SMALL_BALANCE = '5';

let stack: TestStack;
let person: Person;
let control: ReturnType<typeof sandboxControl>;
const newRows = fatedRowMaker();

/** Starts a stack in which every mass payout waits for a person. */
async function start(personAt: (sandboxUrl: string) => Person): Promise<void> {
  stack = await startTestStack({
    folder: sharedFolder(),
    env: {
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_SANDBOX_BALANCES: JSON.stringify({
        USDT_TRC20: '1000000',
        USDC_ERC20: SMALL_BALANCE,
      }),
    },
  });
  person = personAt(stack.sandboxUrl);
  control = sandboxControl(stack.sandboxUrl);
  await control.demandConfirmations(1);
}

const begin = (fates: readonly TestAddressCode[], more: Begin = {}) =>
  beginWith(newRows(fates), more);

type Begin = Readonly<{ flags?: readonly string[]; env?: Record<string, string> }>;

/** Starts a batch; three rows are a mass payout. */
async function beginWith(rows: readonly SampleRow[], { flags = [], env = {} }: Begin) {
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  const args = ['submit', file, '--id', batchId, '--yes', '--detach', ...flags];
  expect((await stack.bursarWith(env, ...args)).code).toBe(8);
  return follower(batchId, rows);
}

/** What a test sees of a batch. */
function follower(batchId: string, rows: readonly SampleRow[]) {
  const dir = join(stack.folder, 'runs', batchId);
  const status = async () => (await stack.json('status', batchId)).value;
  return {
    rows,
    dir,
    status,
    /** What `status` tells people. */
    text: async () => (await stack.bursar('status', batchId)).out,
    /** Waits until the mass payout of a chunk is in a state; answers with its id. */
    massPayout: (chunk: number, state: string): Promise<string> =>
      eventually(`chunk ${chunk} is ${state}`, async () => {
        const found = await control.massPayoutOf(batchId, chunk);
        return found?.state === state ? found.id : undefined;
      }),
    /** Waits until `status` counts so many mass payouts in a state. */
    shows: (state: string, count: number) =>
      eventually(`status shows ${count} ${state}`, async () => {
        const { byState } = (await status())['chunks'] as { byState: Record<string, number> };
        return byState[state] === count ? true : undefined;
      }),
    async end(): Promise<{ code: number; state: unknown; outcomes: string[] }> {
      const { code, value } = await stack.json('watch', batchId);
      const outcomes = await expectRowsFitLedger(stack.sandboxUrl, dir, rows);
      return { code, state: value['state'], outcomes };
    },
  };
}

const PAID: TestAddressCode[] = ['0000', '0000', '0000'];

/** Starts a batch that the account cannot carry, and tops up what is missing once the batch says so. */
async function beginShort(fates: readonly TestAddressCode[], missing: string) {
  const batch = await beginWith(fatedRowMaker('USDC_ERC20')(fates), {
    flags: ['--funds', 'wait:5m'],
  });
  // It looks at the balance again and again, and says meanwhile that it does.
  const told = await eventually('it waits for a top-up', async () => {
    const text = await batch.text();
    return text.includes('Waiting for money') ? text : undefined;
  });
  expect(told).toContain(missing);
  expect((await batch.status())['rows']).toMatchObject({ notSentYet: fates.length, inFlight: 0 });
  await person.topUp('USDC_ERC20', missing);
  return batch;
}

/** Has the bridge's subscription blocked, and a person unblock it. Nothing but webhooks tells the batch. */
async function blockAndUnblock(): Promise<void> {
  await stack.stopOne('bridge');
  for (let i = 0; i <= 100; i += 1) await control.announce('SYSTEM_NEW_FEATURE');
  const blocked = await eventually('the subscription is blocked', async () => {
    const [subscription] = await control.subscriptions();
    return subscription?.blockedByErrorCount ? subscription : undefined;
  });
  await stack.start('bridge');
  const isById = ({ idempotencyKey }: { idempotencyKey: string | null }) => idempotencyKey === null;
  const reads = async () => (await requestsOf(stack.sandboxUrl, 'MASS_GET')).filter(isById).length;
  const before = await reads();
  // The first poll comes at once, and the next one not in the time of this test.
  const batch = await begin(PAID, {
    env: { BURSAR_POLL_MIN_MS: '300000', BURSAR_POLL_MAX_MS: '300000' },
  });
  const massPayout = await batch.massPayout(0, 'PENDING_CONFIRMATION');
  await eventually('the first poll', async () => ((await reads()) > before ? true : undefined));
  await person.confirm(massPayout);
  await batch.massPayout(0, 'COMPLETED');
  expect((await batch.status())['rows']).toMatchObject({ paid: 0, inFlight: 3 });

  await person.unblock(blocked.id);
  expect(await batch.end()).toMatchObject({ code: 0, state: 'COMPLETED' });
  const delivered = await eventually('everything that was held came', async () => {
    const [subscription] = await control.subscriptions();
    const { HELD, WAITING, DELIVERED = 0 } = subscription?.deliveries ?? {};
    return HELD === undefined && WAITING === undefined ? DELIVERED : undefined;
  });
  expect(delivered).toBeGreaterThan(100);
}

describe('a batch notices the act of a person over the admin API of the sandbox: the person', () => {
  beforeAll(() => start(personAtAdminApi));
  afterAll(() => stack.stop());

  it('confirms one mass payout and declines another: the first is paid, the second counts as not sent', async () => {
    const batch = await begin([...PAID, ...PAID]);
    const confirmed = await batch.massPayout(0, 'PENDING_CONFIRMATION');
    const declined = await batch.massPayout(1, 'PENDING_CONFIRMATION');
    await batch.shows('PENDING_CONFIRMATION', 2);
    await person.confirm(confirmed);
    await batch.shows('COMPLETED', 1);
    await person.decline(declined);

    const { code, state, outcomes } = await batch.end();
    expect([code, state]).toEqual([10, 'PARTIAL']);
    expect(outcomes).toEqual(['PAID', 'PAID', 'PAID', 'NOT_SENT', 'NOT_SENT', 'NOT_SENT']);
    expect(reportLines(batch.dir)[3]?.reason).toBe('canceled by the merchant');
    const again = readPlainCsv(join(batch.dir, 'resend.csv')).map(([address]) => address);
    expect(again).toEqual(batch.rows.slice(CHUNK_ROWS).map(({ address }) => address));
  });

  it('declines all mass payouts of a batch: nothing is paid', async () => {
    const batch = await begin(PAID);
    await person.decline(await batch.massPayout(0, 'PENDING_CONFIRMATION'));
    const { code, state, outcomes } = await batch.end();
    expect([code, state]).toEqual([11, 'FAILED']);
    expect(outcomes).toEqual(['NOT_SENT', 'NOT_SENT', 'NOT_SENT']);
  });

  it('sends failed withdrawals again, before the batch is over: they are paid', async () => {
    const batch = await begin(['0000', '0001', '0002', ...PAID]);
    const partial = await batch.massPayout(0, 'PENDING_CONFIRMATION');
    const last = await batch.massPayout(1, 'PENDING_CONFIRMATION');
    await person.confirm(partial);
    await batch.shows('PARTIAL', 1);
    await person.resend(partial);
    await batch.massPayout(0, 'COMPLETED');
    await person.confirm(last);

    const { code, state, outcomes } = await batch.end();
    expect([code, state]).toEqual([0, 'COMPLETED']);
    expect(new Set(outcomes)).toEqual(new Set(['PAID']));
  });

  it('ends a mass payout that waits in WAITING_COMPLETION_ERRORS: until then its rows are in flight', async () => {
    const batch = await begin(['0000', '0007', '0000']);
    await person.confirm(await batch.massPayout(0, 'PENDING_CONFIRMATION'));
    const waiting = await batch.massPayout(0, 'WAITING_COMPLETION_ERRORS');
    await batch.shows('WAITING_COMPLETION_ERRORS', 1);
    expect((await batch.status())['rows']).toMatchObject({ paid: 0, inFlight: 3 });
    await person.endWaiting(waiting);
    expect(await batch.end()).toMatchObject({ code: 0, state: 'COMPLETED' });
  });

  it('tops up an account that was short: the batch shows the missing amount, waits, and is paid', async () => {
    const batch = await beginShort(PAID, '2.575');
    await person.confirm(await batch.massPayout(0, 'PENDING_CONFIRMATION'));
    expect(await batch.end()).toMatchObject({ code: 0, state: 'COMPLETED' });
  });

  it('unblocks the subscription of the bridge: the held webhooks come in a burst, and the batch notices', () =>
    blockAndUnblock());
});

describeInBrowser(
  'a batch notices the act of a person on the page of the sandbox: the person',
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
      await start((sandboxUrl) => personAtConsole(browser, sandboxUrl));
    });
    afterAll(async () => {
      await stack.stop();
      await browser.close();
    });

    it('tops up, confirms, declines, sends again, and ends waiting mass payouts, all in one batch', async () => {
      const partial: TestAddressCode[] = ['0000', '0001', '0002'];
      const waiting: TestAddressCode[] = ['0000', '0007', '0000'];
      const batch = await beginShort([...PAID, ...PAID, ...partial, ...waiting], '79.84');
      const pending = (chunk: number) => batch.massPayout(chunk, 'PENDING_CONFIRMATION');
      await person.confirm(await pending(0));
      await person.decline(await pending(1));
      await person.confirm(await pending(2));
      await batch.shows('PARTIAL', 1);
      await person.resend(await batch.massPayout(2, 'PARTIAL'));
      await person.confirm(await pending(3));
      await batch.shows('WAITING_COMPLETION_ERRORS', 1);
      await person.endWaiting(await batch.massPayout(3, 'WAITING_COMPLETION_ERRORS'));

      const { code, state, outcomes } = await batch.end();
      expect([code, state]).toEqual([10, 'PARTIAL']);
      const ofChunk = (chunk: number) => new Set(outcomes.slice(3 * chunk, 3 * chunk + 3));
      expect([0, 1, 2, 3].map(ofChunk)).toEqual(
        ['PAID', 'NOT_SENT', 'PAID', 'PAID'].map((outcome) => new Set([outcome])),
      );
    });

    it('unblocks the subscription of the bridge, and the batch goes on', () => blockAndUnblock());
  },
);
