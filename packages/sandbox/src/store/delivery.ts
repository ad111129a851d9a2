import type { EventType } from '@bursar/merchant-api/spec';

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A delivery before the store numbers it. */
export type NewDelivery = Readonly<{
  /** The number of the subscription. */
  subscription: number;
  type: EventType;
  account: string;
  body: string;
  /** The fault that was drawn for it. */
  fault: string | null;
  createdMs: number;
  status: DeliveryStatus;
  dueMs: number | null;
}>;

/** One webhook of one event to one subscription. */
export type Delivery = NewDelivery &
  Readonly<{
    id: number;
    /**
     * Attempts since it was queued, or since a person sent it again. They are its position in the
     * retry schedule.
     */
    attempts: number;
    /** The latest attempts, oldest first. */
    log: readonly DeliveryAttempt[];
  }>;

/** GIVEN_UP: the last retry failed. DROPPED: a fault dropped it before its first attempt. */
export const DELIVERY_STATUSES = ['WAITING', 'DELIVERED', 'GIVEN_UP', 'DROPPED'] as const;

/** One attempt to deliver. Without an answer `status` is null, and `reason` explains it. */
export type DeliveryAttempt = Readonly<{
  atMs: number;
  status: number | null;
  reason: string | null;
}>;
