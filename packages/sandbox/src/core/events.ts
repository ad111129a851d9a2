import type { EventType } from '@bursar/merchant-api/spec';
import type { SandboxMassPayout } from './mass-payout.ts';

/** Something that happened to an object of an account. Spec: "Events". */
export type SandboxEvent = Readonly<{
  type: EventType;
  account: string;
  /** The data of a webhook: plain JSON, with amounts as text. */
  data: Readonly<Record<string, unknown>>;
}>;

/** The event that a move emits. Spec: "Mass payout moves". */
export const massPayoutEvent = (
  massPayout: SandboxMassPayout,
  type: EventType = 'PAYOUT_CHANGE_STATUS',
): SandboxEvent => ({
  type,
  account: massPayout.account,
  data: {
    id: massPayout.id,
    idempotencyKey: massPayout.idempotencyKey,
    externalId: massPayout.externalId ?? undefined,
    state: massPayout.state,
  },
});
