import { stringify } from 'yaml';

/** The services of Temporal's server. Each process runs all of them. */
export const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

/** The ports of a service: of its calls, and of the messages by which services find each other. */
type ServicePorts = Readonly<{ grpc: number; membership: number }>;

export type NodePorts = Readonly<Record<(typeof SERVICES)[number], ServicePorts>>;

/** Databases of a cluster, in the order in which they are made. */
export const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;

export type TemporalDatabase = keyof typeof DATABASES;

/** Where the nodes of a cluster keep everything: a PostgreSQL server of this machine that takes no password. */
export type DatabaseServer = Readonly<{ port: number; user: string }>;

/** Temporal's name for PostgreSQL from version 12 on, by the driver pgx. */
export const SQL_PLUGIN = 'postgres12_pgx';
export const LOOPBACK = '127.0.0.1';
/** Four shards serve one machine. The number can never change. */
const HISTORY_SHARDS = 4;
/** Two nodes with four services each stay far below the limit of the server. */
const CONNECTIONS_MAX = 8;

/** Splits a list of ports, two for each service of a node. */
export function nodePortsOf(ports: readonly number[]): NodePorts {
  const entries = SERVICES.map((service, at) => {
    const [grpc = 0, membership = 0] = ports.slice(2 * at, 2 * at + 2);
    return [service, { grpc, membership }] as const;
  });
  return Object.fromEntries(entries) as NodePorts;
}

/** What all nodes of a cluster have in common. */
export type ClusterPlace = Readonly<{
  /** One address for all: it stands in the database, and a node whose file has another one would change it. */
  rpcAddress: string;
  server: DatabaseServer;
}>;

/**
 * The configuration file of one node. Nodes find each other by a table of their database, so their files differ in ports only.
 * Limits and switches are the defaults of Temporal.
 */
export function temporalConfig(ports: NodePorts, { rpcAddress, server }: ClusterPlace): string {
  const store = (database: TemporalDatabase) => ({
    sql: {
      pluginName: SQL_PLUGIN,
      databaseName: DATABASES[database],
      connectAddr: `${LOOPBACK}:${server.port}`,
      connectProtocol: 'tcp',
      user: server.user,
      maxConns: CONNECTIONS_MAX,
      maxIdleConns: CONNECTIONS_MAX,
    },
  });
  const services = SERVICES.map((service) => {
    const { grpc, membership } = ports[service];
    const rpc = { grpcPort: grpc, membershipPort: membership, bindOnLocalHost: true };
    return [service, { rpc }] as const;
  });
  return stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'temporal',
      visibilityStore: 'visibility',
      numHistoryShards: HISTORY_SHARDS,
      datastores: { temporal: store('temporal'), visibility: store('visibility') },
    },
    global: { membership: { broadcastAddress: LOOPBACK } },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress },
      },
    },
  });
}
