import type { AccountCallOptions, Send } from './call.ts';
import { compact } from './compact.ts';
import { eachItem } from './each-item.ts';
import { writeJson } from './json/write-json.ts';
import type { MerchantOperations } from './merchant-operations.ts';
import { readBalances } from './records/balances.ts';
import { readFeeQuotes } from './records/fee-quote.ts';
import { readLookupRecord } from './records/lookup-record.ts';
import { readMassPayoutRecord } from './records/mass-payout.ts';
import { readReport } from './records/report.ts';
import { readOperationCodes, readTransactionPage } from './records/transaction.ts';
import { readUserRecord } from './records/user.ts';
import { readAssumedWallet, readWallet, readWalletPage } from './records/wallet.ts';
import { readSubscriptionParts, readWebhookSubscriptions } from './records/webhook-subscription.ts';
import { checkInput, type InputSchema } from './request/check-input.ts';
import { FeesSchema } from './request/fees-input.ts';
import { TransactionFilterSchema, WalletFilterSchema } from './request/list-filter.ts';
import { isPrepared, massPayoutPayload } from './request/mass-payout-payload.ts';
import { ReferenceSchema } from './request/reference.ts';
import { ReportSchema } from './request/report-input.ts';
import { AddressSchema, WalletRenameSchema, WalletSchema } from './request/wallet-input.ts';
import {
  SubscriptionChangeSchema,
  SubscriptionReferenceSchema,
  SubscriptionSchema,
} from './request/webhook-subscription.ts';
import type { Answer } from './response/conclude.ts';
import type { Operation } from './spec/endpoints.ts';

type Call<Input, Value> = (input: Input, call?: AccountCallOptions) => Promise<Answer<Value>>;
type Read<Value> = (json: unknown) => Value;

/** The operations of the client. `MerchantOperations` documents each of them. */
export function bindOperations(send: Send): MerchantOperations {
  const { shown, hidden } = binders(send);
  const listWallets = shown('WALLET_LIST', WalletFilterSchema, readWalletPage);
  const listTransactions = shown('TRANSACTION_LIST', TransactionFilterSchema, readTransactionPage);
  return {
    readBalance: ({ account } = {}, call = {}) =>
      send({ operation: 'ACCOUNT', read: readBalances }, { ...call, ...compact({ account }) }),
    createMassPayout: async (input, call = {}) => {
      const spec = { operation: 'MASS_CREATE', read: readMassPayoutRecord } as const;
      if (isPrepared(input)) return send({ ...spec, body: input.body }, call);
      return send({ ...spec, payloadText: massPayoutPayload(input) }, call);
    },
    readMassPayout: shown('MASS_GET', ReferenceSchema, readMassPayoutRecord),
    calculateFees: shown('FEE_CALCULATION', FeesSchema, readFeeQuotes),
    lookup: shown('LOOKUP', ReferenceSchema, readLookupRecord),

    createWebhookSubscription: hidden('WEBHOOK_CREATE', SubscriptionSchema, readSubscriptionParts),
    changeWebhookSubscription: hidden(
      'WEBHOOK_CHANGE',
      SubscriptionChangeSchema,
      readSubscriptionParts,
    ),
    listWebhookSubscriptions: (call = {}) =>
      send({ operation: 'WEBHOOK_LIST', read: readWebhookSubscriptions }, call),
    deleteWebhookSubscription: hidden(
      'WEBHOOK_DELETE',
      SubscriptionReferenceSchema,
      readSubscriptionParts,
    ),

    listWallets: (filter = {}, call) => listWallets(filter, call),
    eachWallet: (filter = {}, { pagesMax, ...call } = {}) =>
      eachItem({
        operation: 'WALLET_LIST',
        readPage: (pageNumber) => listWallets({ ...filter, pageNumber }, call),
        pagesMax,
      }),
    createWallet: shown('WALLET_CREATE', WalletSchema, readWallet),
    renameWallet: hidden('WALLET_RENAME', WalletRenameSchema, readAssumedWallet),
    listTransactions: (filter = {}, call) => listTransactions(filter, call),
    eachTransaction: (filter = {}, { pagesMax, ...call } = {}) =>
      eachItem({
        operation: 'TRANSACTION_LIST',
        readPage: (pageNumber) => listTransactions({ ...filter, pageNumber }, call),
        pagesMax,
      }),
    listOperationCodes: (call = {}) =>
      send({ operation: 'OPCODES', read: readOperationCodes }, call),
    lookupAddress: hidden('LOOKUP_ADDRESS', AddressSchema, readAssumedWallet),

    requestReport: hidden('REPORT', ReportSchema, readReport),
    readUser: (call = {}) => send({ operation: 'USER', read: readUserRecord }, call),
  };
}

/**
 * Make the function of an operation with a payload from its name, the schema of its input and the
 * reader of its answer. `shown`: the spec shows the answer. `hidden`: the spec does not show it.
 */
function binders(send: Send) {
  const bind =
    (anyShape: boolean) =>
    <Input, Value>(
      operation: Operation,
      schema: InputSchema<Input>,
      read: Read<Value>,
    ): Call<Input, Value> =>
    async (input, call = {}) => {
      const payloadText = writeJson(checkInput(operation, schema, input));
      return send({ operation, payloadText, anyShape, read }, call);
    };
  return { shown: bind(false), hidden: bind(true) };
}
