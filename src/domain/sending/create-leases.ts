/**
 * How long a create may be under way, in milliseconds: from its attempt until it leaves, and from there until its answer. A
 * worker that is lost keeps its leases for that time at most.
 */
export const leaseMsOf = ({
  sendBudgetMs,
  requestTimeoutMs,
}: Readonly<{ sendBudgetMs: number; requestTimeoutMs: number }>): number =>
  sendBudgetMs + requestTimeoutMs;

/** How many leases are given out. `held`: those that have not ended. The limit may have been lowered since they were given. */
export const freeLeases = ({
  wanted,
  limit,
  held,
}: Readonly<{ wanted: number; limit: number; held: number }>): number =>
  Math.max(0, Math.min(wanted, limit - held));
