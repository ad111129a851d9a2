import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createPayeeNoticeTask,
  type PayeeNoticeDeps,
} from '../../../src/activities/notices/payee-notices.ts';
import { loadNoticeTemplate } from '../../../src/config.ts';
import { sendMail } from '../../../src/activities/smtp/send-mail.ts';
import type { Payee } from '../../../src/domain/payees/payee.ts';
import { payeeKeyOf } from '../../../src/domain/payees/payee-address.ts';
import type { Row } from '../../../src/domain/rows/row.ts';
import { freePort } from '../../support/free-port.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { type FakeMailServer, fakeMailServer } from '../support/fake-mail-server.ts';
import { type LineageWorld, lineageWorld, ROOT, rowsOf } from '../support/lineage-world.ts';

const TEMPLATE = `Subject: Payment {reference}

Dear {name},
we paid {amount} {currency} on {date}.
Comment: {comment}
Transaction: {hash}
`;

let world: LineageWorld;
beforeEach(async () => {
  world = await lineageWorld();
});
afterEach(() => world.store.close());

const templateIn = (text = TEMPLATE): string => {
  const file = join(temporaryFolder(), 'notice.txt');
  writeFileSync(file, text);
  return file;
};

async function register(rows: readonly Row[], more: Partial<Payee> = {}): Promise<void> {
  const payees = rows.map(({ row, address }): Payee => {
    const key = payeeKeyOf('tron', address);
    if (key === undefined) throw new Error('no address');
    const named = { name: `Payee ${row}`, email: `p${row}@payee.example` };
    return {
      ...key,
      written: address,
      ...named,
      labels: [],
      addedAtMs: 1,
      addedBy: 'zoe',
      decision: null,
      ...more,
    };
  });
  await world.store.payees.change({
    account: ACCOUNT,
    keys: payees,
    next: (_known, payee) => payee,
    entryOf: () => ({ atMs: 1, batchId: null, actor: 'zoe', action: 'payees-import', detail: {} }),
  });
}

/** A round of housekeeping that sends to this port. */
function roundAt(port: number, more: Partial<PayeeNoticeDeps> = {}): Promise<string> {
  const server = { smtp: `smtp://127.0.0.1:${port}`, readPassword: () => '' };
  const task = createPayeeNoticeTask({
    store: world.store,
    account: ACCOUNT,
    template: loadNoticeTemplate(templateIn()),
    since: '2026-01-01T00:00:00.000Z',
    from: 'pay@house.example',
    perMinute: 600,
    send: (mail) => sendMail(server, mail),
    nowMs: () => world.clock.nowMs,
    ...more,
  });
  return asActivity().run(task.run);
}

const states = async () =>
  (await world.store.notices.list(ROOT)).map(({ row, state }) => `${row} ${state}`);

const entries = async (): Promise<unknown[]> => {
  const all = await world.store.audit.list({ batchId: ROOT, limit: 100 });
  return all
    .filter(({ action }) => action.startsWith('payee-notice'))
    .map(({ action, detail }) => [action, detail]);
};

const headerOf = (mail: string | undefined, name: string): string | undefined =>
  new RegExp(`^${name}: (.+)\\r$`, 'm').exec(mail ?? '')?.[1];
const receivers = ({ mails }: FakeMailServer) =>
  mails.map((mail) => headerOf(mail, 'To') ?? '').sort();

