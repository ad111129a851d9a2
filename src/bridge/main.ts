import type { AddressInfo } from 'node:net';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { type Logger, pino } from 'pino';
import { type ListenAddress, loadBridgeTokens, loadSettings, type Settings } from '../config.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { createFundStore } from '../store/funds.ts';
import { createRoutes } from '../store/routes.ts';
import { createSpool } from '../store/spool.ts';
import { spoolUrlOf } from '../store/spool-glance.ts';
import { openSqlite } from '../store/sqlite.ts';
import { systemClock as clock } from './clock.ts';
import { createForwarder } from './forwarder.ts';
import { createBridgeServer } from './server.ts';
import { connectLazily } from './temporal.ts';
import { createTokens } from './tokens.ts';

/** Usage or configuration is wrong, as everywhere in Bursar. */
const EXIT_CONFIGURATION = 2;

/** Senders that are slower than this when the bridge stops are cut off, in milliseconds. */
const STOP_SENDERS_MS = 1_000;
/** The end comes after this time at the latest, in milliseconds; what is in the spool is safe in any case. */
const STOP_MS = 4_500;

async function main(): Promise<void> {
  const settings = loadSettings({ env: process.env, cwd: () => process.cwd() });
  const log = pino({ name: 'bridge' }, pino.destination({ dest: 2, sync: true }));
  const bridge = await createBridge(settings, log);
  const stop = (): void => {
    setTimeout(() => process.exit(0), STOP_MS).unref();
    void bridge.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const url = await bridge.listen();
  process.stdout.write(`bridge listening on ${url}\n`);
}

async function createBridge(settings: Settings, log: Logger) {
  const tokens = createTokens(loadBridgeTokens(settings.bridge.tokenFile));
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const store = await openSqlite(settings.store.url);
  const spoolStore = await openSqlite(spoolUrlOf(settings.store.url));
  const spool = createSpool(spoolStore);
  // The first count goes through the whole spool; the first webhook shall not wait for it.
  await spool.counts();
  const temporal = connectLazily(connectionOptions, namespace);
  const { account } = settings.api;
  const forwarder = createForwarder({
    ...{ spool, routes: createRoutes(store), claims: createFundStore(store) },
    ...{ temporal, clock, log },
    ...(account !== undefined && { account }),
  });
  const server = createBridgeServer({ spool, tokens, forwarding: forwarder.status, clock, log });
  return {
    async listen(): Promise<string> {
      await listen(server, settings.bridge.listen);
      forwarder.start();
      return urlOf(server.server.address() as AddressInfo);
    },
    async stop(): Promise<void> {
      const cutOff = setTimeout(() => server.server.closeAllConnections(), STOP_SENDERS_MS);
      await server.close();
      clearTimeout(cutOff);
      await forwarder.stop();
      await temporal.close();
      await Promise.all([store.destroy(), spoolStore.destroy()]);
    },
  };
}

async function listen(
  server: ReturnType<typeof createBridgeServer>,
  { host, port }: ListenAddress,
): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    throw new BursarError(
      'PORT_TAKEN',
      { name: 'the bridge', address: `${host}:${port}` },
      { cause },
    );
  }
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

try {
  await main();
} catch (error) {
  if (!(error instanceof BursarError)) throw error;
  const { code, what, why, fix } = error.note;
  process.stderr.write(`${code}: ${what}\n${why}\n${fix}\n`);
  process.exit(EXIT_CONFIGURATION);
}
