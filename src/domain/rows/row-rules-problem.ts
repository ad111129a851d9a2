import type { ErrorFacts } from '../errors/catalogue.ts';
import type { RefusedRow, RowErrorCode } from './refused-row.ts';

/** The fault of one cell. */
export type Problem = Readonly<{
  ok: false;
  code: RowErrorCode;
  facts: ErrorFacts<RowErrorCode>;
}>;

export const problem = <Code extends RowErrorCode>(
  code: Code,
  facts: ErrorFacts<Code>,
): Problem => ({ ok: false, code, facts: facts as ErrorFacts<RowErrorCode> });

/** Forgets which code it is, so that refusals for different reasons fit one list. */
export const refusedRow = <Code extends RowErrorCode>(reason: RefusedRow<Code>): RefusedRow => ({
  ...reason,
  facts: reason.facts as ErrorFacts<RowErrorCode>,
});
