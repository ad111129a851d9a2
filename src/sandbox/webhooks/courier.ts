import type { Delivery } from '../store/deliveries.ts';
import type { Answer, Post, Poster, Posting } from './post.ts';

export type Answered = Readonly<{ delivery: Delivery; answer: Answer }>;

/** Carries deliveries and brings back the answers. */
export type Courier = Readonly<{
  /** How many are under way. */
  count(): number;
  /** Whether it is under way, or its answer was not dropped yet. */
  has(deliveryId: number): boolean;
  send(delivery: Delivery, post: Post): void;
  /** What came back and was not dropped yet, in the order in which it came. */
  answered(): readonly Answered[];
  dropAnswered(): void;
  /** Gives up what is under way, as if it had never left. */
  close(): Promise<void>;
}>;

export function createCourier(post: Poster, onAnswered: () => void): Courier {
  const underWay = new Map<number, Readonly<{ posting: Posting; done: Promise<void> }>>();
  const answered: Answered[] = [];
  let closed = false;
  return {
    count: () => underWay.size,
    has: (deliveryId) =>
      underWay.has(deliveryId) || answered.some(({ delivery }) => delivery.id === deliveryId),
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
    answered: () => answered,
    dropAnswered: () => void (answered.length = 0),
    async close() {
      closed = true;
      const open = [...underWay.values()];
      for (const { posting } of open) posting.abort();
      await Promise.all(open.map(({ done }) => done));
    },
  };
}
