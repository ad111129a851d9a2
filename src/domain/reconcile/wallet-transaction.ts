import { OPERATION_CODES } from '@bursar/merchant-api/spec';

/**
 * A transaction of the wallet's list. Amounts are canonical decimal text; missing fields are undefined. Spec:
 * "Settlement wallets".
 */
export type WalletTransaction = Readonly<{
  amount: string;
  currency: string;
  opCode: string;
  addressTo?: string | undefined;
  /** Milliseconds since 1970; undefined when the service gave no date that can be read. */
  atMs?: number | undefined;
  hash?: string | undefined;
  serviceFee?: string | undefined;
  serviceFeeCurrency?: string | undefined;
  networkFee?: string | undefined;
  networkFeeCurrency?: string | undefined;
}>;

const KNOWN_CODES: ReadonlySet<string> = new Set(OPERATION_CODES);
const PAYS_OUT = /WITHDRAWAL$/;

/**
 * Whether a transaction may be a payout. ASSUMED: the spec does not state which operation codes pay out; those whose
 * names end in WITHDRAWAL do, and a code that is not in its list may.
 */
export const mayPayOut = ({ opCode }: WalletTransaction): boolean =>
  PAYS_OUT.test(opCode) || !KNOWN_CODES.has(opCode);

/** ASSUMED: the code of the transactions that a mass payout makes; it is preferred, and no other one is refused. */
export const MASS_PAYOUT_CODE = 'SETTLEMENT_MASS_WITHDRAWAL';

export const isOfMassPayout = ({ opCode }: WalletTransaction): boolean =>
  opCode === MASS_PAYOUT_CODE;

/** ASSUMED: what leaves a wallet may be written as an amount below zero. */
export const paidAmount = ({ amount }: WalletTransaction): string =>
  amount.startsWith('-') ? amount.slice(1) : amount;

type Packed = (string | number | null)[];

/** Writes a transaction compactly: a million of them are kept while a list is read. */
export function packTransaction(of: WalletTransaction): string {
  const { serviceFee, serviceFeeCurrency, networkFee, networkFeeCurrency } = of;
  const packed: Packed = [
    ...[of.amount, of.currency, of.opCode, of.addressTo ?? null, of.atMs ?? null, of.hash ?? null],
    ...[serviceFee ?? null, serviceFeeCurrency ?? null],
    ...[networkFee ?? null, networkFeeCurrency ?? null],
  ];
  return JSON.stringify(packed);
}

export function unpackTransaction(text: string): WalletTransaction {
  const [amount, currency, opCode, addressTo, atMs, hash, ...fees] = (
    JSON.parse(text) as Packed
  ).map((value) => value ?? undefined);
  const [serviceFee, serviceFeeCurrency, networkFee, networkFeeCurrency] = fees;
  return {
    amount,
    currency,
    opCode,
    addressTo,
    atMs,
    hash,
    serviceFee,
    serviceFeeCurrency,
    networkFee,
    networkFeeCurrency,
  } as WalletTransaction;
}
