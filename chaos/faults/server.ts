import { endConnections, type PostgresServer } from '../../bench/support/postgres-server.ts';
import type { Fault } from './fault.ts';

/** Each of them is over as soon as it has happened. */
const AT_ONCE = [0, 0] as const;

/** What a database server does wrong. */
export const serverFaults = (server: PostgresServer): Fault[] => [
  {
    name: 'store: every connection ended by the server',
    lastsMs: AT_ONCE,
    happen: () => endConnections(server),
  },
  {
    name: 'store: server ended at once, and started again',
    lastsMs: AT_ONCE,
    async happen() {
      await server.restart();
      return 1;
    },
  },
];
