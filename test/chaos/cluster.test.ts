import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { PostgresServer } from '../../bench/support/postgres-server.ts';
import { clusterLists } from '../../chaos/faults/cluster.ts';
import { readOptions } from '../../chaos/options.ts';
import { CLUSTER_KINDS, STACKS } from '../../chaos/stack/names.ts';
import type { Processes } from '../../chaos/stack/processes.ts';
import type { TcpProxy } from '../../chaos/stack/tcp-proxy.ts';
import { nodePortsOf, temporalConfig } from '../../chaos/stack/temporal-config.ts';
import { createRandom } from '../../sim/random.ts';

describe('the configuration of a node', () => {
  const place = { rpcAddress: '127.0.0.1:1', server: { port: 5432, user: 'bursar' } };
  const configOf = (...ports: readonly number[]) =>
    parse(temporalConfig(nodePortsOf(ports), place)) as Record<string, unknown>;
  const node = configOf(1, 2, 3, 4, 5, 6, 7, 8);

  it('has two ports for each service', () => {
    const rpc = (grpcPort: number, membershipPort: number) => ({
      rpc: { grpcPort, membershipPort, bindOnLocalHost: true },
    });
    expect(node['services']).toEqual({
      frontend: rpc(1, 2),
      history: rpc(3, 4),
      matching: rpc(5, 6),
      worker: rpc(7, 8),
    });
  });

  it('differs from that of another node in its ports only', () => {
    const other = configOf(11, 12, 13, 14, 15, 16, 17, 18);
    expect(other['services']).not.toEqual(node['services']);
    expect({ ...other, services: {} }).toEqual({ ...node, services: {} });
  });

  it('names the server of both databases', () => {
    const sql = expect.objectContaining({ connectAddr: '127.0.0.1:5432', user: 'bursar' });
    expect(node['persistence']).toMatchObject({
      defaultStore: 'temporal',
      visibilityStore: 'visibility',
      datastores: { temporal: { sql }, visibility: { sql } },
    });
  });
});

describe('the losses of a cluster', () => {
  const proxy = {} as TcpProxy;
  const random = createRandom(1);

  /** The lists of faults of a cluster in which only these processes run, and the processes that were killed. */
  function cluster(running: readonly string[] = STACKS.cluster) {
    const killed: string[] = [];
    const processes: Partial<Processes> = {
      signal(name, signal) {
        if (!running.includes(name)) return undefined;
        return killed.push(`${signal} ${name}`);
      },
    };
    const server: Partial<PostgresServer> = {};
    const [losses, cuts] = clusterLists({
      processes: processes as Processes,
      server: server as PostgresServer,
      random,
      service: proxy,
      files: proxy,
    });
    return { killed, losses, cuts };
  }

  const kill = (parts: ReturnType<typeof cluster>, kind: string): Promise<number> | undefined =>
    parts.losses?.faults.find(({ name }) => name === `kill -9: ${kind}`)?.happen(0);

  it('are one of each kind, and the database server in two ways, within a minute', () => {
    const { losses, cuts } = cluster();
    expect(losses?.faults.map(({ name }) => name)).toEqual([
      'kill -9: worker',
      'kill -9: bridge',
      'kill -9: Temporal node',
      'kill -9: sandbox',
      'kill -9: S3 server',
      'store: every connection ended by the server',
      'store: server ended at once, and started again',
    ]);
    expect(losses?.peaceMs).toEqual([8_571, 8_571]);
    expect(cuts?.faults.map(({ name }) => name)).toEqual([
      'network to the service: cut-answer',
      'network to the object store: refuse',
      'network to the object store: cut-request',
      'network to the object store: cut-answer',
      'network to the object store: half-answer',
    ]);
  });

  it('spare no process: each is of one kind', () => {
    const ofKinds: readonly string[] = Object.values(CLUSTER_KINDS).flat();
    expect(ofKinds.toSorted()).toEqual([...STACKS.cluster].toSorted());
  });

  it('kill each process of a kind sooner or later, and no other', async () => {
    const parts = cluster();
    for (let times = 0; times < 50; times += 1) expect(await kill(parts, 'worker')).toBe(1);
    expect(new Set(parts.killed)).toEqual(
      new Set(CLUSTER_KINDS.worker.map((name) => `SIGKILL ${name}`)),
    );
  });

  it('do not count while the process does not run', async () => {
    const parts = cluster([]);
    expect(await kill(parts, 'Temporal node')).toBe(0);
    expect(parts.killed).toEqual([]);
  });
});

it('npm run cluster is chaos on the stack of a cluster', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const [program, args = ''] = (scripts['cluster'] ?? '').split(/(?<=main\.js) /);
  expect(program).toBe(scripts['chaos']);
  expect(readOptions(args.split(' '), 5_000)).toMatchObject({
    stack: 'cluster',
    minutes: 5,
    rows: 2_000,
  });
});
