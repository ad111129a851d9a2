import { blockchainOf } from './blockchains.ts';
import { add, type Decimal, multiply, ZERO } from './decimal.ts';
import { BLOCKCHAIN_FEE, type Movement } from './transactions.ts';

/** What the transactions of one account, currency and operation code sum up to. */
export type ReportLine = Pick<Movement, 'account' | 'currency' | 'opCode'> &
  Readonly<{ transactions: number; amount: Decimal; serviceFee: Decimal; networkFee: Decimal }>;

/** Sums movements up, in the order in which their kinds first come; reads them one by one. */
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

/** The network takes its fee for each withdrawal; a top-up comes at the cost of its sender. */
const networkFeeOf = ({ massPayout, transactions }: Movement): Decimal =>
  massPayout === null ? ZERO : multiply(BLOCKCHAIN_FEE, { units: BigInt(transactions), scale: 0 });
