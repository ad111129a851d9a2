import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { readSettings } from '../../../src/config.ts';
import { choosePorts } from '../../../src/local-stack/processes/ports.ts';
import { chooseStackPorts, listenText, localUrl } from '../../../src/local-stack/stack-ports.ts';

const host = '127.0.0.1';
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function takePort(): Promise<number> {
  const server = createServer().listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('choosing ports', () => {
  it('gives the wanted ones that are free, and leaves them free', async () => {
    const [port = 0] = await choosePorts([{ name: 'a', host, port: 0 }], 'fixed');
    expect(port).toBeGreaterThan(0);
    expect(await choosePorts([{ name: 'a', host, port }], 'fixed')).toEqual([port]);
  });

  it('names the program that needed a port that is in use', async () => {
    const port = await takePort();
    await expect(choosePorts([{ name: 'the bridge', host, port }], 'fixed')).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      facts: { name: 'the bridge', address: `${host}:${port}` },
    });
  });

  it('takes another one instead in the free mode', async () => {
    const taken = await takePort();
    const [port] = await choosePorts([{ name: 'a', host, port: taken }], 'free');
    expect(port).not.toBe(taken);
  });

  it.each(['fixed', 'free'] as const)(
    'gives none that the system gives to outgoing connections, in the %s mode',
    async (mode) => {
      const wanted = Array.from({ length: 20 }, () => ({ name: 'a', host, port: 0 }));
      const taken = { name: 'a', host, port: await takePort() };
      const ports = await choosePorts(mode === 'free' ? [taken, ...wanted] : wanted, mode);
      expect(Math.max(...ports)).toBeLessThan(32_768);
    },
  );

  it('never gives one port twice', async () => {
    const wanted = Array.from({ length: 20 }, () => ({ name: 'a', host, port: 0 }));
    const ports = await choosePorts(wanted, 'fixed');
    expect(new Set(ports).size).toBe(20);
  });
});

describe('the ports of the stack', () => {
  const choose = (env: Record<string, string>, sandbox?: boolean) =>
    chooseStackPorts({
      settings: readSettings({ env, cwd: '/nowhere' }),
      env,
      cwd: '/nowhere',
      ports: 'fixed',
      temporalPorts: { grpc: 0, ui: 0 },
      say: () => {},
      ...(sandbox !== undefined && { sandbox }),
    });

  it('follow the settings of bridge and sandbox', async () => {
    const bridge = await takePort();
    const sandbox = await takePort();
    const env = {
      BURSAR_BRIDGE_LISTEN: `${host}:${bridge}`,
      BURSAR_SANDBOX_LISTEN: `${host}:${sandbox}`,
    };
    await expect(choose(env)).rejects.toMatchObject({ facts: { name: 'the bridge' } });
    await expect(choose({ ...env, BURSAR_BRIDGE_LISTEN: `${host}:0` })).rejects.toMatchObject({
      facts: { name: 'the sandbox', address: `${host}:${sandbox}` },
    });
  });

  it('leave the port of the sandbox alone when there is none', async () => {
    const env = {
      BURSAR_BRIDGE_LISTEN: `${host}:0`,
      BURSAR_SANDBOX_LISTEN: `${host}:${await takePort()}`,
    };
    expect((await choose(env, false)).sandbox).toBeUndefined();
    const real = { ...env, BURSAR_API_BASE_URL: 'https://pay.example' };
    expect((await choose(real)).sandbox).toBeUndefined();
  });
});

describe('addresses', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:80', '127.0.0.1:80'],
    ['0.0.0.0', 'http://127.0.0.1:80', '0.0.0.0:80'],
    ['::', 'http://127.0.0.1:80', '[::]:80'],
    ['::1', 'http://[::1]:80', '[::1]:80'],
  ])('of a program that listens on %s are reachable here', (listen, url, text) => {
    const place = { host: listen, port: 80 };
    expect(localUrl(place)).toBe(url);
    expect(listenText(place)).toBe(text);
  });
});