describe('the payee of a paid row', () => {
  it('receives one e-mail, and no second one in later rounds', async () => {
    const rows = rowsOf(3);
    await world.root(rows);
    await register(rows);
    const server = await fakeMailServer();
    expect(await roundAt(server.port)).toBe('nothing waits');
    await world.pay(ROOT);
    expect(await roundAt(server.port)).toBe('3 sent, 0 not');
    await world.end(ROOT);
    expect(await roundAt(server.port)).toBe('nothing waits');
    expect(receivers(server)).toEqual(['p2@payee.example', 'p3@payee.example', 'p4@payee.example']);
    const mail = server.mails.find((one) => headerOf(one, 'To') === 'p2@payee.example') ?? '';
    expect(headerOf(mail, 'Subject')).toBe('Payment ref-2');
    expect(headerOf(mail, 'From')).toBe('pay@house.example');
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated');
    expect(mail).toContain(
      'Dear Payee 2,\r\nwe paid 1.5 USDT_TRC20 on 2027-01-15.\r\nComment: wage',
    );
    expect(mail).not.toContain('Transaction');
    expect(await entries()).toEqual([]);
  });

  it('receives nothing while the row is not paid, and one e-mail once it is', async () => {
    const rows = rowsOf(3);
    world.service.plan(`${ROOT}-0`, { state: 'FAILED' });
    await world.root(rows);
    await register(rows);
    await world.pay(ROOT);
    await world.end(ROOT);
    const server = await fakeMailServer();
    expect(await roundAt(server.port)).toBe('nothing waits');
    world.service.say(`${ROOT}-0`, { state: 'COMPLETED' });
    await world.follow();
    expect(await world.outcomes()).toEqual({ 2: 'PAID', 3: 'PAID', 4: 'PAID' });
    expect(await roundAt(server.port)).toBe('3 sent, 0 not');
    expect(await roundAt(server.port)).toBe('nothing waits');
  });

  it('receives nothing without an e-mail address in the register, or after it was removed', async () => {
    const rows = rowsOf(3);
    await world.root(rows);
    await register(rows.slice(0, 1), { email: '' });
    await register(rows.slice(1, 2));
    await world.pay(ROOT);
    const server = await fakeMailServer();
    await roundAt(await freePort());
    expect(await states()).toEqual(['3 WAITING']);
    await register(rows.slice(1, 2), { email: '' });
    world.clock.nowMs += 60_000;
    expect(await roundAt(server.port)).toBe('nothing waits');
    expect(await states()).toEqual(['3 DROPPED']);
    expect(server.mails).toEqual([]);
  });

  it('receives nothing for a batch from before notices began, or from before the store was restored', async () => {
    const rows = rowsOf(1);
    await world.root(rows);
    await register(rows);
    await world.pay(ROOT);
    const server = await fakeMailServer();
    const since = new Date(world.clock.nowMs + 1).toISOString();
    expect(await roundAt(server.port, { since })).toBe('nothing waits');
    await world.store.restores.raise({
      atMs: world.clock.nowMs + 1,
      reason: 'a copy',
      actor: 'zoe',
    });
    expect(await roundAt(server.port)).toBe('nothing waits');
    expect(server.mails).toEqual([]);
  });

  it('has a name that cannot add a header or a line', async () => {
    const rows = rowsOf(1);
    await world.root(rows);
    await register(rows, { name: 'Ann\r\n\r\nBcc: eve@x.example' });
    await world.pay(ROOT);
    const envelopes: unknown[] = [];
    const server = await fakeMailServer({
      onRcptTo({ address }, _session, callback) {
        envelopes.push(address);
        callback();
      },
    });
    const named = templateIn('Subject: For {name}\n\nDear {name},\n');
    await roundAt(server.port, { template: loadNoticeTemplate(named) });
    expect(envelopes).toEqual(['p2@payee.example']);
    expect(headerOf(server.mails[0], 'Bcc')).toBeUndefined();
    expect(server.mails[0]?.split('\r\n')).not.toContain('Bcc: eve@x.example');
  });
});

