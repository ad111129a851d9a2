// oxlint-disable no-restricted-globals -- what is read here is a text that names its zone, and never a clock

/**
 * The facts that give the time of a batch's payment. Dates are ISO 8601 with an offset, instants milliseconds since
 * 1970.
 */
export type PayTime = Readonly<{
  at: string | null;
  executionDate: string | null;
  /** When it was allowed to pay; null while it was not. */
  releasedAtMs: number | null;
  submittedAtMs: number;
}>;

/** The best estimate of when the money of a batch moves. Milliseconds since 1970. */
export function payTimeMs({ at, executionDate, releasedAtMs, submittedAtMs }: PayTime): number {
  if (executionDate !== null) return Date.parse(executionDate);
  if (releasedAtMs !== null) return releasedAtMs;
  return at === null ? submittedAtMs : Date.parse(at);
}
