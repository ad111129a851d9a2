import type { EventType } from '@bursar/merchant-api/spec';
import type { SandboxMassPayout } from './mass-payout.ts';

/** Something that happened to an object of an account. Spec: "Events". */
export type SandboxEvent = Readonly<{
  type: EventType;
  account: string;
  /** What webhooks say of the object; plain JSON, with amounts as text. */
  data: Readonly<Record<string, unknown>>;
}>;

/** Spec: "Mass payout moves", the event that a move emits. */
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
