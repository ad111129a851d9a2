import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { idempotencyKeyOf } from '../../src/domain/sending/identity.ts';
import { createMerchantClient, type MassPayout } from '@bursar/merchant-api';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { type MadeUpAnswer, startAnswerProxy } from '../support/answer-proxy.ts';
import { ledgerWithdrawals, requestsOf } from '../support/oracle.ts';
import { sampleRows, type SampleRow, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
let proxy: Awaited<ReturnType<typeof startAnswerProxy>>;
let next = 0;

const STRANGERS = 'made by hand';

beforeAll(async () => {
  proxy = await startAnswerProxy(() => stack.sandboxUrl);
  stack = await startTestStack({
    folder: sharedFolder(),
    env: { BURSAR_API_BASE_URL: proxy.url, BURSAR_BATCH_CHUNK_ROWS: '10' },
  });
});
afterAll(async () => {
  await stack.stop();
  await proxy.close();
});

/** A mass payout of the same account that no batch of ours made, another one each time, or under this key. */
async function payStranger(idempotencyKey: string = randomUUID()): Promise<MassPayout> {
  const api = createMerchantClient({
    baseUrl: stack.sandboxUrl,
    key: stack.env.BURSAR_API_KEY,
    secret: 'test-secret',
    account: stack.env.BURSAR_API_ACCOUNT,
  });
  const [row] = sampleRows({ rows: 1, currencies: ['USDT_TRC20'] });
  const { value } = await api.createMassPayout({
    currency: 'USDT_TRC20',
    idempotencyKey,
    externalId: 'made-by-hand',
    massAddresses: [{ depositAddress: row?.address ?? '', amount: '1', comment: STRANGERS }],
  });
  await api.close();
  return value;
}

/** A file of three chunks whose rows no other test has. */
function newFile(): { file: string; batchId: string; rows: SampleRow[] } {
  next += 1;
  const rows = sampleRows({ rows: 30 * next, currencies: ['USDT_TRC20'] }).slice(-30);
  const file = join(stack.folder, `payroll ${next}.csv`);
  writeSample(file, rows);
  return { file, batchId: newBatchId(), rows };
}

const keyOf = (batchId: string, chunk: number): string =>
  idempotencyKeyOf({ account: stack.env.BURSAR_API_ACCOUNT, batchId, chunk, generation: 0 });

/** Has questions for a key answered with this record: at once, or once a create under it was sent. */
function answerFor(
  key: string,
  body: MadeUpAnswer['body'],
  since: 'at once' | 'once created',
): void {
  let answers = since === 'at once';
  proxy.answerWith((path, { idempotencyKey }) => {
    if (idempotencyKey !== key) return undefined;
    answers ||= path === DEFAULT_ENDPOINTS.MASS_CREATE;
    const isAsked = path === DEFAULT_ENDPOINTS.MASS_GET;
    return answers && isAsked ? { httpStatus: 200, body } : undefined;
  });
}

const createsOf = async (key: string): Promise<number> =>
  (await requestsOf(stack.sandboxUrl, 'MASS_CREATE')).filter((of) => of.idempotencyKey === key)
    .length;

/** What the sandbox made of these rows. */
async function withdrawalsOf(rows: readonly SampleRow[]) {
  const ours = new Set(rows.map(({ address }) => address));
  return (await ledgerWithdrawals(stack.sandboxUrl)).filter(
    ({ comment, depositAddress }) => comment !== STRANGERS && ours.has(depositAddress),
  );
}

const resolve = (batchId: string, chunk: number, ...answer: string[]) =>
  stack.bursar('resolve', batchId, String(chunk), ...answer, '--reason', 'looked it up');

/** What made one mass payout another than it should be may do the same to others, so the batch waits for a person. */
async function goOn(batchId: string): Promise<void> {
  const { value } = await stack.json('status', batchId);
  const reason = expect.stringMatching(
    /^the mass payout of chunk \d is not what was asked for$|^lookups cannot be relied on/,
  );
  expect(value['holds']).toMatchObject([{ kind: 'PAUSE', by: 'Bursar', reason }]);
  const { code, err } = await stack.bursar('resume', batchId, '--reason', 'looked it up');
  // Where all others had left before, nothing was held.
  if (code !== 0) expect(err).toContain('BATCH_ENDED');
}

/** `reason`: what a person is asked when another lookup finds the right one. What cannot differ may be a second payment. */
describe.each<[string, (stranger: MassPayout) => MadeUpAnswer['body'], string]>([
  [
    'everything but the key',
    (stranger) => ({ ...stranger, idempotencyKey: undefined }),
    'PAYOUT_DIFFERS',
  ],
  ['no more than id and state', ({ id, state }) => ({ id, state }), 'TWO_PAYOUTS'],
])('a lookup by key that returns the mass payout of another one, %s', (_what, tell, reason) => {
  it('leads to no send, to an operator, and to no paid row', async () => {
    const { file, batchId, rows } = newFile();
    const key = keyOf(batchId, 1);
    answerFor(key, tell(await payStranger()), 'at once');
    const { code, value } = await stack.json('submit', file, '--id', batchId, '--yes');
    expect(code).toBe(14);
    expect(value['needsOperator']).toMatchObject([{ chunk: 1, reason: 'PAYOUT_DIFFERS' }]);

    const denied = await resolve(batchId, 1, 'not-created');
    expect([denied.code, denied.err]).toEqual([2, expect.stringContaining('ANSWER_IMPOSSIBLE')]);
    expect((await resolve(batchId, 1, 'abandon')).code).toBe(0);
    await goOn(batchId);
    const ended = await stack.json('watch', batchId);
    expect([ended.code, ended.value['state']]).toEqual([10, 'PARTIAL']);
    expect(ended.value['rows']).toMatchObject({ paid: 20, unknown: 10, failed: 0, notSent: 0 });
    expect(existsSync(join(stack.folder, 'runs', batchId, 'resend.csv'))).toBe(false);
    expect(await withdrawalsOf(rows)).toHaveLength(20);
    expect(await createsOf(key)).toBe(0);
  });

  it('leads to no second send of an ambiguous create; the right mass payout can be adopted', async () => {
    const { file, batchId, rows } = newFile();
    const key = keyOf(batchId, 0);
    const control = sandboxControl(stack.sandboxUrl);
    const stranger = await payStranger();
    await control.fault({ target: 'MASS_CREATE', kind: 'accept-then-drop', next: 1 });
    answerFor(key, tell(stranger), 'once created');
    const { code, value } = await stack.json('submit', file, '--id', batchId, '--yes');
    expect(code).toBe(14);
    expect(value['needsOperator']).toMatchObject([{ chunk: 0, reason }]);

    const [ours] = (await withdrawalsOf(rows)).filter((of) => of.idempotencyKey === key);
    expect((await resolve(batchId, 0, 'adopt', ours?.massPayoutId ?? '')).code).toBe(0);
    await goOn(batchId);
    const ended = await stack.json('watch', batchId);
    const isTwice = reason === 'TWO_PAYOUTS';
    expect([ended.code, ended.value['state'], ended.value['rows']]).toEqual([
      ...(isTwice ? [14, 'PARTIAL'] : [0, 'COMPLETED']),
      expect.objectContaining({ paid: 30 }),
    ]);
    expect(ended.value['paidTwice']).toHaveLength(isTwice ? 10 : 0);
    expect(await withdrawalsOf(rows)).toHaveLength(30);
    expect(await createsOf(key)).toBe(1);
    await control.clearFaults();
  });
});

describe('a create that is answered with the record of another mass payout', () => {
  /** Chunk 1 of a new batch is for a person; nothing was sent for it but what was answered so wrongly. */
  async function expectAQuestion({ file, batchId, rows }: ReturnType<typeof newFile>) {
    const { code, value } = await stack.json('submit', file, '--id', batchId, '--yes');
    expect(code).toBe(14);
    expect(value['needsOperator']).toMatchObject([{ chunk: 1, reason: 'PAYOUT_DIFFERS' }]);
    expect((await resolve(batchId, 1, 'abandon')).code).toBe(0);
    await goOn(batchId);
    const ended = await stack.json('watch', batchId);
    expect(ended.value['rows']).toMatchObject({ paid: 20, unknown: 10, failed: 0, notSent: 0 });
    expect(await withdrawalsOf(rows)).toHaveLength(20);
  }

  it.each<[string, (stranger: MassPayout) => MadeUpAnswer['body']]>([
    ['whole', (stranger) => ({ ...stranger })],
    ['without its key', (stranger) => ({ ...stranger, idempotencyKey: undefined })],
  ])('%s, is for a person: it neither counts nor is sent again', async (_what, tell) => {
    const file = newFile();
    const key = keyOf(file.batchId, 1);
    const body = tell(await payStranger());
    let answered = 0;
    proxy.answerWith((path, { idempotencyKey }) => {
      if (idempotencyKey !== key || path !== DEFAULT_ENDPOINTS.MASS_CREATE) return undefined;
      answered += 1;
      return { httpStatus: 200, body };
    });
    await expectAQuestion(file);
    expect([answered, await createsOf(key)]).toEqual([1, 0]);
  });

  it('because its key was used before, for another body, is for a person, too', async () => {
    const file = newFile();
    const key = keyOf(file.batchId, 1);
    await payStranger(key);
    proxy.answerWith(() => undefined);
    const modes = 'idempotency=replay-even-if-other-body, lookupByKey=absent';
    proxy.playWith((_path, { idempotencyKey }) => (idempotencyKey === key ? modes : undefined));
    await expectAQuestion(file);
    expect(await createsOf(key)).toBe(2);
  });
});
