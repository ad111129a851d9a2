import type { Send } from '../call.ts';
import { calculateFees } from './calculate-fees.ts';
import { changeWebhookSubscription } from './change-webhook-subscription.ts';
import { createMassPayout } from './create-mass-payout.ts';
import { createWallet } from './create-wallet.ts';
import { createWebhookSubscription } from './create-webhook-subscription.ts';
import { deleteWebhookSubscription } from './delete-webhook-subscription.ts';
import { listOperationCodes } from './list-operation-codes.ts';
import { eachTransaction, listTransactions } from './list-transactions.ts';
import { eachWallet, listWallets } from './list-wallets.ts';
import { listWebhookSubscriptions } from './list-webhook-subscriptions.ts';
import { lookup } from './lookup.ts';
import { lookupAddress } from './lookup-address.ts';
import { readBalance } from './read-balance.ts';
import { readMassPayout } from './read-mass-payout.ts';
import { readUser } from './read-user.ts';
import { renameWallet } from './rename-wallet.ts';
import { requestReport } from './request-report.ts';

/** Every operation of the client. A new one is a file in this folder and a line here. */
export const bindOperations = (send: Send) => ({
  readBalance: readBalance(send),
  createMassPayout: createMassPayout(send),
  readMassPayout: readMassPayout(send),
  calculateFees: calculateFees(send),
  lookup: lookup(send),
  createWebhookSubscription: createWebhookSubscription(send),
  changeWebhookSubscription: changeWebhookSubscription(send),
  listWebhookSubscriptions: listWebhookSubscriptions(send),
  deleteWebhookSubscription: deleteWebhookSubscription(send),
  listWallets: listWallets(send),
  eachWallet: eachWallet(send),
  createWallet: createWallet(send),
  renameWallet: renameWallet(send),
  listTransactions: listTransactions(send),
  eachTransaction: eachTransaction(send),
  listOperationCodes: listOperationCodes(send),
  lookupAddress: lookupAddress(send),
  requestReport: requestReport(send),
  readUser: readUser(send),
});
