import type { AdminMassPayout, AdminWithdrawals } from '@bursar/sandbox/admin';
import { callAdmin } from '../api/call-admin.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Amount } from '../parts/amount.tsx';

export type PayoutAction = 'confirm' | 'decline' | 'resend' | 'end-waiting';

/** Does an action on a mass payout. Returns the changed mass payout. */
export async function performAction(
  id: string,
  action: PayoutAction,
  positions?: readonly number[],
): Promise<AdminMassPayout> {
  return callAdmin(`POST /mass-payouts/${action}`, {
    body: { id, ...(positions && { positions }) },
  });
}

/** Buttons for the actions that the present state allows. */
export function PayoutActions({ page }: { page: AdminWithdrawals }) {
  const { massPayout, failed } = page;
  const { id, state } = massPayout;
  const does = (action: PayoutAction, done: string) => async (): Promise<string> =>
    `${done} It is ${(await performAction(id, action)).state} now.`;
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
                You cannot undo this.
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
              {failed} {failed === 1 ? 'row is' : 'rows are'} debited and paid again. The cause of
              the failure does not count.
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
            <p>The payout ends now. Failed rows are credited back, and all others are paid.</p>
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
