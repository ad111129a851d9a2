import { z } from 'zod';
import { EVENT_TYPES_OF_GROUP, EVENT_GROUPS, type EventGroup } from '@bursar/merchant-api/spec';
import { AccountValue, CurrencyValue, DateTimeValue, TransactionHashValue } from './values.ts';

/*
 * ASSUMED: the spec shows the data of no event. These are the fields of the sandbox's own events,
 * and of the samples that the admin API triggers; see core/event-samples.
 */

const AmountText = z.string().describe('An exact decimal as text.');

const Common = { id: z.string(), state: z.string() };
const Created = { createdDate: DateTimeValue };
const Money = { amount: AmountText, currency: CurrencyValue };

const PayoutData = z.object({
  ...Common,
  idempotencyKey: z.string(),
  externalId: z.string().optional(),
});

const Settlement = { walletAddress: z.string(), blockchain: z.string() };

const Transfer = {
  ...Common,
  ...Created,
  ...Money,
  address: z.string(),
  transactionHash: TransactionHashValue,
};

/** A top-up contains the money, its wallet and its transaction. A sample contains more. */
const TopUpData = z.object({
  ...z.object({ ...Transfer, ...Settlement }).partial().shape,
  ...Money,
  transactionHash: TransactionHashValue,
});

const Order = { ...Common, ...Created, ...Money, externalId: z.string() };
const WithEnd = { expirationDate: DateTimeValue };

const FiatOrderData = z.object({
  ...Order,
  fiatAmount: AmountText,
  fiatCurrency: z.string(),
});

const ExchangeData = z.object({
  ...Common,
  ...Created,
  amountFrom: AmountText,
  currencyFrom: CurrencyValue,
  amountTo: AmountText,
  currencyTo: CurrencyValue,
});

const DATA_OF_GROUP: Readonly<Record<EventGroup, z.ZodType>> = {
  PAYOUT: PayoutData,
  SETTLEMENT_PAYOUT: PayoutData.extend(Settlement),
  SETTLEMENT_ADAPTER: z.object({ ...Transfer, ...Settlement }),
  SETTLEMENT_WALLET: TopUpData,
  WALLET: TopUpData.omit({ blockchain: true }),
  INVOICE: z.object({ ...Order, ...WithEnd, address: z.string() }),
  C2C_LIQUIDITY: ExchangeData,
  FIAT_APPLIER: FiatOrderData,
  FIAT_DEPOSIT: FiatOrderData,
  FIAT_WITHDRAWAL: FiatOrderData,
  CRYPTO_TO_CRYPTO: ExchangeData,
  CRYPTO_TO_FIAT: ExchangeData,
  BUSINESS_WALLET: z.object({ ...Transfer, limit: AmountText }),
  SYSTEM: z.object({ ...Common, ...Created, message: z.string() }),
  LIQUIDITY: z.object({ ...Common, ...Money }),
  RECURRENT: z.object(Order),
  PAYMENT_WIDGET: z.object({ ...Order, ...WithEnd }),
  CUSTOMER_PURSE: z.object({ ...Transfer, customerId: z.string() }),
};

/** The body of the webhooks of each group that has events, in the mode `nested`. */
export const EVENT_BODIES: ReadonlyMap<EventGroup, z.ZodType> = new Map(
  EVENT_GROUPS.filter((group) => EVENT_TYPES_OF_GROUP[group].length > 0).map((group) => [
    group,
    z.object({
      type: z.enum(EVENT_TYPES_OF_GROUP[group]),
      account: AccountValue,
      data: DATA_OF_GROUP[group],
    }),
  ]),
);
