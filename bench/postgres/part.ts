import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import type { Figure } from '../support/figure.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { attemptFigures } from './attempts.ts';
import { batchFigures } from './batches.ts';
import { type Databases, databasesOf } from './databases.ts';

/** What a store on PostgreSQL costs, with the server on the same machine. */
export const postgresPart: Part = async (context) => {
  // The server runs as another user, who must get to its programs.
  chmodSync(context.folder, 0o711);
  context.say('postgres: starting a server');
  const server = await startPostgres(join(context.folder, 'server-of-stores'));
  try {
    return await measure(context, databasesOf(server));
  } finally {
    await server.stop();
  }
};

const measure = async (context: BenchContext, databases: Databases): Promise<Figure[]> => [
  ...(await attemptFigures(context, databases)),
  ...(await batchFigures(context, databases)),
];
