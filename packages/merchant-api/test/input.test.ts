import { describe, expect, it } from '@jest/globals';
import type { FeeItem, MassPayoutInput, Reference } from '@bursar/merchant-api';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import {
  failureOf,
  IDEMPOTENCY_KEY,
  MASS_PAYOUT,
  openClient,
  openServer,
} from './support/fixtures.ts';
import { answering } from './support/raw-server.ts';

const FEE_ITEM: FeeItem = {
  baseAmount: '10',
  currency: 'USDT_TRC20',
  opType: 'WITHDRAWAL',
  feeType: 'SERVICE',
};

const STORED =
  '{"currency":"USDT_TRC20","massAddresses":[{"depositAddress":"T1","amount":12.5}],' +
  `"idempotencyKey":"${IDEMPOTENCY_KEY}"}`;

describe('an operation that the service does not have', () => {
  it('fails as unavailable and sends nothing', async () => {
    const server = await openServer({});
    const client = openClient(server.url, { endpoints: { FEE_CALCULATION: '' } });
    const error = await failureOf(client.calculateFees({ items: [FEE_ITEM] }));
    expect(error).toMatchObject({ kind: 'unavailable', operation: 'FEE_CALCULATION' });
    expect(server.connectionCount()).toBe(0);
  });

  it('is known beforehand', () => {
    const client = openClient('http://127.0.0.1:1', { endpoints: { LOOKUP: '' } });
    expect(OPERATIONS.filter((operation) => !client.hasOperation(operation))).toEqual(['LOOKUP']);
  });
});

describe('wrong input', () => {
  const [address] = MASS_PAYOUT.massAddresses;
  const payout = (change: object): MassPayoutInput => ({ ...MASS_PAYOUT, ...change });
  const payoutTo = (change: object): MassPayoutInput =>
    payout({ massAddresses: [{ ...address, ...change }] });
  const storedPayout = (from: string, to: string): { payloadText: string } => ({
    payloadText: STORED.replace(from, to),
  });

  it.each<[string, MassPayoutInput | { payloadText: string }]>([
    ['no recipients', payout({ massAddresses: [] })],
    ['no currency', payout({ currency: '' })],
    ['no idempotency key', payout({ idempotencyKey: undefined })],
    ['an idempotency key that is no UUID', payout({ idempotencyKey: 'batch-1' })],
    ['an undocumented field', payout({ priority: 'high' })],
    ['an undocumented field of a recipient', payoutTo({ memo: '1' })],
    ['an amount that is a JavaScript number', payoutTo({ amount: 12.5 })],
    ['a negative amount', payoutTo({ amount: '-1' })],
    ['an amount with an exponent', payoutTo({ amount: '1e3' })],
    ['an amount with too many digits', payoutTo({ amount: `0.${'1'.repeat(37)}` })],
    ['no address', payoutTo({ depositAddress: '' })],
    ['half a character in an address', payoutTo({ depositAddress: 'T\ud83d' })],
    ['half a character in the comment of a recipient', payoutTo({ comment: '\udcb6' })],
    ['half a character in its comment', payout({ comment: 'x\ud83d' })],
    ['nothing at all', undefined as never],
    ['stored text that is none', { payloadText: 7 as never }],
    ['an execution date without an offset', payout({ executionDate: '2026-11-20T10:00:00' })],
    ['stored text that is not JSON', { payloadText: '{"currency":' }],
    ['stored text that is no object', { payloadText: '[]' }],
    ['stored text that closes the envelope', { payloadText: '{}},"account":"0x0"' }],
    [
      'stored text with an undocumented field',
      storedPayout('"currency"', '"priority":1,"currency"'),
    ],
    ['stored text with a field twice', storedPayout('"currency"', '"currency":"BTC","currency"')],
    [
      'stored text with an undocumented null',
      storedPayout('"currency"', '"priority":null,"currency"'),
    ],
    ['stored text with an amount as text', storedPayout('12.5', '"12.5"')],
    ['stored text with an exponent', storedPayout('12.5', '1e3')],
    ['stored text with half a character', storedPayout('T1', 'T1\ud800')],
  ])('of a create with %s is refused before anything is sent', async (_what, input) => {
    const server = await openServer({});
    const error = await failureOf(openClient(server.url).createMassPayout(input));
    expect(error).toMatchObject({ kind: 'invalid-input', operation: 'MASS_CREATE' });
    expect(server.connectionCount()).toBe(0);
  });

  it('is a proper create when nothing was changed', async () => {
    const server = await openServer({
      onRequest: answering({ body: '{"id":"mp-1","state":"CONFIRMED"}' }),
    });
    const client = openClient(server.url);
    await client.createMassPayout(payoutTo({}));
    await client.createMassPayout(storedPayout('', ''));
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['neither id nor key', {}],
    ['both id and key', { id: '1', idempotencyKey: IDEMPOTENCY_KEY }],
    ['an empty id', { id: '' }],
    ['a key that is no UUID', { idempotencyKey: '1' }],
  ])('of a lookup with %s is refused before anything is sent', async (_what, reference) => {
    const server = await openServer({});
    const client = openClient(server.url);
    for (const call of [client.lookup, client.readMassPayout]) {
      const error = await failureOf(call(reference as Reference));
      expect(error.kind).toBe('invalid-input');
    }
    expect(server.connectionCount()).toBe(0);
  });

  it('of a fee calculation without items is refused', async () => {
    const client = openClient('http://127.0.0.1:1');
    const error = await failureOf(client.calculateFees({ items: [] }));
    expect(error).toMatchObject({ kind: 'invalid-input', operation: 'FEE_CALCULATION' });
  });

  it.each([
    ['an account that is none', { account: 'main' }, {}],
    ['a timestamp with a fraction', {}, { timestampMs: 1.5 }],
    ['a timestamp before time began', {}, { timestampMs: -1 }],
  ])('with %s is refused', async (_what, input, call) => {
    const client = openClient('http://127.0.0.1:1');
    expect((await failureOf(client.readBalance(input, call))).kind).toBe('invalid-input');
  });

  it('names a field that is too much without its hidden characters, and cut', async () => {
    const client = openClient('http://127.0.0.1:1');
    const name = `\u001B[2J\n\u202E${'x'.repeat(1_000)}`;
    const { reason } = await failureOf(client.createMassPayout(payout({ [name]: 1 })));
    expect(reason).toMatch(/^input: Unrecognized key: "\[2Jx+$/);
    expect(reason).toHaveLength(300);
  });

  it.each([Symbol('0x'), { toString: () => `0x${'1'.repeat(40)}` }, 7])(
    'of an account that is no text is refused',
    async (account) => {
      const client = openClient('http://127.0.0.1:1');
      const error = await failureOf(client.readBalance({ account: account as never }));
      expect(error.kind).toBe('invalid-input');
    },
  );

  it('names the field and never its value', async () => {
    const client = openClient('http://127.0.0.1:1');
    const error = await failureOf(client.createMassPayout(payoutTo({ amount: 'CANARY' })));
    expect(error.message).toBe(
      'MASS_CREATE was not sent: massAddresses.0.amount: ' +
        'not a plain decimal of at most 30 + 36 digits.',
    );
  });
});
