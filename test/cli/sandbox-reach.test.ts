import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../../src/cli/app.ts';
import { onCleanup, startSandbox } from '../../packages/sandbox/test/support/start.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const world = (env: Record<string, string> = {}) => fakeWorld({ cwd: temporaryFolder(), env });

/** Something that listens and is no sandbox. */
async function impostor(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onCleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(body);

const refusal = (errorCode: string) =>
  JSON.stringify({ traceId: 't', errorCode, message: 'Why\u001B[2J.' });

describe('the address of the sandbox', () => {
  it('is --url, before or after the command, else BURSAR_SANDBOX_LISTEN', async () => {
    const { url } = await startSandbox();
    const env = { BURSAR_SANDBOX_LISTEN: '127.0.0.1:1' };
    for (const args of [
      ['sandbox', '--url', url, 'clock'],
      ['sandbox', 'clock', '--url', `${url}/`],
      ['sandbox', 'clock', '--url', new URL(url).host],
    ]) {
      expect((await world(env).run(...args)).code).toBe(0);
    }
    const listen = { BURSAR_SANDBOX_LISTEN: new URL(url).host };
    expect((await world(listen).run('sandbox', 'clock')).code).toBe(0);
  });

  it('may stand in bursar.toml, where the sandbox reads it too', async () => {
    const { url } = await startSandbox();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'bursar.toml'), `[sandbox]\nlisten = "${new URL(url).host}"\n`);
    const { json } = fakeWorld({ cwd });
    const { code, value } = await json('sandbox', 'status');
    expect([code, value['url']]).toEqual([0, url]);
  });

  it.each([
    'ftp://127.0.0.1',
    'http://',
    'http://user:word@127.0.0.1',
    'http://127.0.0.1/sandbox',
    'http://127.0.0.1/?a',
  ])('is refused when it is %s', async (url) => {
    const { code, value } = await world().json('sandbox', 'status', '--url', url);
    expect([code, value['code']]).toEqual([2, 'FLAG_INVALID']);
  });

  it('is refused when the setting is none', async () => {
    const { code, value } = await world({ BURSAR_SANDBOX_LISTEN: 'a b' }).json('sandbox', 'status');
    expect([code, value['code']]).toEqual([2, 'SETTINGS_INVALID']);
  });
});

const COMMANDS = [
  'status',
  'log',
  'log -f -o jsonl',
  'ledger',
  'ledger --entries',
  'wallets',
  'payouts',
  'payouts x',
  'confirm x',
  'decline x',
  'resend x',
  'end-waiting x',
  'top-up 1 BTC',
  'trigger',
  'trigger PAYOUT_CONFIRMED',
  'listen -o jsonl',
  'webhooks',
  'webhooks unblock x',
  'deliveries',
  'deliveries resend 1',
  'accounts',
  'accounts set 1',
  'tariffs',
  'tariffs set BTC --percent 1',
  'tariffs reset BTC',
  'movements',
  'openapi',
  'console',
  'faults',
  'faults add drop --target WEBHOOK',
  'faults clear',
  'modes',
  'modes set numbers=plain',
  'modes reset',
  'clock',
  'clock 5m',
  'fates',
  'fates reset',
  'case export',
];

describe('without a sandbox', () => {
  it.each(COMMANDS)('"%s" ends with 6 and prints how to start one', async (command) => {
    const { run } = world({ BURSAR_SANDBOX_LISTEN: '127.0.0.1:1' });
    const { code, out, err } = await run('sandbox', ...command.split(' '));
    expect([code, err + out]).toEqual([6, expect.stringContaining('SANDBOX_UNREACHABLE')]);
    expect(err + out).toContain('bursar sandbox start');
  });

  it.each<{ what: string; listener: RequestListener }>`
    what            | listener
    ${'a page'}     | ${answering(200, '<html>')}
    ${'other JSON'} | ${answering(200, '{"status":"up"}')}
    ${'404'}        | ${answering(404, 'Not Found')}
    ${'a redirect'} | ${answering(302, '')}
    ${'an error'}   | ${answering(500, refusal('INTERNAL_ERROR'))}
    ${'no answer'}  | ${(_: unknown, response: { destroy(): void }) => response.destroy()}
  `('an address that answers with $what is told as such', async ({ listener }) => {
    const url = await impostor(listener);
    for (const command of ['status', 'payouts', 'listen', 'log']) {
      const { code, err } = await world().run('sandbox', command, '--url', url);
      expect([code, err]).toEqual([6, expect.stringContaining(`The sandbox at ${url} cannot`)]);
    }
  });
});

describe('a refusal', () => {
  it.each<{ errorCode: string; status: number; code: number }>`
    errorCode              | status | code
    ${'NOT_FOUND'}         | ${404} | ${5}
    ${'FIELD_INVALID'}     | ${400} | ${2}
    ${'STATE_CONFLICT'}    | ${409} | ${2}
    ${'TOO_MANY_REQUESTS'} | ${429} | ${2}
  `('with $errorCode is told with its message, exit $code', async ({ errorCode, status, code }) => {
    const url = await impostor(answering(status, refusal(errorCode)));
    for (const command of [['confirm', 'x'], ['listen']]) {
      const ended = await world().run('sandbox', ...command, '--url', url);
      expect(ended.code).toBe(code);
      expect(ended.err).toContain(`${errorCode}: Why\\u{1b}[2J.`);
    }
  });
});

describe('bursar sandbox start', () => {
  it('runs a sandbox until Ctrl-C, and prints its address as JSON', async () => {
    const controller = new AbortController();
    const env = { BURSAR_SANDBOX_LISTEN: '127.0.0.1:0' };
    const made = fakeWorld({ cwd: temporaryFolder(), env, interrupted: controller.signal });
    const { out } = made.terminal;
    let resolve = (_text: string): void => {};
    const printed = new Promise<string>((done) => void (resolve = done));
    const write = (text: string): void => {
      out.write(text);
      resolve(text);
    };
    const terminal = { ...made.terminal, out: { ...out, write } };
    const ended = runCli(['sandbox', 'start', '-o', 'jsonl'], { ...made.world, terminal });
    const { schema, url } = JSON.parse(await printed) as { schema: string; url: string };
    expect(schema).toBe('bursar.sandbox-start/v1');
    expect((await world().run('sandbox', 'status', '--url', url)).code).toBe(0);
    controller.abort();
    expect(await ended).toBe(0);
    expect((await world().run('sandbox', 'status', '--url', url)).code).toBe(6);
  });

  it('ends as the sandbox does when the settings are wrong', async () => {
    const { run } = world({ BURSAR_SANDBOX_STEP_MS: 'soon' });
    const { code, err } = await run('sandbox', 'start');
    expect([code, err]).toEqual([2, expect.stringContaining('STEP_MS')]);
  });

  it('refuses an address', async () => {
    expect((await world().run('sandbox', 'start', '--url', 'http://127.0.0.1:1')).code).toBe(2);
  });
});
