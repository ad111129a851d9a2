import type { ErrorFacts } from '../errors/catalogue.ts';
import type { RowErrorCode } from './refused-row.ts';

/** What a rule finds wrong with one cell. */
export type Problem = Readonly<{
  ok: false;
  code: RowErrorCode;
  facts: ErrorFacts<RowErrorCode>;
}>;

export const problem = <Code extends RowErrorCode>(
  code: Code,
  facts: ErrorFacts<Code>,
): Problem => ({ ok: false, code, facts: facts as ErrorFacts<RowErrorCode> });
