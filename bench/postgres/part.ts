import type { BenchContext, Part } from '../support/context.ts';
import type { Figure } from '../support/figure.ts';
import { attemptFigures } from './attempts.ts';
import { batchFigures } from './batches.ts';
import { type Databases, withDatabases } from './databases.ts';

/** What a store on PostgreSQL costs, with the server on the same machine. */
export const postgresPart: Part = (context) =>
  withDatabases(context, (databases) => measure(context, databases));

const measure = async (context: BenchContext, databases: Databases): Promise<Figure[]> => [
  ...(await attemptFigures(context, databases)),
  ...(await batchFigures(context, databases)),
];
