import { type OpenValue, readOpenValue } from './open-value.ts';

/** The answer to a report request. ASSUMED: the spec does not show it, so it may be any JSON. */
export type Report = {
  /** The whole answer, with each number as exact decimal text. Null when the answer was empty. */
  readonly content: OpenValue;
};

export const readReport = (json: unknown): Report => ({ content: readOpenValue(json) });
