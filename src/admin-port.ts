import type { Settings } from './config.ts';
import type { ReadinessCheck, Meters, MetricsDeps, Standstill } from './monitoring/index.ts';
import { listenOn } from './serve.ts';

/** The facts that a program shows at its admin port. Each request reads them again. */
export type AdminFacts = Readonly<{
  checks(): readonly ReadinessCheck[];
  /** Why only a restart helps; missing where nothing but the event loop can stand still. */
  standstill?(): Standstill;
  readFigures?: MetricsDeps['readFigures'];
  readSpool?: MetricsDeps['readSpool'];
  /** Whether the program runs Temporal's SDK, and so has the metrics of it. */
  hasSdk?: boolean;
}>;

export type AdminPort = Readonly<{
  /** Count events; undefined where no admin port is open. */
  meters?: Meters;
  /** Where the SDK has to serve its metrics; undefined where nothing reads them. */
  sdkAddress?: string;
  close(): Promise<void>;
}>;

/**
 * Opens the admin port of a program where `admin.port` is set. Otherwise nothing of it is loaded. Throws PORT_TAKEN.
 */
export async function openAdminPort(
  { admin }: Readonly<{ admin: Settings['admin'] }>,
  program: string,
  facts: AdminFacts,
): Promise<AdminPort> {
  const { host, port } = admin;
  if (port === undefined) return { close: async () => undefined };
  const monitoring = await import('./monitoring/index.ts');
  const { createAdminServer, createMetrics, createReadiness, watchLoop } = monitoring;
  const sdkAddress = facts.hasSdk === true ? await monitoring.freeAddress() : undefined;
  const loop = watchLoop();
  const { readFigures, readSpool } = facts;
  const metrics = createMetrics({
    program,
    nowMs: Date.now,
    loopDelayMs: loop.delayMs,
    ...(readFigures && { readFigures }),
    ...(readSpool && { readSpool }),
    ...(sdkAddress !== undefined && { readSdk: () => monitoring.readSdkMetrics(sdkAddress) }),
  });
  const server = createAdminServer({
    program,
    standstill: () => facts.standstill?.() ?? null,
    readiness: createReadiness(facts.checks, { nowMs: () => performance.now() }),
    loopDelayMs: loop.delayMs,
    metrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
  });
  const url = await listenOn(
    server,
    { host, port },
    {
      name: `the admin port of the ${program}`,
      setting: 'admin.port',
    },
  );
  process.stdout.write(`admin port of the ${program} on ${url}\n`);
  return {
    meters: metrics.meters,
    ...(sdkAddress !== undefined && { sdkAddress }),
    async close(): Promise<void> {
      loop.stop();
      await server.close();
    },
  };
}
