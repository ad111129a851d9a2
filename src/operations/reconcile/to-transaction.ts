import type { WalletTransaction } from '../../domain/reconcile/wallet-transaction.ts';
import type { Transaction } from '@bursar/merchant-api';

/** Longest text that can be the hash of a transaction, in characters. */
const HASH_LENGTH_MAX = 200;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** ASSUMED: a date-time without a zone is in UTC; the spec states only that it is a date-time. */
function instantMs(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const atMs = Date.parse(match[1] === undefined ? `${text}Z` : text);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** A record of the service as a transaction. A record without a hash is not in the chain yet. */
export function toTransaction(record: Transaction): WalletTransaction {
  const { transactionHash: hash = '', createdDate = '', amount, currency, opCode } = record;
  const { addressTo, serviceFee, serviceFeeCurrency, networkFee, networkFeeCurrency } = record;
  return {
    amount,
    currency,
    opCode,
    addressTo,
    atMs: instantMs(createdDate),
    hash: hash === '' || hash.length > HASH_LENGTH_MAX ? undefined : hash,
    serviceFee,
    serviceFeeCurrency,
    networkFee,
    networkFeeCurrency,
  };
}
