import { currencyText, moneyText } from '../../domain/text/money-text.ts';
import type { WebFunds } from '../api/results.ts';
import { useReader } from '../shell/reader.tsx';
import { balanceCurve, type BalancePoint, balancePoints } from '../words/curve.ts';
import { Curve } from './curve.tsx';
import { DataTable, type WebColumn } from './data-table.tsx';
import { Money } from './money.tsx';
import { TextOrNone } from './text.tsx';
import { Time } from './time.tsx';

type BalanceCurveProps = Readonly<{ currency: string; funds: WebFunds }>;

/** The balance of a currency in the days ahead, as far as it is known. Null where nothing is due. */
export function BalanceCurve({ currency, funds }: BalanceCurveProps) {
  const { texts: t } = useReader();
  const { currencies, forecast, at } = funds;
  const balance = currencies.find((line) => line.currency === currency)?.balance ?? '0';
  const points = balancePoints({ at, amount: balance, names: [] }, forecast, currency);
  const endAt = endOf(at, forecast.at(-1)?.at ?? at);
  const last = points.at(-1)?.amount ?? balance;
  if (points.length < 2 || endAt === at) return null;
  const { curve, zero } = balanceCurve(points, endAt);
  const isShort = points.some(({ amount }) => amount.startsWith('-'));
  const columns: readonly WebColumn<BalancePoint>[] = [
    { label: t.charts.time, show: (point) => <Time value={point.at} /> },
    {
      label: t.charts.left,
      isNumber: true,
      show: ({ amount }) => <Money amount={amount} currency={currency} />,
    },
    { label: t.charts.dueThen, show: ({ names }) => <TextOrNone>{names.join(', ')}</TextOrNone> },
  ];
  const title = t.charts.balance(currencyText(currency));
  return (
    <Curve
      title={title}
      about={t.charts.balanceAbout(moneyText(balance, currency), moneyText(last, currency))}
      points={curve}
      zero={zero}
      isShort={isShort}
      ends={[<Time key="from" value={at} />, <Time key="to" value={endAt} />]}
    >
      <DataTable
        caption={title}
        columns={columns}
        rows={points}
        keyOf={(point) => point.at}
        empty={null}
      />
    </Curve>
  );
}

/** A tenth behind the last moment, so that its step is seen. */
function endOf(from: string, last: string): string {
  const spanMs = Date.parse(last) - Date.parse(from);
  return spanMs <= 0 ? from : new Date(Date.parse(last) + spanMs / 10).toISOString();
}
