/** A notification on its way to one target. */
export type Message = Readonly<{ id: string; event: string; body: string }>;

/**
 * The result of one try. `askedDelayMs`: the wait that the receiver requests. `gone`: the receiver wants no more of
 * this.
 */
export type Delivered =
  | Readonly<{ kind: 'delivered' }>
  | Readonly<{ kind: 'failed'; why: string; askedDelayMs?: number; gone?: boolean }>;

/** How long one try may take in all, in milliseconds. */
export const TRY_MS_MAX = 10_000;

/** A receiver of notifications. `deliver` never throws for the behaviour of the other end. */
export type Target = Readonly<{
  name: string;
  /** Events that it wants; empty: all. */
  events: readonly string[];
  deliver(message: Message): Promise<Delivered>;
}>;

export const failed = (why: string): Delivered => ({ kind: 'failed', why });
