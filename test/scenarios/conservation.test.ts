import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  afterEach,
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { createMerchantClient } from '@bursar/merchant-api';
import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { startAnswerProxy } from '../support/answer-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import { type Operators, operatorsOf } from '../support/operators.ts';
import { readPlainCsv, readReport, requestCount } from '../support/oracle.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(150_000);

const PAID: TestAddressCode[] = ['0000', '0000', '0000', '0000'];
const newRows = fatedRowMaker();

let stack: TestStack;
let operators: Operators;
let proxy: Awaited<ReturnType<typeof startAnswerProxy>>;

beforeAll(async () => {
  proxy = await startAnswerProxy(() => stack.sandboxUrl);
  const env = {
    BURSAR_API_BASE_URL: proxy.url,
    BURSAR_BATCH_CHUNK_ROWS: '2',
    // A mass payout takes some seconds, so that the balance is read while it is on its way.
    BURSAR_SANDBOX_STEP_MS: '600',
    BURSAR_POLL_MIN_MS: '100',
  };
  stack = await startTestStack({ folder: sharedFolder(), env });
  operators = await operatorsOf(stack);
});
afterAll(async () => {
  await operators.close();
  await stack.stop();
  await proxy.close();
});
beforeEach(() => proxy.answerWith(() => undefined));

const serviceItself = () =>
  createMerchantClient({
    baseUrl: stack.sandboxUrl,
    key: stack.env.BURSAR_API_KEY,
    secret: 'test-secret',
    account: stack.env.BURSAR_API_ACCOUNT,
  });

type CreatePayload = Readonly<{
  currency: string;
  massAddresses: readonly Readonly<{ depositAddress: string; amount: number }>[];
}>;

/** Has the service pay the rows of each create a second time, which it shows nowhere but in the balance. */
function payTwice(): void {
  proxy.answerWith((path, payload) => {
    if (path !== DEFAULT_ENDPOINTS.MASS_CREATE) return undefined;
    const { currency, massAddresses } = payload as CreatePayload;
    const rows = massAddresses.map((one) => ({ ...one, amount: String(one.amount) }));
    const api = serviceItself();
    void api
      .createMassPayout({
        currency,
        massAddresses: rows,
        externalId: 'twice',
        idempotencyKey: randomUUID(),
      })
      .then(() => api.close());
    return undefined;
  });
}

describe('a service that pays every row twice, and shows each once', () => {
  it('keeps the batch from its end until a person accepts the difference, and that is no COMPLETED', async () => {
    payTwice();
    const batch = await operators.begin(newRows(PAID.slice(0, 2)));
    const { reason } = await batch.isHeld('BALANCE');
    expect(reason).toContain('BALANCE_DIFFERS: 4.04 USDT_TRC20 left the account');
    expect(await batch.watch()).toEqual({ code: 14, state: 'SETTLING' });
    expect(existsSync(batch.dir)).toBe(false);

    expect(await batch.tell('resume', 'the service returned it')).toEqual([0, undefined]);
    expect(await batch.watch()).toEqual({ code: 10, state: 'PARTIAL' });
    const { state, rows, balance } = readReport(batch.dir);
    expect([state, rows.paid]).toEqual(['PARTIAL', 2]);
    expect(balance).toMatchObject({
      result: 'differs',
      lines: [{ currency: 'USDT_TRC20', unexplained: '4.04' }],
      accepted: [{ by: 'ann', reason: 'the service returned it' }],
    });
    expect(readFileSync(join(batch.dir, 'summary.html'), 'utf8')).toContain('Accepted by ann');
  });

  it('is stopped while it pays, as soon as more left than was ordered', async () => {
    payTwice();
    const env = { BURSAR_BATCH_CANARY_ROWS: '1' };
    const batch = await operators.begin(newRows(PAID), { env });
    await batch.isHeld('BALANCE');
    // A person then accepts all that leaves.
    const sent = await eventually('the service has paid each row twice', async () => {
      const payments = await batch.sent();
      const addresses = new Set(payments.map(({ depositAddress }) => depositAddress));
      const areDone = payments.every(({ state }) => state === 'COMPLETED');
      return areDone && payments.length === 2 * addresses.size ? addresses : undefined;
    });
    expect(sent.size).toBeLessThan(PAID.length);
    const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
    expect(await batch.tell('cancel', 'it pays twice')).toEqual([0, undefined]);
    const held = await eventually('it is held at its end', async () => {
      const { holds, state } = (await batch.status()) as {
        holds: { kind: string }[];
        state: string;
      };
      return state === 'SETTLING' ? holds : undefined;
    });
    expect(held).toMatchObject([{ kind: 'BALANCE' }]);
    expect(await batch.watch()).toEqual({ code: 14, state: 'SETTLING' });
    expect(await batch.tell('resume', 'the service returned it')).toEqual([0, undefined]);
    expect(await batch.watch()).toEqual({ code: 12, state: 'CANCELED' });
    expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates);
  });
});

