import type { AdminMassPayout, AdminWithdrawals } from '@bursar/sandbox/admin';
import { callAdmin } from '../api/call-admin.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Amount } from '../parts/amount.tsx';

export type PayoutAct = 'confirm' | 'decline' | 'resend' | 'end-waiting';

/** Does something with a mass payout; the answer tells its state afterwards. */
export async function performAct(
  id: string,
  act: PayoutAct,
  positions?: readonly number[],
): Promise<AdminMassPayout> {
  return callAdmin(`POST /mass-payouts/${act}`, { body: { id, ...(positions && { positions }) } });
}

/** What a person can do now, and nothing else. */
export function PayoutActs({ page }: { page: AdminWithdrawals }) {
  const { massPayout, failed } = page;
  const { id, state } = massPayout;
  const does = (act: PayoutAct, done: string) => async (): Promise<string> =>
    `${done} It is ${(await performAct(id, act)).state} now.`;
  const canResend = (state === 'PARTIAL' || state === 'FAILED') && failed > 0;
  return (
    <>
      {state === 'PENDING_CONFIRMATION' ? (
        <>
          <ActionButton label="Confirm" kind="first" work={does('confirm', 'Confirmed.')} />
          <ActionButton
            label="Decline"
            kind="danger"
            question={
              <p>
                Nothing is paid, and <Total {...massPayout} /> go back to the balance with the fee.
                It cannot be undone.
              </p>
            }
            work={does('decline', 'Declined.')}
          />
        </>
      ) : null}
      {canResend ? (
        <ActionButton
          label="Resend all failed"
          kind="first"
          question={
            <p>
              {failed} {failed === 1 ? 'row is' : 'rows are'} debited and paid again, whatever made
              {failed === 1 ? ' it' : ' them'} fail.
            </p>
          }
          work={does('resend', `Sent ${failed} failed ${failed === 1 ? 'row' : 'rows'} again.`)}
        />
      ) : null}
      {state === 'WAITING_COMPLETION_ERRORS' ? (
        <ActionButton
          label="End waiting"
          kind="danger"
          question={
            <p>The payout ends now: rows that fail go back to the balance, all others are paid.</p>
          }
          work={does('end-waiting', 'Ended.')}
        />
      ) : null}
    </>
  );
}

const Total = ({ totalAmount, currency }: AdminMassPayout) => (
  <Amount value={totalAmount} currency={currency} />
);
