import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { type Serve, serveLocally } from './local-server.ts';

/** Where a stranger serves its operations. */
export type StrangerPaths = Readonly<{
  account: string;
  create: string;
  read: string;
  /** Finds a mass payout or a withdrawal; missing: there is no such operation. */
  find?: string;
}>;

export type StrangerOptions = Readonly<{
  key: string;
  secret: string;
  account: string;
  paths: StrangerPaths;
  /** Whether a read names the mass payout beside the timestamp, and not in a payload. */
  isFlat: boolean;
  /** Whether a withdrawal to the address fails. */
  fails(address: string): boolean;
  /** Whether the connection is cut after this create was done, counted from 1. */
  cutsAnswer(create: number): boolean;
}>;

/** A withdrawal in the books of the stranger. Amounts are decimal text, as the request had them. */
export type StrangerWithdrawal = Readonly<{
  id: string;
  massPayoutId: string;
  address: string;
  amount: string;
  comment: string;
  hasFailed: boolean;
}>;

type StrangerPayout = Readonly<{
  id: string;
  key: string;
  currency: string;
  createdMs: number;
  fields: Readonly<Record<string, unknown>>;
  withdrawals: readonly StrangerWithdrawal[];
}>;

type Body = Readonly<Record<string, unknown>>;
type Reply = Readonly<{ status: number; text: string }>;

const WINDOW_MS = 180_000;
const OPENING_UNITS = 10n ** 15n;
/** How long a mass payout stays in each state before its end, in milliseconds. */
const STATE_MS = 100;

/**
 * A payment service that was written from the specification alone, and shares no code with the sandbox. It has the three known
 * operations, and one that finds objects where `paths` has it. Nothing else is served.
 */
