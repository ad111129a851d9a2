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

/**
 * States after which the service itself does not go on with a mass payout. WAITING_COMPLETION_ERRORS is none of them: its
 * meaning is not shown.
 *
 * ASSUMED: the spec shows no move out of these states. People can still send failed withdrawals again in the service's own
 * interface. Spec: "States and transitions".
 */
export const FINAL_MASS_PAYOUT_STATES = [
  'COMPLETED',
  'PARTIAL',
  'FAILED',
  'CANCELED',
] as const satisfies readonly PayoutState[];

/** State after which the service itself does not go on with a mass payout. */
export type FinalMassPayoutState = (typeof FINAL_MASS_PAYOUT_STATES)[number];

/** Whether the service itself goes no further. False for a state that the spec does not name. */
export const isFinalMassPayoutState = (state: WireState): state is FinalMassPayoutState =>
  (FINAL_MASS_PAYOUT_STATES as readonly string[]).includes(state);
