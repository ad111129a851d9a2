import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { UnreadableParts } from '@bursar/merchant-api';
import { readJson } from '../src/json/read-json.ts';
import { readBalances } from '../src/records/balances.ts';
import { readFeeQuotes } from '../src/records/fee-quote.ts';
import { readLookupRecord } from '../src/records/lookup-record.ts';
import { readMassPayoutRecord } from '../src/records/mass-payout.ts';
import { readPayoutRecord } from '../src/records/payout.ts';
import { readTransactionPage } from '../src/records/transaction.ts';
import { UNREADABLE_PARTS_MAX } from '../src/records/unreadable-parts.ts';
import { readWalletPage } from '../src/records/wallet.ts';
import { readWebhookSubscriptions } from '../src/records/webhook-subscription.ts';
import { Unreadable } from '../src/response/unreadable.ts';
import { IDEMPOTENCY_KEY, openClient, openServer } from './support/fixtures.ts';
import {
  HOSTILE_MASS_PAYOUTS,
  ODD_BALANCES,
  ODD_FEE_QUOTES,
  ODD_LOOKUPS,
  ODD_MASS_PAYOUTS,
  ODD_PAYOUTS,
  ODD_SUBSCRIPTIONS,
  ODD_TRANSACTION_PAGES,
  ODD_WALLET_PAGES,
  type OddAnswer,
} from './support/odd-answers.ts';
import { answering } from './support/raw-server.ts';

type Reader = (json: unknown) => object;

const RECORDS: readonly (readonly [string, Reader, readonly OddAnswer[]])[] = [
  ['a mass payout', readMassPayoutRecord, [...ODD_MASS_PAYOUTS, ...HOSTILE_MASS_PAYOUTS]],
  ['a payout', readPayoutRecord, ODD_PAYOUTS],
  ['the record of a lookup', readLookupRecord, ODD_LOOKUPS],
  ['balances', readBalances, ODD_BALANCES],
  ['webhook subscriptions', readWebhookSubscriptions, ODD_SUBSCRIPTIONS],
  ['a page of transactions', readTransactionPage, ODD_TRANSACTION_PAGES],
  ['a page of wallets', readWalletPage, ODD_WALLET_PAGES],
  ['fee quotes', readFeeQuotes, ODD_FEE_QUOTES],
];

const read = (reader: Reader, json: string): object => reader(readJson(Buffer.from(json)));

const partsOf = (value: object): UnreadableParts =>
  'unreadableParts' in value ? (value.unreadableParts as UnreadableParts) : [];

describe.each(RECORDS)('%s', (_record, reader, answers) => {
  it.each(answers)('with %s', (_what, json, value, parts = []) => {
    if (value === 'unreadable') {
      expect(() => read(reader, json)).toThrow(Unreadable);
      return;
    }
    const record = read(reader, json);
    expect(record).toMatchObject(value);
    expect(partsOf(record)).toEqual(parts.map(([path, problem]) => ({ path, problem })));
  });
});

describe('a mass payout with ten thousand entries', () => {
  const entries = (entry: (n: number) => object): string =>
    JSON.stringify({
      id: 'mp-1',
      state: 'PARTIAL',
      errors: { withdrawalErrors: Array.from({ length: 10_000 }, (_, n) => entry(n)) },
    });

  it('is read whole when each entry can be read', () => {
    const record = readMassPayoutRecord(
      readJson(Buffer.from(entries((n) => ({ withdrawalId: `w${n}` })))),
    );
    expect(record.withdrawalErrors).toHaveLength(10_000);
    expect(record.unreadableParts).toEqual([]);
  });

  it('lists the first hundred entries without an id, and counts the others', () => {
    const record = readMassPayoutRecord(readJson(Buffer.from(entries(() => ({})))));
    expect(record.unreadableParts).toHaveLength(UNREADABLE_PARTS_MAX + 1);
    expect(record.unreadableParts.at(-1)).toEqual({
      path: '',
      problem: '9900 more parts cannot be read',
    });
  });
});

it('no unreadable part shows a value or an unknown name of the answer', () => {
  const secret = 'CANARY';
  const json = JSON.stringify({
    id: 'mp-1',
    state: 'PARTIAL',
    name: [secret],
    [secret]: secret,
    errors: { withdrawalErrors: [{ [secret]: secret }, { withdrawalId: { secret } }, secret] },
  });
  const { unreadableParts } = readMassPayoutRecord(readJson(Buffer.from(json)));
  expect(unreadableParts).toHaveLength(4);
  expect(JSON.stringify(unreadableParts)).not.toContain(secret);
});

describe('the whole answer', () => {
  const BODY = '{"id":"mp-1","state":"X","more":{"n":0.10,"none":null},"name":7,"a":1,"a":2}';

  async function answerOf(body: string) {
    const server = await openServer({ onRequest: answering({ body }) });
    return openClient(server.url).readMassPayout({ id: 'mp-1' });
  }

  it('is there for callers who know more, with each number as text', async () => {
    const { raw } = await answerOf(BODY);
    expect(raw).toEqual({
      id: 'mp-1',
      state: 'X',
      more: { n: '0.1', none: null },
      name: '7',
      a: '2',
    });
  });

  it('is the same value each time', async () => {
    const answer = await answerOf(BODY);
    expect(answer.raw).toBe(answer.raw);
  });

  it('is in no log, no JSON and no copy of the answer', async () => {
    const answer = await answerOf(BODY.replace('0.10', '"CANARY"'));
    const shown = [inspect(answer, { depth: null, showHidden: true }), JSON.stringify(answer)];
    expect(shown.join()).not.toContain('CANARY');
    expect({ ...answer }).not.toHaveProperty('raw');
    expect(Object.keys(answer)).not.toContain('raw');
  });

  it('is null when the body is empty', async () => {
    const server = await openServer({ onRequest: answering({ body: '' }) });
    const { raw } = await openClient(server.url).deleteWebhookSubscription({
      requestId: IDEMPOTENCY_KEY,
    });
    expect(raw).toBeNull();
  });
});
