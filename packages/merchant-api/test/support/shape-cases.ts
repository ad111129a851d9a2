import { randomUUID } from 'node:crypto';
import type { MerchantClient, ProbeOptions } from '@bursar/merchant-api';
import type { Operation, ShapeChoices } from '@bursar/merchant-api/spec';
import { KEY, SECRET } from '../../../sandbox/test/support/client.ts';
import { type Started, startSandbox } from '../../../sandbox/test/support/start.ts';
import { jumpingTimer, openClient } from './fixtures.ts';
import { HOOK_URL } from './operation-cases.ts';

/** Written as people copy it: with the checksum in its letters. */
export const CHECKSUMMED = '0x52908400098527886E0F7030069857D2E4169EE7';

/** A sandbox whose only account has a checksum. `modes` have the names of settings. */
export const startPlayed = (modes: Readonly<Record<string, string>> = {}): Promise<Started> =>
  startSandbox({ settings: { KEYS: `${KEY}:${SECRET}:${CHECKSUMMED}`, ...modes } });

/** A client of a sandbox, on its clock. */
export const clientOf = (
  { url, clock }: Started,
  shapes: ShapeChoices = {},
  more: { account?: string; endpoints?: object } = {},
): MerchantClient =>
  openClient(url, {
    key: KEY,
    secret: SECRET,
    account: CHECKSUMMED,
    nowMs: clock.nowMs,
    shapes,
    ...more,
  });

/** Options of a probe of a sandbox, on its clock, which waits for nothing. */
export const probeOptionsFor = ({ url, clock }: Started): ProbeOptions => ({
  baseUrl: url,
  key: KEY,
  secret: SECRET,
  account: CHECKSUMMED,
  nowMs: clock.nowMs,
  timer: jumpingTimer().timer,
});

/** Objects that exist in a sandbox. */
export type Made = Readonly<{
  id: string;
  idempotencyKey: string;
  address: string;
  requestId: string;
}>;

export const payoutInput = (idempotencyKey: string = randomUUID()) => ({
  currency: 'USDT_TRC20',
  massAddresses: [{ depositAddress: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj', amount: '1.5' }],
  idempotencyKey,
});

const SUBSCRIPTION = { url: HOOK_URL, notificationEventTypes: ['PAYOUT_CONFIRMED'] } as const;

/** Makes one object of each kind, by a client that the sandbox understands. */
export async function makeObjects(client: MerchantClient): Promise<Made> {
  const idempotencyKey = randomUUID();
  const requestId = randomUUID();
  const { value } = await client.createMassPayout(payoutInput(idempotencyKey));
  const { value: wallet } = await client.createWallet({ name: 'w', blockchain: 'TRON' });
  await client.createWebhookSubscription({ ...SUBSCRIPTION, requestId });
  return { id: value.id, idempotencyKey, address: wallet.address, requestId };
}

type ShapeCall = (client: MerchantClient, made: Made) => Promise<unknown>;

/** A good call of each operation. The one that deletes comes last. */
export const SHAPE_CALLS: Readonly<Record<Operation, ShapeCall>> = {
  ACCOUNT: (client) => client.readBalance(),
  MASS_CREATE: (client) => client.createMassPayout(payoutInput()),
  MASS_GET: (client, { id, idempotencyKey }) =>
    client.readMassPayout(client.takesReference('MASS_GET', 'id') ? { id } : { idempotencyKey }),
  FEE_CALCULATION: (client) =>
    client.calculateFees({
      items: [
        { baseAmount: '1', currency: 'USDT_TRC20', opType: 'WITHDRAWAL', feeType: 'SERVICE' },
      ],
    }),
  LOOKUP: (client, { idempotencyKey }) => client.lookup({ idempotencyKey }),
  WEBHOOK_CREATE: (client) => client.createWebhookSubscription(SUBSCRIPTION),
  WEBHOOK_CHANGE: (client, { requestId }) =>
    client.changeWebhookSubscription({ ...SUBSCRIPTION, requestId }),
  WEBHOOK_LIST: (client) => client.listWebhookSubscriptions(),
  WALLET_LIST: (client) => client.listWallets(),
  WALLET_CREATE: (client) => client.createWallet({ name: 'x', blockchain: 'TRON' }),
  WALLET_RENAME: (client, { address }) => client.renameWallet({ address, name: 'y' }),
  TRANSACTION_LIST: (client) => client.listTransactions(),
  OPCODES: (client) => client.listOperationCodes(),
  LOOKUP_ADDRESS: (client, { address }) => client.lookupAddress({ address }),
  REPORT: (client) =>
    client.requestReport({
      firstDate: '2026-10-01T00:00:00Z',
      lastDate: '2026-10-31T00:00:00Z',
      blockchainList: 'TRON',
      zone: 'Z',
    }),
  USER: (client) => client.readUser(),
  WEBHOOK_DELETE: (client, { requestId }) => client.deleteWebhookSubscription({ requestId }),
};
