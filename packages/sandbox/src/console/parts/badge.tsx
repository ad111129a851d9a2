import type { AdminDeliveryStatus } from '@bursar/sandbox/admin';
import type { PayoutState } from '@bursar/merchant-api/spec';

export type Tone = 'quiet' | 'info' | 'wait' | 'good' | 'part' | 'bad';

/** A word with a color. The color adds nothing to the word. */
export const Badge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

export const STATE_TONES: Readonly<Record<PayoutState, Tone>> = {
  CREATION_IN_PROGRESS: 'quiet',
  PENDING_CONFIRMATION: 'wait',
  CONFIRMED: 'info',
  IN_PROGRESS: 'info',
  WAITING_COMPLETION_ERRORS: 'wait',
  PARTIAL: 'part',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELED: 'quiet',
};

export const STATES = Object.keys(STATE_TONES) as readonly PayoutState[];

export const StateBadge = ({ state }: { state: PayoutState }) => (
  <Badge tone={STATE_TONES[state] ?? 'quiet'}>{state}</Badge>
);

const DELIVERY_TONES: Readonly<Record<AdminDeliveryStatus, Tone>> = {
  WAITING: 'info',
  HELD: 'wait',
  DELIVERED: 'good',
  GIVEN_UP: 'bad',
  DROPPED: 'part',
};

export const DELIVERY_STATUSES = Object.keys(DELIVERY_TONES) as readonly AdminDeliveryStatus[];

export const DeliveryBadge = ({ status }: { status: AdminDeliveryStatus }) => (
  <Badge tone={DELIVERY_TONES[status] ?? 'quiet'}>{status}</Badge>
);

/** An HTTP status. Null: no answer was sent or received. */
export function StatusBadge({ status }: { status: number | null }) {
  if (status === null) return <Badge tone="part">no answer</Badge>;
  const tone = status < 300 ? 'good' : status < 500 ? 'part' : 'bad';
  return <Badge tone={tone}>{String(status)}</Badge>;
}
