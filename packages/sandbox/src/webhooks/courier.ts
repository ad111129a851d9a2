import type { Delivery } from '../store/delivery.ts';
import type { ReceiverAnswer, Post, Poster, Posting } from './post.ts';

type ReturnedAnswer = Readonly<{ delivery: Delivery; answer: ReceiverAnswer }>;

export type AnsweredDelivery = ReturnedAnswer &
  Readonly<{
    /** Whether it was made due anew on its way, so that it is sent again whatever the answer is. */
    isResent: boolean;
  }>;

/** Carries deliveries and brings back the answers. */
export type Courier = Readonly<{
  /** How many are under way. */
  count(): number;
  has(deliveryId: number): boolean;
  send(delivery: Delivery, post: Post): void;
  /** Notes that a delivery was made due anew, should it be on its way or its answer not be dropped yet. */
  resend(deliveryId: number): void;
  /** What came back and was not dropped yet, in the order in which it came. */
  answered(): readonly AnsweredDelivery[];
  dropAnswered(): void;
  /** Gives up what is under way, as if it had never left. */
  close(): Promise<void>;
}>;

export function createCourier(post: Poster, onAnswered: () => void): Courier {
  const underWay = new Map<number, Readonly<{ posting: Posting; done: Promise<void> }>>();
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
    async close() {
      closed = true;
      const open = [...underWay.values()];
      for (const { posting } of open) posting.abort();
      await Promise.all(open.map(({ done }) => done));
    },
  };
}
