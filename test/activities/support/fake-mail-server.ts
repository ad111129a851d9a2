import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const open: SMTPServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0))
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
});

export type FakeMailServer = Readonly<{ port: number; mails: readonly string[] }>;

/** A real SMTP server on this computer. `answer`: what it does after it has taken a mail; without it, it accepts. */
export async function fakeMailServer(
  options: SMTPServerOptions = {},
  answer?: (end: (error?: Error | null) => void, count: number, server: SMTPServer) => void,
): Promise<FakeMailServer> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onData(stream, _session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString('utf8'));
        if (answer === undefined) callback();
        else answer(callback, mails.length, server);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  open.push(server);
  return { port: (server.server.address() as AddressInfo).port, mails };
}
