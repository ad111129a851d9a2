import type { OperationCode } from '@bursar/merchant-api/spec';
import { blockchainOf } from './blockchains.ts';
import { add, type Decimal, multiply, ZERO } from './decimal.ts';
import { BLOCKCHAIN_FEE, type Movement } from './transactions.ts';

/** The sums of the transactions of one account, currency and operation code. */
export type ReportLine = Readonly<{
  account: string;
  currency: string;
  opCode: OperationCode;
  transactions: number;
  amount: Decimal;
  serviceFee: Decimal;
  networkFee: Decimal;
}>;

/** Sums movements, in the order in which their kinds first appear. Reads them one by one. */
export function reportOf(
  movements: Iterable<Movement>,
  blockchains: readonly string[],
): readonly ReportLine[] {
  const lines = new Map<string, ReportLine>();
  for (const movement of movements) {
    if (!blockchains.includes(blockchainOf(movement.currency))) continue;
    const key = JSON.stringify([movement.account, movement.currency, movement.opCode]);
    lines.set(key, withMovement(lines.get(key) ?? emptyLine(movement), movement));
  }
  return [...lines.values()];
}

const emptyLine = ({ account, currency, opCode }: Movement): ReportLine => ({
  account,
  currency,
  opCode,
  transactions: 0,
  amount: ZERO,
  serviceFee: ZERO,
  networkFee: ZERO,
});

const withMovement = (line: ReportLine, movement: Movement): ReportLine => ({
  ...line,
  transactions: line.transactions + movement.transactions,
  amount: add(line.amount, movement.amount),
  serviceFee: add(line.serviceFee, movement.fee),
  networkFee: add(line.networkFee, networkFeeOf(movement)),
});

/** The network charges its fee for each withdrawal. The sender of a top-up pays the fee of that. */
const networkFeeOf = ({ massPayout, transactions }: Movement): Decimal =>
  massPayout === null ? ZERO : multiply(BLOCKCHAIN_FEE, { units: BigInt(transactions), scale: 0 });
