import type { Part } from '../support/context.ts';
import { accountFigures } from './account.ts';
import { CREATE_ROWS } from './create-rows.ts';
import { createFigures } from './creates.ts';

const ROWS_DEFAULT = 1_000_000;
/** Reads in one turn for this many rows, so that fewer rows make everything shorter. */
const ROWS_PER_READ = 50;

/** Whether the sandbox could be the bottleneck of a measurement: its reads, its creates, and its memory. */
export const sandboxPart: Part = async (context) => {
  const { rows = ROWS_DEFAULT } = context;
  return [
    ...(await accountFigures(context, Math.ceil(rows / ROWS_PER_READ))),
    ...(await createFigures(context, Math.ceil(rows / CREATE_ROWS))),
  ];
};