describe('a balance that proves nothing is no alarm', () => {
  const refuse = (...paths: readonly string[]): void => {
    const body = { errorCode: 'FORBIDDEN', message: 'no' };
    proxy.answerWith((path) => (paths.includes(path) ? { httpStatus: 403, body } : undefined));
  };
  afterEach(() => proxy.answerWith(() => undefined));
  const { ACCOUNT, TRANSACTION_LIST } = DEFAULT_ENDPOINTS;
  const topUp = () => sandboxControl(stack.sandboxUrl).topUp('USDT_TRC20', '1000');

  it.each<[string, () => Promise<unknown>]>([
    ['after a top-up', topUp],
    ['where the service refuses to show it', async () => refuse(ACCOUNT)],
  ])('%s, and the withdrawals that the service lists explain it', async (_what, disturb) => {
    const batch = await operators.begin(newRows(PAID));
    await batch.hasSent();
    await disturb();
    expect(await batch.watch()).toEqual({ code: 0, state: 'COMPLETED' });
    const lines = expect.arrayContaining([
      expect.objectContaining({ currency: 'withdrawals in USDT_TRC20', unexplained: '0' }),
    ]);
    expect(readReport(batch.dir).balance).toMatchObject({ result: 'explained', lines });
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'after a top-up, without a list of transactions',
      async () => {
        refuse(TRANSACTION_LIST);
        await topUp();
      },
      /arrived meanwhile/,
    ],
    [
      'where the service shows neither balance nor transactions',
      async () => refuse(ACCOUNT, TRANSACTION_LIST),
      /cannot be read/,
    ],
  ])('%s', async (_what, disturb, because) => {
    const batch = await operators.begin(newRows(PAID));
    await batch.hasSent();
    await disturb();
    expect(await batch.watch()).toEqual({ code: 0, state: 'COMPLETED' });
    expect(readReport(batch.dir).balance).toMatchObject({
      result: 'not-checkable',
      because: expect.stringMatching(because),
    });
  });
});

describe('a mass payout that ended PARTIAL and calls all of its rows failed later', () => {
  const resendRows = (dir: string): string[] =>
    readPlainCsv(join(dir, 'resend.csv')).map(([address = '']) => address);

  it('adds no row to resend.csv, in no version of the report', async () => {
    const failing = newRows(['0001', '0000']);
    const batch = await operators.begin([...failing, ...newRows(['0000', '0000'])]);
    expect((await batch.watch()).code).toBe(10);
    const offered = resendRows(batch.dir);
    expect(offered).toEqual([failing[0]?.address]);
    const first = readReport(batch.dir).massPayouts[0];
    proxy.answerWith((path, { id }) => deny(path, id, first?.massPayoutId ?? ''));
    const changed = await eventually('the report says what changed', async () => {
      const report = readReport(batch.dir);
      return report.revision.version > 1 ? report : undefined;
    });
    expect(changed.rows).toMatchObject({ paid: 2, failed: 1, unknown: 1 });
    expect(resendRows(batch.dir)).toEqual(offered);
    const { value } = await stack.json('resend', batch.batchId, '--yes', '--dry-run');
    expect(JSON.stringify(value)).not.toContain(failing[1]?.address);
  });

  /** Has this mass payout, and each withdrawal of it, told as FAILED. */
  function deny(path: string, id: unknown, massPayoutId: string) {
    const errors = [{ status: 'FAILED', errorResolved: false, errorMessage: 'declined' }];
    const named = [1, 2].map((nth) => ({ withdrawalId: `${massPayoutId}-${nth}`, errors }));
    if (path === DEFAULT_ENDPOINTS.MASS_GET && id === massPayoutId) {
      const errorsOfAll = { withdrawalErrors: named };
      const body = { id: massPayoutId, state: 'FAILED', errors: errorsOfAll };
      return { httpStatus: 200, body };
    }
    return undefined;
  }
});
