import { describe, expect, it } from '@jest/globals';
import { readEditor } from './support/editor.ts';

const { comments, unexportedTypes, unnamedUnions } = await readEditor();

describe('in an editor', () => {
  it('every export, operation, input field and answer field has a comment', () => {
    const without = [...comments].filter(([, comment]) => comment === '').map(([path]) => path);
    expect(without).toEqual([]);
  });

  it.each([
    ['createMerchantClient.createMassPayout', /before another attempt/],
    ['createMerchantClient.createMassPayout.massAddresses.amount', /at most 30 digits/],
    ['createMerchantClient.readUser.value.userFullInfo.roles', /Roles of the user/],
    ['createMerchantClient.createWebhookSubscription.value.secretKey', /Secret key/],
    ['MerchantApiError.kind', /Branch on it/],
    ['createMerchantClient.waitForMassPayout.deadlineMs', /one hour/],
    ['createMerchantClient.onRequest.traceparent', /W3C Trace Context/],
    ['parseWebhook.payout.state', /proves nothing/],
    ['verifyWebhook.secretKey', /Secret key/],
  ])('the walk reaches %s', (path, comment) => {
    expect(comments.get(path)).toMatch(comment);
  });

  it('every type that an exported declaration names is exported', () => {
    expect(unexportedTypes).toEqual([]);
  });

  it('every union of texts has a name, which is exported', () => {
    expect(unnamedUnions).toEqual([]);
  });
});
