import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import type { StatementDifference, DifferenceCase } from '../../domain/reconcile/differences.ts';
import type { CurrencyStatement, Reconciliation } from '../../domain/reconcile/statement.ts';
import { SHOWN_OUTCOMES } from '../../domain/settling/outcome.ts';
import { withCommas } from '../../domain/text/counted.ts';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';
import { instantText } from '../../operations/text/instants.ts';
import { amountText, currencyText, moneyText } from '../../domain/text/money-text.ts';

/** The statement for people: a block for each currency, then what differs. `files` is where it was written, without endings. */
export const reconciliationText = (of: Reconciliation, files: string, style: Context): string =>
  [
    headLines(of, style),
    ...of.currencies.map((currency) => currencyLines(currency, of.available.transactions)),
    matchLines(of),
    ...((of.wallets ?? []).length === 0 ? [] : [walletLines(of)]),
    ...of.differences.map((difference, i) => differenceLines(difference, i + 1, style)),
    [`Rows and transactions: ${files}.csv`, `Statement: ${files}.json`],
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');

function headLines({ batchId, state, ties, differences, ...of }: Reconciliation, style: Context) {
  const open = differences.filter(({ mustLook }) => mustLook).length;
  const counted = of.available.transactions === 'available';
  const told = ties
    ? `everything matches${counted ? '' : ', as far as the service shows'}`
    : `${open} ${open === 1 ? 'difference' : 'differences'} to check`;
  return [
    style.colours.bold(`Batch ${batchId} (${batchStateWords(state)}): ${told}`),
    `Transactions from ${instantText(of.from, style.clock)}`,
    `             to   ${instantText(of.to, style.clock)}`,
  ];
}

function currencyLines(of: CurrencyStatement, available: string): string[] {
  const { currency, file, engine, massPayouts, transactions } = of;
  const table = createTable([
    { title: currencyText(currency), width: 24 },
    { title: 'COUNT', width: 11, right: true },
    { title: 'AMOUNT', width: 20, right: true },
    { title: 'SERVICE FEE', width: 18, right: true },
    { title: 'NETWORK FEE', width: 0 },
  ]);
  const line = (name: string, counted: { count: number; amount: string }, ...fees: string[]) =>
    table.row([name, withCommas(counted.count), amountText(counted.amount, currency), ...fees]);
  const outcomes = SHOWN_OUTCOMES.filter((outcome) => engine[outcome].count > 0);
  return [
    table.header(),
    line('file', file),
    ...outcomes.map((outcome) => line(`engine: ${codeInSentence(outcome)}`, engine[outcome])),
    line('mass payouts', massPayouts, amountText(massPayouts.fee, currency)),
    ...Object.entries(massPayouts.byState).map(([state, n]) =>
      table.row([printable(`  ${codeInSentence(state)}`), withCommas(n)]),
    ),
    transactions === null
      ? `wallet: ${printable(available)}`
      : line(
          'wallet',
          transactions,
          feesText(transactions.serviceFees),
          feesText(transactions.networkFees),
        ),
  ];
}

const feesText = (fees: readonly Readonly<{ currency: string; amount: string }>[]): string =>
  fees.length === 0
    ? '-'
    : printable(fees.map(({ amount, currency }) => moneyText(amount, currency)).join(' + '));

function matchLines({ matchedRows, transactions, otherBatches }: Reconciliation): string[] {
  if (transactions === null) return ['Rows were not compared with transactions.'];
  const { hash, only, equal } = matchedRows;
  const { read, elsewhere, ofOtherBatches } = transactions;
  const others =
    ofOtherBatches === 0
      ? 'none belongs to another batch'
      : `${withCommas(ofOtherBatches)} belong to other batches (${otherBatches.join(', ')})`;
  return [
    `Rows with a transaction: ${withCommas(hash + only)} for certain, ${withCommas(equal)} ambiguous (rows that are alike).`,
    `Transactions read: ${withCommas(read)}, of which ${withCommas(elsewhere)} belong to other payments; ${others}.`,
  ];
}

const walletLines = ({ wallets }: Reconciliation): string[] => [
  'In the wallets now:',
  ...(wallets ?? []).map(({ name, address, amount, currency }) =>
    printable(`  ${moneyText(amount, currency)} in ${name} (${address})`),
  ),
];

function differenceLines(
  { code, of, count, currency, amount, what, fix, cases, mustLook }: StatementDifference,
  number: number,
  { clock, colours }: Context,
): string[] {
  const sum = amount === '0' ? '' : `, ${moneyText(amount, currency)}`;
  const more = count - cases.length;
  return [
    `${number}. ${colours.bold(code)}${mustLook ? '' : ' (for your information)'}: ${withCommas(count)} ${of}${printable(sum)}`,
    `   ${what}`,
    `   ${fix}`,
    ...cases.map((one) => `   - ${printable(caseText(one, currency, clock))}`),
    ...(more > 0 ? [`   - and ${withCommas(more)} more`] : []),
  ];
}

function caseText(one: DifferenceCase, currency: string, clock: Context['clock']): string {
  const { row, chunk, massPayoutId, withdrawalId, amount, address, transactionHash, at, detail } =
    one;
  return [
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(chunk === undefined ? [] : [`chunk ${chunk}`]),
    ...(massPayoutId === undefined ? [] : [`mass payout ${massPayoutId}`]),
    ...(withdrawalId === undefined ? [] : [`withdrawal ${withdrawalId}`]),
    ...(amount === undefined ? [] : [amountText(amount, currency)]),
    ...(address === undefined ? [] : [`to ${address}`]),
    ...(at === undefined ? [] : [instantText(at, clock)]),
    ...(transactionHash === undefined ? [] : [`hash ${transactionHash}`]),
    ...(detail === undefined ? [] : [detail]),
  ].join(', ');
}