export async function startStranger(options: StrangerOptions) {
  const books = createBooks(options);
  const serve: Serve = async (request, response) => {
    const text = await textOf(request);
    const operation = operationAt(options.paths, request);
    if (operation === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' });
      return void response.end(`Cannot ${request.method} ${request.url}`);
    }
    const reply = refusalOf(options, request, text) ?? books.answer(operation, text);
    if (operation === 'create' && reply.status === 200 && options.cutsAnswer(books.creates())) {
      return void response.destroy();
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(reply.text);
  };
  const { url, stop } = await serveLocally(serve);
  return {
    url,
    withdrawals: books.withdrawals,
    creates: books.creates,
    stop,
  };
}

type StrangerOperation = keyof StrangerPaths;

function operationAt(
  paths: StrangerPaths,
  { method, url }: IncomingMessage,
): StrangerOperation | undefined {
  if (method !== 'POST') return undefined;
  const found = Object.entries(paths).find(([, path]) => path === url);
  return found?.[0] as StrangerOperation | undefined;
}

/** Signature, time and account, as "Authentication" and "Request envelope" have them. */
function refusalOf(
  { key, secret, account }: StrangerOptions,
  { headers }: IncomingMessage,
  text: string,
): Reply | undefined {
  const sign = Buffer.from(String(headers['sign']), 'hex');
  const expected = createHmac('sha512', secret).update(text).digest();
  const isSigned = sign.length === expected.length && timingSafeEqual(sign, expected);
  if (headers['key'] !== key || !isSigned) return refusal(401, 'BAD_SIGNATURE', 'wrong signature');
  const body = JSON.parse(text) as Body;
  const ageMs = Math.abs(Date.now() - Number(body['timestamp']));
  if (!(ageMs <= WINDOW_MS)) return refusal(400, 'BAD_TIME', 'the timestamp is out of the window');
  return body['account'] === account ? undefined : refusal(403, 'BAD_ACCOUNT', 'not your account');
}

const refusal = (status: number, errorCode: string, message: string): Reply => ({
  status,
  text: JSON.stringify({ traceId: randomUUID(), errorCode, message }),
});

function createBooks({ account, isFlat, fails }: StrangerOptions) {
  const payouts = new Map<string, StrangerPayout>();
  const withdrawals = new Map<string, StrangerWithdrawal>();
  let created = 0;

  const create = (text: string): Reply => {
    const { payload = {} } = JSON.parse(text) as { payload?: Record<string, unknown> };
    const { massAddresses, currency, idempotencyKey, ...fields } = payload;
    const key = String(idempotencyKey);
    const before = [...payouts.values()].find((one) => one.key === key);
    if (before !== undefined) return found(before);
    const id = randomUUID();
    const amounts = [...text.matchAll(/"amount":(\d+(?:\.\d+)?)/g)].map(([, amount]) => amount);
    const items = (massAddresses as Record<string, string>[]).map((item, at) => {
      const address = item['depositAddress'] ?? '';
      const comment = item['comment'] ?? '';
      const amount = amounts[at] ?? '';
      const hasFailed = fails(address);
      return { id: randomUUID(), massPayoutId: id, address, amount, comment, hasFailed };
    });
    for (const item of items) withdrawals.set(item.id, item);
    const one = { id, key, currency: String(currency), createdMs: Date.now(), fields };
    payouts.set(id, { ...one, withdrawals: items });
    created += 1;
    return found({ ...one, withdrawals: items });
  };

  const find = (named: Body, withWithdrawals: boolean): Reply => {
    const { id, idempotencyKey, ...others } = named;
    if (Object.keys(others).length > 0 || (id === undefined) === (idempotencyKey === undefined)) {
      return refusal(400, 'BAD_REQUEST', 'id or idempotencyKey, and nothing else');
    }
    const payout = [...payouts.values()].find((one) => one.id === id || one.key === idempotencyKey);
    if (payout !== undefined) return found(payout);
    const withdrawal = withWithdrawals ? withdrawals.get(String(id)) : undefined;
    if (withdrawal === undefined) return refusal(404, 'NOT_FOUND', 'no such object');
    return { status: 200, text: `{"data":${withdrawalText(withdrawal)}}` };
  };

  const found = (payout: StrangerPayout): Reply => ({ status: 200, text: payoutText(payout) });

  const payoutText = ({
    id,
    key,
    currency,
    createdMs,
    fields,
    withdrawals: items,
  }: StrangerPayout) => {
    const steps = Math.floor((Date.now() - createdMs) / STATE_MS);
    const failed = items.filter(({ hasFailed }) => hasFailed);
    const end = failed.length === 0 ? 'COMPLETED' : 'PARTIAL';
    const state = ['CREATION_IN_PROGRESS', 'CONFIRMED', 'IN_PROGRESS'][steps] ?? end;
    const errors = { withdrawalErrors: state === 'PARTIAL' ? failed.map(errorOf) : [] };
    const facts = { ...fields, id, idempotencyKey: key, account, state, currency, errors };
    const total = decimal(items.reduce((sum, { amount }) => sum + units(amount), 0n));
    const numbers = `"totalWithdrawalAmount":${total},"totalFee":0,"totalFeePercentage":0`;
    return `${JSON.stringify(facts).slice(0, -1)},${numbers}}`;
  };

  const withdrawalText = ({
    id,
    massPayoutId,
    address,
    amount,
    comment,
    hasFailed,
  }: StrangerWithdrawal) => {
    const { currency = '', createdMs = 0 } = payouts.get(massPayoutId) ?? {};
    const state = hasFailed ? 'FAILED' : 'COMPLETED';
    const createdDate = new Date(createdMs).toISOString();
    const facts = { id, account, depositAddress: address, currency, comment, state, createdDate };
    return `${JSON.stringify({ ...facts, feeCurrency: currency }).slice(0, -1)},"amount":${amount},"fee":0,"feePercentage":0}`;
  };

  const balanceText = (): string => {
    const paid = [...withdrawals.values()].filter(({ hasFailed }) => !hasFailed);
    const left = OPENING_UNITS - paid.reduce((sum, { amount }) => sum + units(amount), 0n);
    const owner = { account, name: 'Main', ownerId: randomUUID() };
    const balances = `[{"currency":"USDT_TRC20","amount":${decimal(left)}}]`;
    return `${JSON.stringify(owner).slice(0, -1)},"balances":${balances}}`;
  };

  return {
    withdrawals: (): readonly StrangerWithdrawal[] => [...withdrawals.values()],
    creates: () => created,
    answer(operation: StrangerOperation, text: string): Reply {
      const { timestamp: _time, account: _account, ...rest } = JSON.parse(text) as Body;
      const payload = (rest['payload'] ?? {}) as Body;
      switch (operation) {
        case 'account':
          return { status: 200, text: balanceText() };
        case 'create':
          return create(text);
        case 'read':
          return find(isFlat ? rest : payload, false);
        case 'find':
          return find(payload, true);
      }
    },
  };
}

const errorOf = ({ id }: StrangerWithdrawal) => ({
  withdrawalId: id,
  errors: [
    { id: 7, status: 'REJECTED', errorResolved: false, errorMessage: 'the node refused it' },
  ],
});

const PLACES = 6;
const units = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
};
const decimal = (sum: bigint): string => {
  const digits = String(sum).padStart(PLACES + 1, '0');
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
};
