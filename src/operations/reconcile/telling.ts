import type { OperationContext } from '../context.ts';

/** Reads between two lines of progress. */
const TELL_EVERY = 1_000;

/** Shows how many were read, now and then. */
export const teller =
  ({ show }: OperationContext, what: string) =>
  (read: number): void => {
    if (read === 1 || read % TELL_EVERY === 0) show(`Reading ${what}: ${read}`);
  };
