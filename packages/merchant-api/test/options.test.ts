import { describe, expect, it } from '@jest/globals';
import { createMerchantClient, type MerchantClientOptions } from '@bursar/merchant-api';

const OPTIONS: MerchantClientOptions = {
  baseUrl: 'https://api.example',
  key: 'CANARY-key',
  secret: 'CANARY-secret',
};

describe('createMerchantClient', () => {
  it('takes the least there is to give', async () => {
    const client = createMerchantClient(OPTIONS);
    expect(Object.keys(client).sort()).toEqual([
      'calculateFees',
      'changeWebhookSubscription',
      'clockSkewMs',
      'close',
      'createMassPayout',
      'createWallet',
      'createWebhookSubscription',
      'deleteWebhookSubscription',
      'eachTransaction',
      'eachWallet',
      'hasOperation',
      'listOperationCodes',
      'listTransactions',
      'listWallets',
      'listWebhookSubscriptions',
      'lookup',
      'lookupAddress',
      'prepareBody',
      'readBalance',
      'readMassPayout',
      'readUser',
      'renameWallet',
      'requestReport',
      'serverMsAtLeast',
      'takesReference',
      'waitForMassPayout',
    ]);
    expect(Object.isFrozen(client)).toBe(true);
    await client.close();
    await client.close();
  });

  it.each<[string, object]>([
    ['baseUrl', { baseUrl: 'api.example' }],
    ['baseUrl', { baseUrl: '' }],
    ['baseUrl', { baseUrl: 'ftp://api.example' }],
    ['baseUrl', { baseUrl: 'https://CANARY:CANARY@api.example' }],
    ['baseUrl', { baseUrl: 'https://api.example/?key=CANARY' }],
    ['baseUrl', { baseUrl: 'https://api.example/#CANARY' }],
    ['key', { key: '' }],
    ['key', { key: undefined }],
    ['key', { key: 'CANARY\r\nX: y' }],
    ['secret', { secret: '' }],
    ['secret', { secret: undefined }],
    ['endpoints.LOOKUP', { endpoints: { LOOKUP: 'api/v1/payout' } }],
    ['endpoints.LOOKUP', { endpoints: { LOOKUP: 'https://elsewhere.example/' } }],
    ['endpoints.LOOKUP', { endpoints: { LOOKUP: '/a b' } }],
    ['requestTimeoutMs', { requestTimeoutMs: 0 }],
    ['requestTimeoutMs', { requestTimeoutMs: Number.NaN }],
    ['requestTimeoutMs', { requestTimeoutMs: 2 ** 31 }],
    ['responseBytesMax', { responseBytesMax: 1.5 }],
    ['connectionsMax', { connectionsMax: -1 }],
    ['retries', { retries: -1 }],
    ['tls', { tls: { CA: 'CANARY' } }],
    ['tls', { tls: 'CANARY' }],
    ['proxyUrl', { proxyUrl: 'CANARY' }],
    ['proxyUrl', { proxyUrl: 'socks5://CANARY:CANARY@127.0.0.1' }],
    ['proxyUrl', { proxyUrl: 'http://127.0.0.1/CANARY' }],
    ['proxyUrl', { proxyUrl: 'http://CANARY%ff@127.0.0.1' }],
  ])('refuses a wrong %s and names it without its value', (name, change) => {
    const create = (): unknown => createMerchantClient({ ...OPTIONS, ...change });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(`MerchantClientOptions: ${name} must`);
    expect(create).not.toThrow(/CANARY/);
  });
});
