/** A notification on its way to one target. */
export type Message = Readonly<{ id: string; event: string; body: string }>;

/** What became of one try. `askedDelayMs`: how long the receiver asks us to wait. `gone`: it wants no more of this. */
export type Delivered =
  | Readonly<{ kind: 'delivered' }>
  | Readonly<{ kind: 'failed'; why: string; askedDelayMs?: number; gone?: boolean }>;

/** How long one try may take in all, in milliseconds. */
export const TRY_MS_MAX = 10_000;

/** A place that wants to be told. `deliver` never throws for what the other end does. */
export type Target = Readonly<{
  name: string;
  /** Events that it wants; empty: all. */
  events: readonly string[];
  deliver(message: Message): Promise<Delivered>;
}>;

export const failed = (why: string): Delivered => ({ kind: 'failed', why });
