/** States of payouts and mass payouts. Spec: "States and transitions". */
export const PAYOUT_STATES = [
  'CREATION_IN_PROGRESS',
  'PENDING_CONFIRMATION',
  'CONFIRMED',
  'IN_PROGRESS',
  'WAITING_COMPLETION_ERRORS',
  'PARTIAL',
  'COMPLETED',
  'FAILED',
  'CANCELED',
] as const;

/** State of a payout or mass payout. Spec: "States and transitions". */
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** State in an answer: the service may add states at any time. */
export type WireState = PayoutState | (string & {});

/** Whether the spec names the state. */
export const isKnownState = (state: WireState): state is PayoutState =>
  (PAYOUT_STATES as readonly string[]).includes(state);

/** The only value of `withdrawalErrors[].errors[].status` that the spec names. */
export const WITHDRAWAL_ERROR_STATUS_SUCCESS = 'SUCCESS';

/** Status of a withdrawal error: only SUCCESS is shown. Spec: "Mass payout record". */
export type WireWithdrawalErrorStatus = typeof WITHDRAWAL_ERROR_STATUS_SUCCESS | (string & {});
