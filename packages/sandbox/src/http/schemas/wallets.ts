import { z } from 'zod';
import { BLOCKCHAINS } from '../../core/blockchains.ts';
import { OperationCodeName } from './lists.ts';
import {
  AccountValue,
  AmountValue,
  CountValue,
  CurrencyValue,
  DateTimeValue,
  TotalValue,
  TransactionHashValue,
} from './values.ts';

/** ASSUMED: the spec lists no blockchains. */
export const BlockchainName = z.enum(BLOCKCHAINS);

/** Spec: "Settlement wallets", PGSettlementBalanceDTO. */
export const WalletBalance = z
  .object({
    currency: CurrencyValue,
    amount: AmountValue,
    token: z.boolean().describe('True for the balance of a token.'),
  })
  .describe('PGSettlementBalanceDTO.');

/** Spec: "Settlement wallets", PGSettlementWalletResponseDTO. */
export const Wallet = z
  .object({
    name: z.string(),
    address: z.string(),
    blockchain: BlockchainName,
    balances: z.array(WalletBalance),
  })
  .describe('PGSettlementWalletResponseDTO.');

/** Spec: "Settlement wallets", PGSettlementTransactionResponseDTO. */
export const Transaction = z
  .object({
    amount: AmountValue,
    currency: CurrencyValue,
    opCode: OperationCodeName,
    serviceFee: AmountValue,
    serviceFeeCurrency: CurrencyValue,
    networkFee: AmountValue,
    networkFeeCurrency: CurrencyValue,
    transactionHash: TransactionHashValue,
    createdDate: DateTimeValue,
    addressTo: z.string().optional(),
  })
  .describe('PGSettlementTransactionResponseDTO.');

/** Spec: "Settlement wallets", page object. */
const pageOf = (item: z.ZodType) =>
  z.object({
    result: z.array(item),
    page: CountValue,
    size: CountValue,
    total: CountValue.describe('Number of pages.'),
    totalElements: TotalValue.describe('Number of matching objects on all pages.'),
  });

export const PageOfWallets = pageOf(Wallet);

export const PageOfTransactions = pageOf(Transaction);

/** Spec: "Settlement wallets", PGSettlementOpCodesResponseDTO. */
export const OperationCodes = z
  .object({ opCodes: z.array(OperationCodeName) })
  .describe('PGSettlementOpCodesResponseDTO.');

const ReportLine = z.object({
  account: AccountValue,
  blockchain: BlockchainName,
  currency: CurrencyValue,
  opCode: OperationCodeName,
  transactions: TotalValue.describe('Number of summed transactions.'),
  amount: AmountValue,
  serviceFee: AmountValue,
  networkFee: AmountValue,
});

/** Spec: "Generic lookup and wrapper objects", AnyResponseDTO. ASSUMED: the content of `data`. */
export const Report = z
  .object({
    data: z.object({
      firstDate: DateTimeValue,
      lastDate: DateTimeValue,
      lines: z.array(ReportLine),
    }),
  })
  .describe('AnyResponseDTO with the sums of each account, currency and operation code.');
