import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { POSTGRES_USER, type PostgresServer } from '../../bench/support/postgres-server.ts';
import { run } from '../../src/local-stack/temporal-cli/place-program.ts';
import { startChild } from '../../src/local-stack/processes/child.ts';
import { choosePorts } from '../../src/local-stack/processes/ports.ts';
import { untilReady } from '../../src/local-stack/processes/ready.ts';
import { readTemporalCommand } from '../../src/local-stack/temporal/command.ts';
import { NAMESPACE, prepareNamespace } from '../../src/local-stack/temporal/namespace.ts';
import { writeTables } from '../evidence/tables.ts';
import { cleanEnv } from './settings.ts';
import {
  DATABASES,
  LOOPBACK,
  type NodePorts,
  nodePortsOf,
  SERVICES,
  SQL_PLUGIN,
  temporalConfig,
} from './temporal-config.ts';
import type { TemporalPrograms } from './temporal-programs.ts';
import type { TemporalGround, TemporalServers } from './temporal-servers.ts';

/** The beginning of the names of files with all rows of its databases. */
const TABLES = 'tables-of-';

const NODES = ['temporal-a', 'temporal-b'] as const;

const CONNECT_MS_MAX = 1_000;
const CALL_MS_MAX = 5_000;
/** gRPC's number for a namespace that the other node has made. */
const ALREADY_EXISTS = 6;

type Means = Readonly<{ programs: TemporalPrograms; server: PostgresServer }>;

/** Temporal's server as a cluster of two nodes on PostgreSQL. Makes its databases; no node runs yet. */
export async function temporalCluster(
  { folder, env }: TemporalGround,
  { programs, server }: Means,
): Promise<TemporalServers> {
  await makeDatabases(programs.sqlTool, server);
  const nodes = await chooseNodePorts();
  const place = {
    rpcAddress: [...nodes.values()].map(addressOf)[0] ?? '',
    server: { port: server.port, user: POSTGRES_USER },
  };
  for (const [name, ports] of nodes) {
    writeFileSync(configFile(folder, name), temporalConfig(ports, place));
  }
  return {
    ports: [...nodes.values()].map(({ frontend }) => frontend.grpc),
    async start(name, log) {
      const ports = nodes.get(name);
      if (ports === undefined) throw new Error(`there is no node ${name}`);
      const command = [
        programs.server,
        '--config-file',
        configFile(folder, name),
        'start',
      ] as const;
      const child = await startChild({ name, command, env: cleanEnv(env), cwd: folder, log });
      await untilReady(child, () => servesWorkflows(addressOf(ports)));
      return child;
    },
    async storedFiles() {
      for (const database of Object.values(DATABASES)) {
        await writeTables(server.urlOf(database), join(folder, `${TABLES}${database}`));
      }
      return TABLES;
    },
  };
}

const addressOf = ({ frontend }: NodePorts): string => `${LOOPBACK}:${frontend.grpc}`;

const configFile = (folder: string, node: string): string => join(folder, `${node}.yaml`);

/** Makes the databases of the cluster with their tables. The schemas lie in the program. */
async function makeDatabases(sqlTool: string, { port }: PostgresServer): Promise<void> {
  const place = ['--plugin', SQL_PLUGIN, '--ep', LOOPBACK, '-p', String(port), '-u', POSTGRES_USER];
  for (const [schema, database] of Object.entries(DATABASES)) {
    const tool = (...args: string[]) => run(sqlTool, [...place, '--db', database, ...args]);
    await tool('create-database', '--defaultdb', 'postgres');
    await tool('setup-schema', '-v', '0.0');
    await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

/** The ports of all nodes are chosen at once, so that they differ. */
async function chooseNodePorts(): Promise<ReadonlyMap<string, NodePorts>> {
  const ofNode = SERVICES.flatMap((service) => [service, `membership of ${service}`]);
  const names = NODES.flatMap((node) => ofNode.map((name) => `${name} of ${node}`));
  const wanted = names.map((name) => ({ name, host: LOOPBACK, port: 0 }));
  const ports = await choosePorts(wanted, 'free');
  return new Map(NODES.map((node, at) => [node, nodePortsOf(ports.slice(ofNode.length * at))]));
}

/** Makes the namespace where it is missing. Returns false while the node cannot do that. */
async function servesWorkflows(address: string): Promise<boolean> {
  try {
    await makeNamespace(address);
    await prepareNamespace(address, readTemporalCommand().searchAttributes);
    return true;
  } catch {
    // The caller tries again, and gives up when the process has ended or its time is over.
    return false;
  }
}

async function makeNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: CONNECT_MS_MAX });
  const namespace = { namespace: NAMESPACE, workflowExecutionRetentionPeriod: msToTs('1 day') };
  try {
    await connection.withDeadline(Date.now() + CALL_MS_MAX, () =>
      connection.workflowService.registerNamespace(namespace),
    );
  } catch (error) {
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code !== ALREADY_EXISTS) throw error;
  } finally {
    await connection.close();
  }
}
