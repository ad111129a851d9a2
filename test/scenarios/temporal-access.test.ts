import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { SELF_SIGNED } from '../../packages/merchant-api/test/support/self-signed.ts';
import { AUTHORITY, CLIENT_CERTIFICATE } from '../support/certificates.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { guardTemporal } from '../support/guarded-temporal.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(300_000);

// Real processes: the clients of worker, bridge and command line are of two libraries, and read the same variables.
const API_KEY = 'temporal-api-key-4711';

let stack: TestStack | undefined;
let guarded: Awaited<ReturnType<typeof guardTemporal>> | undefined;
afterEach(async () => {
  await stack?.stop();
  guarded?.close();
});

/** Variables of a program that trusts the server, by their names. */
function accessTo(folder: string): Record<string, string> {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    TEMPORAL_TLS: 'true',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('authority.pem', AUTHORITY),
    TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', CLIENT_CERTIFICATE.cert),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key', CLIENT_CERTIFICATE.key),
  };
}

async function payOnce(running: TestStack): Promise<void> {
  const rows = sampleRows({ rows: 4, currencies: ['USDT_TRC20'] });
  const file = join(running.folder, 'rows.csv');
  writeSample(file, rows);
  const { code, err } = await running.bursar('submit', file, '--id', running.batchId, '--yes');
  expect([code, err]).toEqual([0, expect.any(String)]);
  await expectExactlyOnce(running.sandboxUrl, join(running.folder, 'runs', running.batchId), rows);
  const health = (await (await fetch(`${running.bridgeUrl}/health`)).json()) as object;
  expect(health).toMatchObject({ temporal: 'up' });
}

it('a batch is paid through a Temporal that asks for client certificates, and a command with that of a stranger is refused', async () => {
  const folder = temporaryFolder();
  const { address } = sharedTemporal();
  guarded = await guardTemporal(address, { asksForCertificate: true });
  const env = accessTo(folder);
  stack = await startTestStack({ folder, temporalAddress: guarded.address, env });
  await payOnce(stack);
  writeFileSync(join(folder, 'stranger.pem'), SELF_SIGNED.cert);
  writeFileSync(join(folder, 'stranger.key'), SELF_SIGNED.key, { mode: 0o600 });
  const stranger = {
    TEMPORAL_TLS_CLIENT_CERT_PATH: join(folder, 'stranger.pem'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: join(folder, 'stranger.key'),
  };
  const { code, err } = await stack.bursarWith(stranger, 'inbox');
  expect([code, err]).toEqual([6, expect.stringContaining('TEMPORAL_UNREACHABLE')]);
});

it('a batch is paid through a Temporal that asks for an API key, and a command with another one is refused', async () => {
  const folder = temporaryFolder();
  const { address } = sharedTemporal();
  guarded = await guardTemporal(address, { asksForCertificate: false, apiKey: API_KEY });
  const { TEMPORAL_TLS, TEMPORAL_TLS_SERVER_CA_CERT_PATH } = accessTo(folder);
  const env = { TEMPORAL_TLS, TEMPORAL_TLS_SERVER_CA_CERT_PATH, TEMPORAL_API_KEY: API_KEY };
  stack = await startTestStack({
    folder,
    temporalAddress: guarded.address,
    env: env as Record<string, string>,
  });
  await payOnce(stack);
  expect(guarded.refused).toEqual([]);
  const { code } = await stack.bursarWith({ TEMPORAL_API_KEY: 'another-key' }, 'inbox');
  expect(code).not.toBe(0);
  expect(guarded.refused).not.toEqual([]);
});
