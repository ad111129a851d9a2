import type { BatchReport } from '../../domain/report/report.ts';
import type { Money } from '../../domain/plan/rules.ts';
import { withCommas } from '../../domain/text/counted.ts';
import { currencyText } from '../../domain/text/money-text.ts';
import { columnAmount, decimalsOfColumn } from './amount-cell.ts';
import { type Html, html, NOTHING } from './html.ts';
import { section, shortened, table } from './table.ts';

/** Mass payouts on the page. report.json has all. */
const PAYOUTS_SHOWN_MAX = 1_000;

/** The mass payouts of the batch, with the states from the last read. */
export function massPayoutsSection({ massPayouts: all, fees }: BatchReport): Html {
  if (all.length === 0) return NOTHING;
  const items = all.slice(0, PAYOUTS_SHOWN_MAX);
  const decimals = decimalsOfColumn(items.map(totalOf));
  const feeDecimals = decimalsOfColumn(items.map(feeOf));
  return section(
    'Mass payouts',
    table({
      caption: 'Mass payouts of the batch, with the states that the service last returned',
      columns: [
        { title: 'Chunk', kind: 'count', cell: ({ chunk }) => String(chunk) },
        { title: 'State', kind: 'word', cell: ({ state }) => state },
        { title: 'Rows', kind: 'count', cell: ({ rows }) => withCommas(rows) },
        {
          title: 'Total',
          kind: 'amount',
          cell: (payout) => columnAmount(totalOf(payout), decimals),
        },
        { title: 'Currency', kind: 'word', cell: ({ currency }) => currencyText(currency) },
        {
          title: 'Fee stated',
          kind: 'amount',
          cell: (payout) => (payout.fee === null ? '' : columnAmount(feeOf(payout), feeDecimals)),
        },
        { title: 'Mass payout', kind: 'id', cell: ({ massPayoutId }) => massPayoutId ?? 'none' },
        { title: 'Idempotency key', kind: 'id', cell: ({ idempotencyKey }) => idempotencyKey },
      ],
      items,
    }),
    fees === 'available'
      ? NOTHING
      : html`<p class="note">Fees: ${fees}.</p>
`,
    all.length > items.length
      ? shortened(withCommas(items.length), withCommas(all.length), 'report.json')
      : NOTHING,
  );
}

type ShownPayout = BatchReport['massPayouts'][number];

const totalOf = ({ total, currency }: ShownPayout): Money => ({ amount: total, currency });

const feeOf = ({ fee, currency }: ShownPayout): Money => ({ amount: fee ?? '', currency });
