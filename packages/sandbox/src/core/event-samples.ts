import {
  EVENT_TYPES_OF_GROUP,
  EVENT_GROUPS,
  type EventGroup,
  type EventType,
} from '@bursar/merchant-api/spec';

/** The values that a sample contains. */
export type SampleFacts = Readonly<{
  account: string;
  nowMs: number;
  /** Returns a new id. A sample never names an object that exists. */
  newId(): string;
}>;

type Data = Readonly<Record<string, unknown>>;

/**
 * ASSUMED: the spec shows the data of no event, and the meaning of few.
 * Each group has the fields of the documented records of such objects, or plausible ones.
 */
const FIELDS_OF_GROUP: Readonly<Record<EventGroup, (facts: SampleFacts) => Data>> = {
  PAYOUT: payout,
  SETTLEMENT_PAYOUT: (facts) => ({ ...payout(facts), ...settlement() }),
  SETTLEMENT_ADAPTER: (facts) => ({ ...transfer(facts), ...settlement() }),
  SETTLEMENT_WALLET: (facts) => ({ ...transfer(facts), ...settlement() }),
  WALLET: transfer,
  INVOICE: (facts) => ({ ...order(facts), address: ADDRESS, expirationDate: inAnHour(facts) }),
  C2C_LIQUIDITY: exchange,
  FIAT_APPLIER: fiatOrder,
  FIAT_DEPOSIT: fiatOrder,
  FIAT_WITHDRAWAL: fiatOrder,
  CRYPTO_TO_CRYPTO: exchange,
  CRYPTO_TO_FIAT: exchange,
  BUSINESS_WALLET: (facts) => ({ ...transfer(facts), limit: '10000' }),
  SYSTEM: ({ newId, nowMs }) => ({ id: newId(), message: 'Sample.', createdDate: date(nowMs) }),
  LIQUIDITY: ({ newId }) => ({ id: newId(), currency: CURRENCY, amount: '0.5' }),
  RECURRENT: order,
  PAYMENT_WIDGET: (facts) => ({ ...order(facts), expirationDate: inAnHour(facts) }),
  CUSTOMER_PURSE: (facts) => ({ ...transfer(facts), customerId: facts.newId() }),
};

/**
 * The states of payouts that the names of events do not contain. Spec: "Mass payout moves". The
 * state after a failed validation is that of `walk.ts`.
 */
const STATE_OF_TYPE: Readonly<Partial<Record<EventType, string>>> = {
  PAYOUT_CHANGE_STATUS: 'COMPLETED',
  PAYOUT_CREATED_NOT_APPROVED: 'PENDING_CONFIRMATION',
  PAYOUT_CREATED_PARTLY_APPROVED: 'PENDING_CONFIRMATION',
  PAYOUT_IN_PROGRESS_NOT_SENT: 'IN_PROGRESS',
  PAYOUT_VALIDATION_ERROR: 'FAILED',
  PAYOUT_NO_CONFIRMATION_FOR_PAYOUT_TO_DATE: 'PENDING_CONFIRMATION',
  SETTLEMENT_PAYOUT_CHANGE_STATUS: 'COMPLETED',
  SETTLEMENT_PAYOUT_CREATED_NOT_APPROVED: 'PENDING_CONFIRMATION',
  SETTLEMENT_PAYOUT_CREATED_PARTLY_APPROVED: 'PENDING_CONFIRMATION',
  SETTLEMENT_PAYOUT_IN_PROGRESS_NOT_SENT: 'IN_PROGRESS',
  SETTLEMENT_PAYOUT_VALIDATION_ERROR: 'FAILED',
  SETTLEMENT_PAYOUT_WITHDRAWAL_COMPLETED: 'COMPLETED',
};

const GROUP_OF_TYPE = new Map(
  EVENT_GROUPS.flatMap((group) =>
    EVENT_TYPES_OF_GROUP[group].map((type) => [type, group] as const),
  ),
);

export function groupOf(type: EventType): EventGroup {
  const group = GROUP_OF_TYPE.get(type);
  if (group === undefined) throw new Error(`${type} is in no group.`);
  return group;
}

/**
 * Returns plausible data of an event of any type, for an object that does not exist. Amounts are
 * text.
 */
export function sampleData(type: EventType, facts: SampleFacts): Data {
  const group = groupOf(type);
  return { ...FIELDS_OF_GROUP[group](facts), state: STATE_OF_TYPE[type] ?? stateIn(type, group) };
}

/** The part of a type's name behind its group: EXPIRED of INVOICE_EXPIRED. */
const stateIn = (type: EventType, group: EventGroup): string =>
  type.startsWith(`${group}_`) ? type.slice(group.length + 1) : type;

const CURRENCY = 'USDT_TRC20';
const ADDRESS = 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK';
const TRANSACTION_HASH = '5a4db0c5'.repeat(8);

const date = (atMs: number): string => new Date(atMs).toISOString();

const inAnHour = ({ nowMs }: SampleFacts): string => date(nowMs + 3_600_000);

function payout({ newId }: SampleFacts): Data {
  return { id: newId(), idempotencyKey: newId(), externalId: 'sample' };
}

function settlement(): Data {
  return { walletAddress: ADDRESS, blockchain: 'TRON' };
}

function transfer({ newId, nowMs }: SampleFacts): Data {
  return {
    id: newId(),
    address: ADDRESS,
    amount: '10.5',
    currency: CURRENCY,
    transactionHash: TRANSACTION_HASH,
    createdDate: date(nowMs),
  };
}

function order({ newId, nowMs }: SampleFacts): Data {
  const createdDate = date(nowMs);
  return { id: newId(), externalId: 'sample', amount: '10.5', currency: CURRENCY, createdDate };
}

function fiatOrder(facts: SampleFacts): Data {
  return { ...order(facts), fiatAmount: '10', fiatCurrency: 'EUR' };
}

function exchange({ newId, nowMs }: SampleFacts): Data {
  return {
    id: newId(),
    amountFrom: '10.5',
    currencyFrom: CURRENCY,
    amountTo: '0.0001',
    currencyTo: 'BTC',
    createdDate: date(nowMs),
  };
}