describe('a notice that fails', () => {
  beforeEach(async () => {
    const rows = rowsOf(1);
    await world.root(rows);
    await register(rows);
    await world.pay(ROOT);
  });

  it('before the server has it is sent later', async () => {
    expect(await roundAt(await freePort())).toBe('0 sent, 1 not');
    expect(await states()).toEqual(['2 WAITING']);
    const server = await fakeMailServer();
    world.clock.nowMs += 60_000;
    expect(await roundAt(server.port)).toBe('1 sent, 0 not');
    expect(await entries()).toEqual([]);
  });

  it('when the server may have it is never sent again, and the log of the batch says so', async () => {
    const server = await fakeMailServer({}, (_end, _count, { connections }) => {
      for (const connection of connections) connection.close();
    });
    expect(await roundAt(server.port)).toBe('0 sent, 1 not');
    world.clock.nowMs += 7 * 86_400_000;
    expect(await roundAt(server.port)).toBe('nothing waits');
    expect(server.mails).toHaveLength(1);
    expect(await states()).toEqual(['2 UNCLEAR']);
    expect(await entries()).toEqual([
      ['payee-notice-unclear', { rows: [2], error: expect.any(String) }],
    ]);
  });

  it('since the server refuses the receiver is given up, without a word of the server', async () => {
    const refusal = Object.assign(new Error('no p2@payee.example here'), { responseCode: 550 });
    const server = await fakeMailServer({ onRcptTo: (_to, _session, end) => end(refusal) });
    await roundAt(server.port);
    world.clock.nowMs += 7 * 86_400_000;
    expect(await roundAt(server.port)).toBe('nothing waits');
    expect(await entries()).toEqual([
      ['payee-notice-refused', { rows: [2], error: 'SMTP status 550' }],
    ]);
  });

  it('since the server refuses the sender is sent later: that is a wrong setting', async () => {
    const refusal = Object.assign(new Error('not you'), { responseCode: 550 });
    const server = await fakeMailServer({ onMailFrom: (_from, _session, end) => end(refusal) });
    await roundAt(server.port);
    expect(await states()).toEqual(['2 WAITING']);
  });

  it('for days is given up', async () => {
    const port = await freePort();
    for (let tries = 0; tries < 11; tries += 1) {
      await roundAt(port);
      world.clock.nowMs += 2 * 86_400_000;
    }
    expect(await states()).toEqual(['2 REFUSED']);
    expect(await entries()).toHaveLength(1);
  });

  it('by the end of the worker is never sent again', async () => {
    const { nowMs } = world.clock;
    await roundAt(await freePort());
    world.clock.nowMs += 60_000;
    await world.store.notices.take({
      account: ACCOUNT,
      nowMs: nowMs + 60_000,
      limit: 9,
      perMinute: 9,
    });
    const server = await fakeMailServer();
    world.clock.nowMs += 11 * 60_000;
    expect(await roundAt(server.port)).toBe('nothing waits');
    expect(await entries()).toEqual([
      ['payee-notice-unclear', { rows: [2], error: 'the worker ended during the try' }],
    ]);
    expect(server.mails).toEqual([]);
  });
});

it('no more are sent in a minute than the settings allow', async () => {
  const rows = rowsOf(7);
  await world.root(rows);
  await register(rows);
  await world.pay(ROOT);
  const server = await fakeMailServer();
  expect(await roundAt(server.port, { perMinute: 3 })).toBe('3 sent, 0 not');
  world.clock.nowMs += 30_000;
  expect(await roundAt(server.port, { perMinute: 3 })).toBe('nothing waits');
  world.clock.nowMs += 31_000;
  expect(await roundAt(server.port, { perMinute: 3 })).toBe('3 sent, 0 not');
});

describe('the template is checked when the worker starts', () => {
  it.each([
    [templateIn('Subject: x\n\n{iban}'), 'NOTICE_TEMPLATE_INVALID'],
    ['/none/notice.txt', 'NOTICE_TEMPLATE_UNREADABLE'],
  ])('%s', (file, code) => {
    expect(() => loadNoticeTemplate(file)).toThrow(expect.objectContaining({ code }));
  });

  it('also its bytes', () => {
    const file = templateIn();
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0x41]));
    expect(() => loadNoticeTemplate(file)).toThrow(
      expect.objectContaining({ code: 'NOTICE_TEMPLATE_UNREADABLE' }),
    );
  });
});
