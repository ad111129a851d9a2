import { randomUUID } from 'node:crypto';
import type { Operation } from '@bursar/merchant-api/spec';
import { ACCOUNT, type Client } from './client.ts';
import { create, PLAIN_ADDRESS, row } from './payouts.ts';

/** JSON values in tests. Their amounts need not be exact. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

export type Sample = Readonly<{
  /** A whole body that the operation answers with 200. */
  body: JsonObject;
  /** Paths that may be absent: `payload.comment`, with `*` for any entry of a list. */
  optional: readonly string[];
  /** Numbers that may be negative. */
  signed?: readonly string[];
}>;

/** The objects in the samples, which must exist in the sandbox. */
export type Prepared = Readonly<{
  timestamp: number;
  massPayoutId: string;
  walletAddress: string;
  requestId: string;
}>;

const WEBHOOK_URL = 'http://127.0.0.1:65535/hooks';

const PAGE = { pageNumber: 1, pageSize: 10, sort: 'ASC' } as const;
const PAGE_PATHS = Object.keys(PAGE).map((name) => `payload.${name}`);

/** One transaction rule of each kind of field that a report request can carry. */
export const ZONE_OFFSET = {
  totalSeconds: 3_600,
  id: '+01:00',
  rules: {
    fixedOffset: true,
    transitions: [
      {
        overlap: false,
        gap: true,
        dateTimeAfter: '2026-03-29T03:00:00',
        dateTimeBefore: '2026-03-29T02:00:00',
        instant: '2026-03-29T01:00:00Z',
        duration: {
          seconds: 3_600,
          nano: 0,
          zero: false,
          negative: false,
          units: [{ durationEstimated: false, timeBased: true, dateBased: false }],
        },
      },
    ],
    transitionRules: [
      {
        month: 'MARCH',
        timeDefinition: 'UTC',
        dayOfWeek: 'SUNDAY',
        dayOfMonthIndicator: -1,
        localTime: { hour: 1, minute: 0, second: 0, nano: 0 },
        midnightEndOfDay: false,
      },
    ],
  },
} as const;

const ZONE = 'payload.zoneOffset';

/** One valid body for each operation. */
export function samplesOf(prepared: Prepared): Readonly<Record<Operation, Sample>> {
  const { timestamp, massPayoutId, walletAddress, requestId } = prepared;
  const account = ACCOUNT;
  const channel = { url: WEBHOOK_URL, notificationEventTypes: ['PAYOUT_CONFIRMED'] };
  return {
    ACCOUNT: { body: { timestamp, account }, optional: [] },
    MASS_CREATE: {
      body: {
        timestamp,
        account,
        payload: {
          currency: 'USDT_TRC20',
          name: 'n',
          comment: 'c',
          massAddresses: [{ depositAddress: PLAIN_ADDRESS, amount: 1.5, comment: 'c' }],
          executionDate: '2026-12-01T00:00:00Z',
          idempotencyKey: randomUUID(),
          externalId: 'e',
        },
      },
      optional: ['name', 'comment', 'executionDate', 'externalId', 'massAddresses.*.comment'].map(
        (name) => `payload.${name}`,
      ),
    },
    MASS_GET: {
      body: { timestamp, account, payload: { id: massPayoutId } },
      optional: [],
    },
    LOOKUP: { body: { timestamp, account, payload: { id: massPayoutId } }, optional: [] },
    FEE_CALCULATION: {
      body: {
        timestamp,
        payload: {
          items: [
            { baseAmount: 1, currency: 'BTC', opType: 'WITHDRAWAL', feeType: 'SERVICE' },
            { baseAmount: 0.5, currency: 'BTC', opType: 'INVOICE', feeType: 'FIX' },
          ],
        },
      },
      optional: ['payload.items.*'],
    },
    WEBHOOK_CREATE: {
      body: { timestamp, account, payload: { ...channel, requestId: randomUUID() } },
      optional: ['payload.requestId'],
    },
    WEBHOOK_CHANGE: {
      body: { timestamp, account, payload: { ...channel, requestId } },
      optional: [],
    },
    WEBHOOK_LIST: { body: { timestamp, account }, optional: [] },
    WEBHOOK_DELETE: { body: { timestamp, account, payload: { requestId } }, optional: [] },
    WALLET_LIST: {
      body: {
        timestamp,
        account,
        payload: {
          blockchain: 'TRON',
          currency: 'USDT_TRC20',
          nameOrAddress: 'w',
          properties: 'name',
          ...PAGE,
        },
      },
      optional: [
        ...['blockchain', 'currency', 'nameOrAddress'].map((name) => `payload.${name}`),
        ...PAGE_PATHS,
      ],
    },
    WALLET_CREATE: {
      body: { timestamp, account, payload: { name: 'w', blockchain: 'TRON' } },
      optional: [],
    },
    WALLET_RENAME: {
      body: { timestamp, account, payload: { address: walletAddress, name: 'renamed' } },
      optional: [],
    },
    TRANSACTION_LIST: {
      body: {
        timestamp,
        account,
        payload: {
          walletAddress,
          addressTo: PLAIN_ADDRESS,
          opcodes: ['TOP_UP', 'FEE'],
          currency: 'USDT_TRC20',
          properties: 'createdDate',
          ...PAGE,
        },
      },
      optional: [
        ...['walletAddress', 'addressTo', 'opcodes', 'opcodes.*', 'currency'].map(
          (name) => `payload.${name}`,
        ),
        ...PAGE_PATHS,
      ],
    },
    OPCODES: { body: { timestamp, account }, optional: [] },
    LOOKUP_ADDRESS: {
      body: { timestamp, account, payload: { address: walletAddress } },
      optional: [],
    },
    REPORT: {
      body: {
        timestamp,
        account,
        payload: {
          firstDate: '2026-11-01T00:00:00Z',
          lastDate: '2026-12-01T00:00:00Z',
          blockchainList: 'TRON,ETHEREUM',
          zoneOffset: ZONE_OFFSET,
        },
      },
      optional: [`${ZONE}.`],
      signed: [`${ZONE}.`],
    },
    USER: { body: { timestamp }, optional: [] },
  };
}

/** Makes the objects of the samples. */
export async function prepare(client: Client, timestamp: number): Promise<Prepared> {
  const { id: massPayoutId } = await create(client, [row('1')]);
  const wallet = await client.call('WALLET_CREATE', {
    payload: '{"name":"w","blockchain":"TRON"}',
  });
  const requestId = randomUUID();
  const payload = JSON.stringify({
    url: WEBHOOK_URL,
    notificationEventTypes: ['PAYOUT_CONFIRMED'],
    requestId,
  });
  await client.call('WEBHOOK_CREATE', { payload });
  const { address: walletAddress } = JSON.parse(wallet.text) as { address: string };
  return { timestamp, massPayoutId, walletAddress, requestId };
}
