import type { Delivery } from '../store/delivery.ts';
import type { ReceiverAnswer, WebhookPost, SendPost, OpenPost } from './post.ts';

type ReturnedAnswer = Readonly<{ delivery: Delivery; answer: ReceiverAnswer }>;

export type AnsweredDelivery = ReturnedAnswer &
  Readonly<{
    /**
     * Whether a person made the delivery due again while an attempt was under way. It is sent again
     * after any answer.
     */
    isResent: boolean;
  }>;

/** Runs attempts to deliver and collects their answers. */
export type AttemptRunner = Readonly<{
  /** The number of attempts under way. */
  count(): number;
  has(deliveryId: number): boolean;
  send(delivery: Delivery, post: WebhookPost): void;
  /**
   * Marks a delivery as due again, if an attempt is under way or its answer was not dropped yet.
   */
  resend(deliveryId: number): void;
  /** The answers that were not dropped yet, in the order of their arrival. */
  answered(): readonly AnsweredDelivery[];
  dropAnswered(): void;
  /** Resolves when the attempts that are under way now have their answers. */
  answeredAll(): Promise<unknown>;
  /** Aborts the attempts under way. The store still has their deliveries as due. */
  close(): Promise<void>;
}>;

export function createAttemptRunner(post: SendPost, onAnswered: () => void): AttemptRunner {
  const underWay = new Map<number, Readonly<{ posting: OpenPost; done: Promise<void> }>>();
  const answered: ReturnedAnswer[] = [];
  const resent = new Set<number>();
  let closed = false;
  return {
    count: () => underWay.size,
    has: (deliveryId) => underWay.has(deliveryId),
    send(delivery, message) {
      const posting = post(message);
      const done = posting.answer.then((answer) => {
        underWay.delete(delivery.id);
        if (closed) return;
        answered.push({ delivery, answer });
        onAnswered();
      });
      underWay.set(delivery.id, { posting, done });
    },
    resend(deliveryId) {
      const isOnItsWay =
        underWay.has(deliveryId) || answered.some(({ delivery }) => delivery.id === deliveryId);
      if (isOnItsWay) resent.add(deliveryId);
    },
    answered: () => answered.map((each) => ({ ...each, isResent: resent.has(each.delivery.id) })),
    dropAnswered() {
      for (const { delivery } of answered.splice(0)) resent.delete(delivery.id);
    },
    answeredAll: () => Promise.all([...underWay.values()].map(({ done }) => done)),
    async close() {
      closed = true;
      const open = [...underWay.values()];
      for (const { posting } of open) posting.abort();
      await Promise.all(open.map(({ done }) => done));
    },
  };
}
