import { isObject } from '../json/is-object.ts';
import type { RowColumn } from '../rows/row.ts';

/**
 * The names in a file that its submitter chooses from, in the `form` of the choices: a use for each column, or one of
 * the sheets. `suggestion`: the column that a name may stand for; nothing is read by it. `values`: the first values of the column.
 */
export type FileQuestion = Readonly<{
  columns?: readonly Readonly<{
    name: string;
    suggestion?: RowColumn;
    values?: readonly string[];
  }>[];
  sheets?: readonly string[];
}>;

/** The question in the facts of an error; undefined: it has none. */
export const questionIn = (facts: unknown): FileQuestion | undefined =>
  isObject(facts) && 'asks' in facts ? (facts.asks as FileQuestion) : undefined;
