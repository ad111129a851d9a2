import type { EventType } from './events.ts';

/**
 * Event types after which an account may hold more.
 *
 * ASSUMED: by their names; the spec does not show the meaning of each event.
 */
export const FUNDING_EVENT_TYPES = [
  'TOP_UP_PENDING_COMPLIANCE',
  'TOP_UP_COMPLIANCE_DECLINED',
  'WALLET_FUNDS_DELIVERED_ACCOUNT',
  'SETTLEMENT_TOP_UP_COMPLETED',
  'FIAT_DEPOSIT_ORDER_CREATED',
  'FIAT_DEPOSIT_ORDER_CONFIRM',
  'FIAT_DEPOSIT_FIAT_FUNDS_RECEIVED',
  'FIAT_DEPOSIT_ORDER_EXPIRED',
  'FIAT_DEPOSIT_ORDER_FAILED',
  'FIAT_DEPOSIT_ADJUSTMENT',
  'INVOICE_TRANSLATION_TO_ACCOUNT_COMPLETED',
  'CUSTOMER_PURSE_TRANSLATION_TO_ACCOUNT_COMPLETED',
  'C2C_LIQUIDITY_EXCHANGE_COMPLETED',
  'CRYPTO_TO_CRYPTO_ORDER_COMPLETED',
] as const satisfies readonly EventType[];

/** Prefixes of event types about wallets, top-ups and deposits. The service may add such types. */
export const FUNDING_EVENT_PREFIXES = [
  'WALLET_',
  'SETTLEMENT_WALLET_',
  'TOP_UP_',
  'SETTLEMENT_TOP_UP_',
  'FIAT_DEPOSIT_',
] as const;
