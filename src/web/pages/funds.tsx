import { callOperation } from '../api/call.ts';
import type { WebFunds } from '../api/results.ts';
import { useAnswer } from '../api/use-answer.ts';
import { BalanceCurve } from '../parts/balance-curve.tsx';
import { DataTable, type WebColumn } from '../parts/data-table.tsx';
import { Loading } from '../parts/error-note.tsx';
import { FundsChart } from '../parts/funds-chart.tsx';
import { Money } from '../parts/money.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { linkTo } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';

type FundsClaimLine = WebFunds['claims'][number];
type ForecastStep = WebFunds['forecast'][number];

const EVERY_MS = 60_000;

/** The money of the account: in payment, for waiting batches, and available. */
export function FundsPage() {
  const t = useTexts();
  const { value, error } = useAnswer((signal) => callOperation('readFunds', {}, signal), {
    key: 'funds',
    everyMs: EVERY_MS,
  });
  return (
    <>
      <PageHead title={t.funds.title} name={t.funds.title} about={t.funds.about} />
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : <FundsOf {...value} />}
    </>
  );
}

function FundsOf(funds: WebFunds) {
  const t = useTexts();
  const { currencies, claims, forecast, at } = funds;
  const short = forecast.filter((step) => step.short.length > 0);
  return (
    <>
      <Section
        title={t.funds.now}
        about={
          <>
            {t.funds.asOf} <Time value={at} />
          </>
        }
      >
        {currencies.length === 0 ? <p class="empty">{t.funds.noMoney}</p> : null}
        <ul class="charts">
          {currencies.map((line) => (
            <li key={line.currency}>
              <FundsChart {...line} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t.funds.forecast}>
        {short.length === 0 ? (
          <p class="note good">{t.funds.enough}</p>
        ) : (
          <Forecast steps={short} />
        )}
        <div class="curves">
          {currencies.map(({ currency }) => (
            <BalanceCurve key={currency} currency={currency} funds={funds} />
          ))}
        </div>
      </Section>
      <Section title={t.funds.claims}>
        <Claims claims={claims} />
      </Section>
    </>
  );
}

function Forecast({ steps }: { steps: readonly ForecastStep[] }) {
  const t = useTexts();
  return (
    <ul class="cards">
      {steps.map(({ at, demands, short }) => (
        <li key={at} class="note bad">
          <p>
            <strong>
              <Time value={at} />
            </strong>
            {': '}
            <Text>{demands.map(({ name }) => name).join(', ')}</Text>
          </p>
          {short.map(({ currency, amount }) => (
            <p key={currency}>
              {t.funds.shortBy} <Money amount={amount} currency={currency} />
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Claims({ claims }: { claims: readonly FundsClaimLine[] }) {
  const t = useTexts();
  const columns: readonly WebColumn<FundsClaimLine>[] = [
    {
      label: t.batches.batch,
      show: ({ batchId }) => (
        <a href={linkTo(['batches', batchId])}>
          <Text>{batchId}</Text>
        </a>
      ),
    },
    { label: t.batches.state, show: ({ stage }) => t.funds.stages[stage] },
    {
      label: t.funds.needs,
      isNumber: true,
      show: ({ needs }) => (
        <span class="amounts">
          {needs.map(({ currency, amount, fee }) => (
            <span key={currency}>
              <Money amount={amount} currency={currency} />
              {fee === '0' ? null : (
                <span class="fine">
                  {' '}
                  {t.funds.plusFee} <Money amount={fee} currency={currency} />
                </span>
              )}
            </span>
          ))}
        </span>
      ),
    },
    { label: t.funds.due, show: ({ due }) => <Time value={due} /> },
  ];
  return (
    <DataTable
      caption={t.funds.claims}
      columns={columns}
      rows={claims}
      keyOf={({ batchId }) => batchId}
      empty={t.funds.noClaims}
    />
  );
}
