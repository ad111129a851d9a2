import { balanceText } from '../../domain/funds/balance-check.ts';
import type { BalanceLine } from '../../domain/funds/conservation.ts';
import type { BatchReport } from '../../domain/report/report.ts';
import { amountText } from './amount-cell.ts';
import { html, type Html } from './html.ts';
import { section, table } from './table.ts';

/** The result of the balance check, with the balances before the first create and after the end. */
export const balanceSection = ({ balance: check }: BatchReport): Html =>
  section(
    'Balance of the account',
    html`<p>${balanceText(check)}</p>
${check.lines.length === 0 ? '' : figures(check.lines)}`,
  );

const figures = (items: readonly BalanceLine[]): Html =>
  table<BalanceLine>({
    caption: 'The balance before the first payment and after the last one',
    columns: [
      { title: 'Currency', kind: 'word', cell: ({ currency }) => currency },
      { title: 'Opening', kind: 'amount', cell: ({ opening }) => amountText(opening) },
      { title: 'Closing', kind: 'amount', cell: ({ closing }) => amountText(closing) },
      { title: 'Left', kind: 'amount', cell: ({ left }) => amountText(left) },
      { title: 'Explained at least', kind: 'amount', cell: ({ atLeast }) => amountText(atLeast) },
      {
        title: 'Explained at most',
        kind: 'amount',
        cell: ({ atMost }) => (atMost === null ? 'unknown' : amountText(atMost)),
      },
      { title: 'Unexplained', kind: 'amount', cell: ({ unexplained }) => amountText(unexplained) },
    ],
    items,
  });
