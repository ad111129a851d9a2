import { loadTemporalAccess, openCodec } from '../codec/temporal-access.ts';
import { createLog } from '../monitoring/log.ts';
import { openAdminPort } from '../admin-port.ts';
import { createTokens, loadCodecTokens, loadSettings, readKeyRing } from '../config.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { listenOn, runProgram } from '../serve.ts';
import { createCodecServer } from './server.ts';

/** When the server stops, open requests get this time to end, in milliseconds. */
const STOP_MS = 1_000;

async function main(): Promise<void> {
  const settings = loadSettings({ env: process.env, cwd: () => process.cwd() });
  const { codec, temporal } = settings;
  if (temporal.keyRingFile === undefined) {
    throw new BursarError('SETTING_MISSING', {
      setting: 'temporal.key_ring_file',
      variable: 'BURSAR_TEMPORAL_KEY_RING_FILE',
    });
  }
  const { namespace } = loadTemporalAccess(settings, process.env);
  const server = createCodecServer({
    codec: openCodec(temporal.keyRingFile, namespace),
    namespace,
    tokens: createTokens(loadCodecTokens(codec.tokenFile)),
    origins: codec.origins,
    log: createLog('codec-server', settings.log.level),
  });
  const { keyRingFile } = temporal;
  const admin = await openAdminPort(settings, 'codec server', {
    checks: () => [
      {
        name: 'secret',
        fix: 'See to the file of temporal.key_ring_file.',
        async run(): Promise<void> {
          readKeyRing(keyRingFile);
        },
      },
    ],
  });
  const stop = (): void => {
    setTimeout(() => server.server.closeAllConnections(), STOP_MS).unref();
    void admin.close();
    void server.close();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const url = await listenOn(server, codec.listen, {
    name: 'the codec server',
    setting: 'codec.listen',
  });
  process.stdout.write(`codec server listening on ${url}\n`);
}

await runProgram(main);
