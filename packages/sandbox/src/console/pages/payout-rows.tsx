import type { AdminMassPayout, AdminWithdrawal, AdminWithdrawals } from '@bursar/sandbox/admin';
import { useState } from 'preact/hooks';
import { ActionButton } from '../parts/action-button.tsx';
import { Amount } from '../parts/amount.tsx';
import { StateBadge } from '../parts/badge.tsx';
import { Short } from '../parts/copy.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { None, Text, TextOrNone } from '../parts/text.tsx';
import { linkTo } from '../route.ts';
import { performAction } from './payout-actions.tsx';

export const ROWS_PER_PAGE = 100;

export type PayoutRowsProps = Readonly<{
  page: AdminWithdrawals;
  isFailedOnly: boolean;
  /** The page starts after this position. */
  after: number;
}>;

/** The rows of a mass payout, page by page. A person can choose failed ones and resend them. */
export function PayoutRows({ page, isFailedOnly, after }: PayoutRowsProps) {
  const { massPayout, withdrawals, failed } = page;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const canChoose = massPayout.state === 'PARTIAL' || massPayout.state === 'FAILED';
  const choosable = withdrawals.filter((each) => canChoose && isFailed(each));
  const isChosen = (position: number): boolean => chosen.has(position);
  const positions = choosable.map(({ position }) => position).filter(isChosen);
  const choose = (position: number, isOn: boolean): void =>
    setChosen((before) => {
      const next = new Set(before);
      if (isOn) next.add(position);
      else next.delete(position);
      return next;
    });
  const resend = async (): Promise<string> => {
    const { state } = await performAction(massPayout.id, 'resend', positions);
    setChosen(new Set());
    return `Sent ${rowsText(positions.length)} again. It is ${state} now.`;
  };
  return (
    <Section
      title="Rows"
      actions={
        <>
          {positions.length === 0 ? null : (
            <ActionButton
              label={`Resend ${rowsText(positions.length)}`}
              kind="first"
              question={
                <p>They are debited and paid again. The cause of the failure does not count.</p>
              }
              work={resend}
            />
          )}
          <FailedSwitch massPayout={massPayout} failed={failed} isFailedOnly={isFailedOnly} />
        </>
      }
    >
      <DataTable
        caption={`Rows of the mass payout, by their position${isFailedOnly ? ', failed ones alone' : ''}`}
        columns={[
          POSITION,
          ...(choosable.length > 0 ? [chooseColumn({ canChoose, isChosen, choose })] : []),
          ...COLUMNS,
        ]}
        rows={withdrawals}
        keyOf={({ position }) => position}
        empty={isFailedOnly ? 'Every failed row was sent again.' : 'There are no rows.'}
      />
      <Pager page={page} isFailedOnly={isFailedOnly} after={after} />
    </Section>
  );
}

const isFailed = ({ state, errorResolved }: AdminWithdrawal): boolean =>
  state === 'FAILED' && errorResolved === false;

const rowsText = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`;

type FailedSwitchProps = Readonly<{
  massPayout: AdminMassPayout;
  failed: number;
  isFailedOnly: boolean;
}>;

function FailedSwitch({ massPayout: { id }, failed, isFailedOnly }: FailedSwitchProps) {
  if (isFailedOnly)
    return (
      <a class="button" href={linkTo(['payouts', id])}>
        Show all rows
      </a>
    );
  if (failed === 0) return null;
  return (
    <a class="button" href={linkTo(['payouts', id], { failed: 'true' })}>
      Show the {failed} failed
    </a>
  );
}

function Pager({ page, isFailedOnly, after }: PayoutRowsProps) {
  const { massPayout, withdrawals, next } = page;
  const [first, last] = [withdrawals[0]?.position, withdrawals.at(-1)?.position];
  if (after === 0 && next === null) return null;
  const link = (position: number): string =>
    linkTo(['payouts', massPayout.id], {
      after: position === 0 ? null : position,
      failed: isFailedOnly ? 'true' : null,
    });
  return (
    <nav class="pager" aria-label="Pages of rows">
      {after > 0 ? (
        <a class="button" href={link(0)}>
          First page
        </a>
      ) : null}
      {after > 0 && !isFailedOnly ? (
        <a class="button" href={link(Math.max(0, after - ROWS_PER_PAGE))}>
          Previous page
        </a>
      ) : null}
      <span>
        Rows {first} to {last} of {massPayout.withdrawals}
      </span>
      {next === null ? null : (
        <a class="button" href={link(next)}>
          Next page
        </a>
      )}
    </nav>
  );
}

type Choosing = Readonly<{
  canChoose: boolean;
  isChosen(position: number): boolean;
  choose(position: number, isOn: boolean): void;
}>;

const chooseColumn = ({ canChoose, isChosen, choose }: Choosing): DataColumn<AdminWithdrawal> => ({
  label: 'Choose',
  isLabelHidden: true,
  show: (row) =>
    canChoose && isFailed(row) ? (
      <label class="choice">
        <span class="on-card">Send again</span>
        <input
          type="checkbox"
          aria-label={`Send again row ${row.position}`}
          checked={isChosen(row.position)}
          onChange={(event) => choose(row.position, event.currentTarget.checked)}
        />
      </label>
    ) : null,
});

const POSITION: DataColumn<AdminWithdrawal> = {
  label: 'Row',
  show: ({ position }) => (
    <>
      <span class="on-card">Row </span>
      {position}
    </>
  ),
};

const COLUMNS: readonly DataColumn<AdminWithdrawal>[] = [
  { label: 'State', show: ({ state }) => <StateBadge state={state} /> },
  {
    label: 'Amount',
    isNumber: true,
    show: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  { label: 'Fee', isNumber: true, show: ({ fee }) => <Amount value={fee} /> },
  { label: 'Address', show: ({ depositAddress }) => <Address value={depositAddress} /> },
  { label: 'Comment', show: ({ comment }) => <TextOrNone>{comment}</TextOrNone> },
  { label: 'Error', show: (row) => <RowError {...row} /> },
  {
    label: 'Hash',
    show: ({ transactionHash }) =>
      transactionHash === null ? <None /> : <Short value={transactionHash} />,
  },
];

const Address = ({ value }: { value: string }) => <bdi class="code whole">{value}</bdi>;

function RowError({ errorMessage, errorResolved }: AdminWithdrawal) {
  if (errorMessage === null) return <None />;
  return (
    <>
      <Text>{errorMessage}</Text>
      {errorResolved === true ? <span class="fine"> (resolved)</span> : null}
    </>
  );
}
