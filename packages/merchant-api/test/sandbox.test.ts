import { describe, expect, it } from '@jest/globals';
import type { MerchantClient } from '@bursar/merchant-api';
import { OPERATION_CODES } from '@bursar/merchant-api/spec';
import { ACCOUNT, KEY, SECRET } from '../../sandbox/test/support/client.ts';
import { type Started, startSandbox } from '../../sandbox/test/support/start.ts';
import { failureOf, openClient } from './support/fixtures.ts';
import { HOOK_URL, REQUEST_ID } from './support/operation-cases.ts';

/** A client of a sandbox of its own, on the sandbox's clock. */
async function openSandboxClient(): Promise<MerchantClient> {
  return clientOf(await startSandbox());
}

const clientOf = ({ url, clock }: Started): MerchantClient =>
  openClient(url, { key: KEY, secret: SECRET, account: ACCOUNT, nowMs: clock.nowMs });

describe('the sandbox understands the client, and the client the sandbox,', () => {
  it('about webhook subscriptions', async () => {
    const client = await openSandboxClient();
    const input = { url: HOOK_URL, requestId: REQUEST_ID };
    const created = await client.createWebhookSubscription({
      ...input,
      notificationServiceTypes: ['PAYOUT'],
    });
    expect(created.value).toMatchObject({ requestId: REQUEST_ID, enabled: true, errorCount: 0 });
    await client.changeWebhookSubscription({ ...input, notificationEventTypes: ['INVOICE_PAID'] });
    const { value: changed } = await client.listWebhookSubscriptions();
    expect(changed.subscriptions).toMatchObject([
      { ...input, notificationEventTypes: ['INVOICE_PAID'] },
    ]);
    expect(changed.subscriptions[0]?.secretKey?.reveal()).toBe(created.value.secretKey?.reveal());
    await client.deleteWebhookSubscription({ requestId: REQUEST_ID });
    expect((await client.listWebhookSubscriptions()).value.subscriptions).toEqual([]);
  });

  it('about wallets', async () => {
    const client = await openSandboxClient();
    const { value: created } = await client.createWallet({ name: 'Payroll', blockchain: 'TRON' });
    const { address } = created;
    expect(await client.renameWallet({ address, name: 'Löhne 💶' })).toMatchObject({
      value: { kind: 'wallet', address, name: 'Löhne 💶' },
    });
    expect(await client.lookupAddress({ address })).toMatchObject({
      value: { kind: 'wallet', name: 'Löhne 💶' },
    });
    const { value: page } = await client.listWallets({ blockchain: 'TRON' });
    expect(page.result).toContainEqual({ ...created, name: 'Löhne 💶' });
    const walked: string[] = [];
    for await (const wallet of client.eachWallet({ pageSize: 2 })) walked.push(wallet.address);
    const { totalElements } = (await client.listWallets()).value;
    expect([walked.length, new Set(walked).size]).toEqual([totalElements, totalElements]);
    expect((await failureOf(client.lookupAddress({ address: 'T1' }))).kind).toBe('refused');
  });

  it('about transactions and their codes', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    expect((await client.listOperationCodes()).value).toEqual(OPERATION_CODES);
    for (const amount of ['1', '2', '3', '4']) {
      await sandbox.client.admin('POST', '/sandbox/top-up', { currency: 'TRX', amount });
    }
    const amounts: string[] = [];
    for await (const transaction of client.eachTransaction({ currency: 'TRX', pageSize: 2 })) {
      amounts.push(transaction.amount);
    }
    expect(amounts.slice(-4)).toEqual(['1', '2', '3', '4']);
    const { value: page } = await client.listTransactions({ currency: 'TRX', sort: 'DESC' });
    expect(page).toMatchObject({ page: 1, size: 10, totalElements: amounts.length });
    expect(page.result[0]?.amount).toBe('4');
    const none = await client.listTransactions({ currency: 'TRX', opcodes: ['ISSUE_LOAN'] });
    expect(none.value.result).toEqual([]);
  });

  it.each(['+02:00', 'Europe/Berlin', 'Africa/Casablanca'])(
    'about reports in the zone %s',
    async (zone) => {
      const dates = { firstDate: '2020-01-01T00:00:00Z', lastDate: '2029-12-31T23:59:59.999Z' };
      const client = await openSandboxClient();
      const { value } = await client.requestReport({ ...dates, blockchainList: 'TRON', zone });
      expect(value.content).toMatchObject({ data: dates });
    },
  );

  it('about the user', async () => {
    const { value } = await (await openSandboxClient()).readUser();
    expect(value.availableAccounts).toEqual([{ account: ACCOUNT, name: expect.any(String) }]);
  });
});
