import type { OperationContext } from '../context.ts';

/** Between two lines about what was read. */
const TELL_EVERY = 1_000;

/** Shows how many were read, now and then. */
export const teller =
  ({ show }: Pick<OperationContext, 'show'>, what: string) =>
  (read: number): void => {
    if (read === 1 || read % TELL_EVERY === 0) show(`Reading ${what}: ${read}`);
  };
