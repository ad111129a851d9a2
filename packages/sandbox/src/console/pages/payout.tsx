import type { AdminMassPayout, AdminWithdrawals } from '@bursar/sandbox/admin';
import { useAnswer } from '../api/use-answer.ts';
import { Amount } from '../parts/amount.tsx';
import { StateBadge } from '../parts/badge.tsx';
import { Copy } from '../parts/copy.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Facts } from '../parts/facts.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { Text, TextOrNone } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { PayoutActions } from './payout-actions.tsx';
import { PayoutRows, ROWS_PER_PAGE } from './payout-rows.tsx';

export type PayoutPageProps = Readonly<{ id: string; query: URLSearchParams }>;

/** One mass payout: its facts, its actions and its rows. */
export function PayoutPage({ id, query }: PayoutPageProps) {
  const isFailedOnly = query.get('failed') === 'true';
  const after = query.get('after');
  const { value, error } = useAnswer('GET /mass-payouts/withdrawals', {
    query: { id, after, failed: isFailedOnly ? 'true' : null, limit: ROWS_PER_PAGE },
  });
  const accounts = useAnswer('GET /accounts').value?.accounts ?? [];
  return (
    <>
      <p class="back">
        <a href="#/payouts">Payouts</a>
      </p>
      <ErrorNote what="The payout cannot be read." error={error} />
      {value === null ? null : (
        <>
          <Head page={value} />
          <Section title="Facts">
            <PayoutFacts
              massPayout={value.massPayout}
              needed={
                accounts.find(({ account }) => account === value.massPayout.account)
                  ?.confirmations ?? null
              }
            />
          </Section>
          <PayoutRows page={value} isFailedOnly={isFailedOnly} after={Number(after ?? 0)} />
        </>
      )}
    </>
  );
}

const Head = ({ page }: { page: AdminWithdrawals }) => {
  const { name, id, state } = page.massPayout;
  return (
    <PageHead
      name={name ?? id}
      title={
        <>
          {name === null || name === '' ? 'Payout without a name' : <Text>{name}</Text>}{' '}
          <StateBadge state={state} />
        </>
      }
      actions={<PayoutActions page={page} />}
    />
  );
};

type PayoutFactsProps = Readonly<{ massPayout: AdminMassPayout; needed: number | null }>;

const PayoutFacts = ({ massPayout, needed }: PayoutFactsProps) => (
  <>
    <Facts
      facts={[
        ['Total', <Amount value={massPayout.totalAmount} currency={massPayout.currency} />],
        ['Fee', <Amount value={massPayout.totalFee} currency={massPayout.currency} />],
        ['Rows', massPayout.withdrawals],
        ['Confirmed by', confirmationsOf(massPayout, needed)],
        ['Execution', <Time value={massPayout.executionDate} />],
        ['Created', <Time value={massPayout.createdDate} />],
        ['Next step', <Time value={massPayout.nextStepDate} />],
        ['Ended', <Time value={massPayout.endedDate} />],
      ]}
    />
    <Facts
      isWide
      facts={[
        ['Id', <Copy value={massPayout.id} what="id" />],
        ['Idempotency key', <Copy value={massPayout.idempotencyKey} what="idempotency key" />],
        ['Account', <Copy value={massPayout.account} what="account" />],
        ['External id', <TextOrNone>{massPayout.externalId}</TextOrNone>],
        ['Comment', <TextOrNone>{massPayout.comment}</TextOrNone>],
      ]}
    />
  </>
);

function confirmationsOf({ confirmations, state }: AdminMassPayout, needed: number | null): string {
  if (state === 'PENDING_CONFIRMATION' && needed !== null) {
    return `${confirmations} of ${needed} needed`;
  }
  if (confirmations === 0) return 'no one';
  return confirmations === 1 ? '1 person' : `${confirmations} people`;
}
