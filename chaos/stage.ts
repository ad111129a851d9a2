import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { choosePorts } from '../src/local-stack/processes/ports.ts';
import { findTemporalCli } from '../src/local-stack/temporal-cli/find.ts';
import type { Env } from '../src/config.ts';
import { createRandom } from '../sim/random.ts';
import { FULL_DISK, mountDisk } from './faults/storage.ts';
import type { Options } from './options.ts';
import type { Payroll } from './people/payroll.ts';
import { createCommands } from './stack/command.ts';
import { createSandboxDesk } from './stack/desk.ts';
import { createProcesses } from './stack/processes.ts';
import { chaosSettings } from './stack/settings.ts';
import { startTcpProxy } from './stack/tcp-proxy.ts';

/**
 * A new batch is submitted every so often, in milliseconds, and in a longer run the most that there may be, at equal
 * distances: two processors that have more to do than they can would let none end before everything is mended.
 */
const BATCH_EVERY_MS_MIN = 10_000;
const BATCHES_MAX = 60;
const CHUNKS_PER_BATCH = 40;
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
  const { seed, minutes, rows, idempotency, without } = options;
  const random = createRandom(seed);
  const [disk, logs, files, printed] = ['disk', 'logs', 'files', 'printed'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const path of [disk, logs, files, printed]) mkdirSync(path);
  const volume = { path: disk, logs, sizeBytes: DISK_BYTES_MIN + rows * DISK_BYTES_PER_ROW };
  if (!without.includes(FULL_DISK)) await mountDisk(volume);

  const cli = await findTemporalCli({ env, say });
  const names = ['the sandbox', 'the bridge', 'Temporal', 'the web UI of Temporal'];
  const wanted = names.map((name) => ({ name, host: LOOPBACK, port: 0 }));
  const [sandbox = 0, bridge = 0, grpc = 0, ui = 0] = await choosePorts(wanted, 'free');
  const network = {
    service: await startTcpProxy({ targetPort: sandbox, random, share: NETWORK_SHARE }),
    temporal: await startTcpProxy({ targetPort: grpc, random, share: NETWORK_SHARE }),
  };
  const batches = Math.max(2, Math.min(BATCHES_MAX, (minutes * 60_000) / BATCH_EVERY_MS_MIN));
  const batchEveryMs = (minutes * 60_000) / batches;
  const settings = chaosSettings({
    folder,
    disk,
    idempotency,
    env,
    chunkRows: Math.max(2, Math.ceil(rows / batches / CHUNKS_PER_BATCH)),
    ports: {
      sandbox,
      bridge,
      serviceProxy: network.service.port,
      temporalProxy: network.temporal.port,
    },
  });
  const temporal = { cli, ports: { grpc, ui } };
  const commands = createCommands({ env: settings.engine, cwd: folder, printed });
  const processes = createProcesses({ folder, settings, temporal }, say);
  return {
    folder,
    options,
    say,
    random,
    volume,
    files,
    network,
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
      await network.service.close();
      await network.temporal.close();
    },
  };
}
