import { describe, expect, it } from '@jest/globals';
import {
  createEmailTarget,
  type EmailTargetOptions,
} from '../../../src/activities/notifications/email-target.ts';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import { notificationOf } from '../../../src/domain/notify/notification.ts';
import { freePort } from '../../support/free-port.ts';
import { fakeMailServer } from '../support/fake-mail-server.ts';

const NOTIFICATION = notificationOf(
  {
    event: 'batch.partial',
    batchId: 'pay<roll>',
    key: 'end',
    data: { batchId: 'pay<roll>', rows: 3, paid: 2, failed: 1, amounts: ['2 of 3 BTC'] },
  },
  { account: 'a', pageOf: () => 'http://ui', webUrl: 'https://bursar.example' },
  '2026-11-21T09:00:00.000Z',
);

const deliver = (port: number, more: Partial<EmailTargetOptions> = {}) =>
  createEmailTarget({
    name: 'finance',
    events: [],
    smtp: `smtp://127.0.0.1:${port}`,
    from: 'bursar@pay.example',
    to: 'finance@pay.example',
    readPassword: () => 'hush',
    ...more,
  }).deliver(NOTIFICATION);

const headerOf = (mail: string | undefined, name: string): string | undefined =>
  new RegExp(`^${name}: (.+)\\r$`, 'm').exec(mail ?? '')?.[1];

describe('an e-mail', () => {
  it('says in text and HTML what happened, the totals, what is wanted, and where the batch is', async () => {
    const { port, mails } = await fakeMailServer();
    expect(await deliver(port)).toEqual({ kind: 'delivered' });
    const [mail = ''] = mails;
    expect(headerOf(mail, 'From')).toBe('Bursar <bursar@pay.example>');
    expect(headerOf(mail, 'To')).toBe('finance@pay.example');
    expect(headerOf(mail, 'Subject')).toBe('Batch pay<roll> is partly paid');
    const readable = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(readable).toContain('Paid: 2.00 of 3.00 BTC');
    expect(readable).toContain('Finance: read the report');
    expect(readable).toContain('<a href="https://bursar.example/#/batches/pay%3Croll%3E">');
    expect(readable).toContain('<td>pay&lt;roll&gt;</td>');
    expect(readable).not.toContain('<td>pay<roll>');
  });

  it('whose acceptance was lost is sent again with the same Message-ID and date', async () => {
    const { port, mails } = await fakeMailServer({}, (end, count, server) => {
      if (count > 1) return end();
      for (const connection of server.connections) connection.close();
    });
    expect((await deliver(port)).kind).toBe('failed');
    expect(await deliver(port)).toEqual({ kind: 'delivered' });
    expect(mails.map((mail) => headerOf(mail, 'Message-ID'))).toEqual([
      `<${NOTIFICATION.id}@pay.example>`,
      `<${NOTIFICATION.id}@pay.example>`,
    ]);
    expect(new Set(mails.map((mail) => headerOf(mail, 'Date'))).size).toBe(1);
  });

  it('is sent under the user and the password of the file', async () => {
    const seen: unknown[] = [];
    const { port } = await fakeMailServer({
      authOptional: false,
      onAuth({ username, password }, _session, callback) {
        seen.push([username, password]);
        callback(null, { user: username });
      },
    });
    const smtp = `smtp://ann%40pay.example@127.0.0.1:${port}`;
    expect(await deliver(port, { smtp })).toEqual({ kind: 'delivered' });
    expect(seen).toEqual([['ann@pay.example', 'hush']]);
  });
});

describe('an e-mail fails, and nothing of the answer is repeated,', () => {
  it('when the server refuses it', async () => {
    const refusal = Object.assign(new Error('no mailbox hush@x.example'), { responseCode: 550 });
    const { port } = await fakeMailServer({}, (end) => end(refusal));
    expect(await deliver(port)).toEqual({ kind: 'failed', why: 'SMTP status 550' });
  });

  it('when the server does not exist', async () => {
    expect(await deliver(await freePort())).toEqual({ kind: 'failed', why: 'ESOCKET' });
  });

  it('when the server does not answer in time', async () => {
    const { port } = await fakeMailServer({}, () => undefined);
    expect(await deliver(port, { tryMsMax: 200 })).toMatchObject({ kind: 'failed' });
  });

  it('when the password cannot be read', async () => {
    const { port, mails } = await fakeMailServer();
    const readPassword = () => {
      throw new BursarError('SECRET_FILE_OPEN', { file: '/s', mode: '0644' });
    };
    const outcome = await deliver(port, { smtp: `smtp://ann@127.0.0.1:${port}`, readPassword });
    expect(outcome).toMatchObject({ why: expect.stringContaining('can be read by others') });
    expect(mails).toEqual([]);
  });

  it('when a certificate is not trusted', async () => {
    const { port, mails } = await fakeMailServer({ secure: true });
    const outcome = await deliver(port, { smtp: `smtps://127.0.0.1:${port}` });
    expect(outcome.kind).toBe('failed');
    expect(mails).toEqual([]);
  });

  it('when a server elsewhere offers no TLS', async () => {
    const { port, mails } = await fakeMailServer();
    // This address leads to the same server, and is not one of loopback.
    const outcome = await deliver(port, { smtp: `smtp://0.0.0.0:${port}` });
    expect(outcome.kind).toBe('failed');
    expect(mails).toEqual([]);
  });
});
