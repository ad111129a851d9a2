import type { PostgresServer } from '../../bench/support/postgres-server.ts';
import type { Random } from '../../sim/random.ts';
import { CLUSTER_KINDS, type ProcessName } from '../stack/names.ts';
import type { Processes } from '../stack/processes.ts';
import type { TcpProxy } from '../stack/tcp-proxy.ts';
import type { Fault, FaultList } from './fault.ts';
import { networkFaults } from './network.ts';
import { killName } from './processes.ts';
import { serverFaults } from './server.ts';

/** Each loss comes once in so long, in milliseconds. */
const ROUND_MS = 60_000;
/** Between two cuts of the network, in milliseconds. */
const CUT_PEACE_MS = [3_000, 6_000] as const;
/** A killed process comes back by itself. */
const AT_ONCE = [0, 0] as const;

/** The parts of a cluster that fail. */
export type ClusterParts = Readonly<{
  processes: Processes;
  random: Random;
  server: PostgresServer;
  /** The network to the service, and to the object store. */
  service: TcpProxy;
  files: TcpProxy;
}>;

/**
 * Once a minute a process of each kind is killed, and the database server loses its connections and is ended at once. Meanwhile
 * connections to the object store are cut, and answers of the service, so that each run has ambiguous creates.
 */
export function clusterLists(parts: ClusterParts): readonly FaultList[] {
  const losses = [...killsOfKinds(parts), ...serverFaults(parts.server)];
  const peaceMs = Math.floor(ROUND_MS / losses.length);
  const cuts = [
    ...networkFaults('the service', parts.service, ['cut-answer']),
    ...networkFaults('the object store', parts.files, [
      'refuse',
      'cut-request',
      'cut-answer',
      'half-answer',
    ]),
  ];
  return [
    { faults: losses, peaceMs: [peaceMs, peaceMs] },
    { faults: cuts, peaceMs: CUT_PEACE_MS },
  ];
}

const killsOfKinds = ({ processes, random }: ClusterParts): readonly Fault[] =>
  Object.entries(CLUSTER_KINDS).map(([kind, names]) => ({
    name: killName(kind),
    lastsMs: AT_ONCE,
    happen: async () => {
      const victim = random.pick<ProcessName>(names);
      return processes.signal(victim, 'SIGKILL') === undefined ? 0 : 1;
    },
  }));
