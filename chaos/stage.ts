import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { choosePorts } from '../src/local-stack/processes/ports.ts';
import type { Env } from '../src/config.ts';
import {
  POSTGRES_USER,
  type PostgresServer,
  startPostgres,
} from '../bench/support/postgres-server.ts';
import { migrate } from '../src/store/engine/open.ts';
import { createRandom } from '../sim/random.ts';
import { canFillDisk, mountDisk } from './faults/storage.ts';
import type { Options } from './options.ts';
import type { Payroll } from './people/payroll.ts';
import { createCommands } from './stack/command.ts';
import { storeDatabase } from './stack/database.ts';
import { createSandboxDesk } from './stack/desk.ts';
import { type StackName, STACKS } from './stack/names.ts';
import { objectStore, type ObjectStore } from './stack/object-store.ts';
import { createProcesses } from './stack/processes.ts';
import { chaosSettings } from './stack/settings.ts';
import { startTcpProxy, type TcpProxy } from './stack/tcp-proxy.ts';
import { temporalCluster } from './stack/temporal-cluster.ts';
import { findTemporalPrograms } from './stack/temporal-programs.ts';
import {
  temporalDevServer,
  type TemporalGround,
  type TemporalServers,
} from './stack/temporal-servers.ts';

/**
 * A new batch is submitted every so often, in milliseconds, and in a longer run the most that there may be, at equal
 * distances: two processors that have more to do than they can would let none end before everything is mended. A cluster
 * costs them twice as much.
 */
const BATCH_EVERY_MS_MIN = { sqlite: 10_000, postgres: 10_000, cluster: 20_000 } as const;
const BATCHES_MAX = 60;
const CHUNKS_PER_BATCH = { sqlite: 40, postgres: 40, cluster: 20 } as const;
/** The share of what passes that a fault of the network meets. */
const NETWORK_SHARE = 0.5;
const DISK_BYTES_MIN = 128 * 1024 * 1024;
const DISK_BYTES_PER_ROW = 8 * 1024;
const LOOPBACK = '127.0.0.1';

export type Ground = Readonly<{
  /** An empty folder. */
  folder: string;
  options: Options;
  env: Env;
  say(line: string): void;
  /** Ends the run in the middle. */
  signal: AbortSignal;
}>;

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Everything that a run needs, in a folder of its own and on ports of its own; nothing of it runs yet. */
export async function openStage({ folder, options, env, say }: Ground) {
  const { seed, minutes, rows, idempotency, stack } = options;
  const random = createRandom(seed);
  const [disk, logs, files, printed] = ['disk', 'logs', 'files', 'printed'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const path of [disk, logs, files, printed]) mkdirSync(path);
  const volume = { path: disk, logs, sizeBytes: DISK_BYTES_MIN + rows * DISK_BYTES_PER_ROW };
  if (canFillDisk(options)) await mountDisk(volume);

  const { server, objects, temporal } = await openBackends({ folder, env, say }, stack);
  const servers = ['sandbox', 'bridge', 'second bridge'];
  const wanted = servers.map((name) => ({ name: `the ${name}`, host: LOOPBACK, port: 0 }));
  const [sandbox = 0, bridge = 0, secondBridge = 0] = await choosePorts(wanted, 'free');
  const proxy = (...targetPorts: readonly number[]): Promise<TcpProxy> =>
    startTcpProxy({ targetPorts, random, share: NETWORK_SHARE });
  const network = {
    service: await proxy(sandbox),
    temporal: await proxy(...temporal.ports),
    webhooks: await proxy(...(server === undefined ? [bridge] : [bridge, secondBridge])),
    store: server === undefined ? undefined : await proxy(server.port),
    // Files are written and read a few times a minute, so each of these connections is met.
    files:
      objects === undefined
        ? undefined
        : await startTcpProxy({ targetPorts: [objects.port], random, share: 1 }),
  };
  const fileUrl = `sqlite:${join(disk, 'store.db')}`;
  const folderUrl = `file:${join(disk, 'blobs')}`;
  const lastsMs = minutes * 60_000;
  const batches = Math.max(2, Math.min(BATCHES_MAX, lastsMs / BATCH_EVERY_MS_MIN[stack]));
  const batchEveryMs = lastsMs / batches;
  const settings = chaosSettings({
    folder,
    disk,
    idempotency,
    storeUrl: network.store === undefined ? fileUrl : urlThrough(network.store.port),
    blobUrl:
      objects === undefined || network.files === undefined
        ? folderUrl
        : objects.urlAt(network.files.port),
    env,
    chunkRows: Math.max(2, Math.ceil(rows / batches / CHUNKS_PER_BATCH[stack])),
    ports: {
      sandbox,
      bridge,
      secondBridge,
      webhooks: network.webhooks.port,
      serviceProxy: network.service.port,
      temporalProxy: network.temporal.port,
    },
  });
  const commands = createCommands({ env: settings.engine, cwd: folder, printed });
  const names = STACKS[stack];
  const processes = createProcesses(
    { folder, names, settings, temporal, ...(objects && { objects }) },
    say,
  );
  return {
    folder,
    options,
    say,
    random,
    volume,
    files,
    network,
    names,
    server,
    objects,
    temporal,
    /** The store and the copies of files as the judge reads them: past the proxies. */
    records: {
      storeUrl: server === undefined ? fileUrl : server.urlOf(storeDatabase),
      blobUrl: objects === undefined ? folderUrl : objects.urlAt(objects.port),
    },
    batches,
    batchEveryMs,
    settings,
    processes,
    commands,
    desk: createSandboxDesk(`http://${LOOPBACK}:${sandbox}`),
    /** Every batch of the run, by its id. */
    payrolls: new Map<string, Payroll>(),
    async close(): Promise<void> {
      commands.killAll();
      await processes.stop();
      for (const one of Object.values(network)) await one?.close();
      await server?.stop();
    },
  };
}

/** Where the data of a server lies. */
export const SERVER_FOLDER = 'postgres';

/** The servers that Bursar works with, but for the service. Those that started are stopped when one of them cannot start. */
type Backends = Readonly<{
  temporal: TemporalServers;
  server?: PostgresServer;
  objects?: ObjectStore;
}>;

async function openBackends(ground: TemporalGround, stack: StackName): Promise<Backends> {
  if (stack === 'sqlite') return { temporal: await temporalDevServer(ground) };
  const programs = stack === 'cluster' ? await findTemporalPrograms(ground) : undefined;
  const server = await openServer(ground.folder);
  try {
    if (programs === undefined) return { server, temporal: await temporalDevServer(ground) };
    const objects = await objectStore(ground);
    const temporal = await temporalCluster(ground, { programs, server });
    return { server, temporal, objects };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Starts a server whose database has the tables of the store. */
async function openServer(folder: string): Promise<PostgresServer> {
  // The server runs as another user, who must get to its programs.
  chmodSync(folder, 0o711);
  const server = await startPostgres(join(folder, SERVER_FOLDER));
  await migrate(server.urlOf(storeDatabase));
  return server;
}

const urlThrough = (port: number): string =>
  `postgres://${POSTGRES_USER}@${LOOPBACK}:${port}/${storeDatabase}`;
