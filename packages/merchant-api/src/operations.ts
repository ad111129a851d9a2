import type { AccountCallOptions, Send } from './call.ts';
import { compact } from './compact.ts';
import { MerchantApiError } from './errors.ts';
import { eachItem } from './each-item.ts';
import { writeJson } from './json/write-json.ts';
import type { MerchantOperations } from './merchant-operations.ts';
import { readBalances } from './records/balances.ts';
import { readFeeQuotes } from './records/fee-quote.ts';
import { readLookupRecord } from './records/lookup-record.ts';
import { type MassPayout, readMassPayoutRecord } from './records/mass-payout.ts';
import type { Page } from './records/page.ts';
import { readReport } from './records/report.ts';
import { readOperationCodes, readTransactionPage } from './records/transaction.ts';
import { readUserRecord } from './records/user.ts';
import { readAssumedWallet, readWallet, readWalletPage } from './records/wallet.ts';
import { readSubscriptionParts, readWebhookSubscriptions } from './records/webhook-subscription.ts';
import { checkInput, type InputSchema } from './request/check-input.ts';
import { FeesSchema } from './request/fees-input.ts';
import { pageOffset, transactionFilterSchema, walletFilterSchema } from './request/list-filter.ts';
import { isPrepared, massPayoutPayload } from './request/mass-payout-payload.ts';
import {
  MASS_GET_FORMS,
  nameOfReference,
  type Reference,
  ReferenceSchema,
} from './request/reference.ts';
import { ReportSchema } from './request/report-input.ts';
import { AddressSchema, WalletRenameSchema, WalletSchema } from './request/wallet-input.ts';
import {
  SubscriptionChangeSchema,
  SubscriptionReferenceSchema,
  SubscriptionSchema,
} from './request/webhook-subscription.ts';
import type { Answer } from './response/conclude.ts';
import type { Operation } from './spec/endpoints.ts';
import { DEFAULT_SHAPES, type Shapes } from './spec/shapes.ts';

type Call<Input, Value> = (input: Input, call?: AccountCallOptions) => Promise<Answer<Value>>;
type Read<Value> = (json: unknown) => Value;

/** The operations of the client. `MerchantOperations` documents each of them. */
export function bindOperations(send: Send, shapes: Shapes = DEFAULT_SHAPES): MerchantOperations {
  const { shown, hidden } = binders(send);
  const { pageBase } = shapes;
  const listWallets = shown(
    'WALLET_LIST',
    walletFilterSchema(pageBase),
    countingFromOne(readWalletPage, pageBase),
  );
  const listTransactions = shown(
    'TRANSACTION_LIST',
    transactionFilterSchema(pageBase),
    countingFromOne(readTransactionPage, pageBase),
  );
  return {
    readBalance: ({ account } = {}, call = {}) =>
      send({ operation: 'ACCOUNT', read: readBalances }, { ...call, ...compact({ account }) }),
    createMassPayout: async (input, call = {}) => {
      const spec = { operation: 'MASS_CREATE', read: readMassPayoutRecord } as const;
      if (isPrepared(input)) return send({ ...spec, body: input.body }, call);
      return send({ ...spec, payloadText: massPayoutPayload(input) }, call);
    },
    readMassPayout: massPayoutReader(send, shapes),
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
 * MASS_GET in the shape `massGetAccepts`. A reference that the service does not take rejects before anything is sent:
 * the refusal of the service would look like one of a mass payout that is not there.
 */
function massPayoutReader(send: Send, { massGetAccepts }: Shapes): Call<Reference, MassPayout> {
  const { takes, isFlat } = MASS_GET_FORMS[massGetAccepts];
  const operation = 'MASS_GET';
  return async (reference, call = {}) => {
    const payloadText = writeJson(checkInput(operation, ReferenceSchema, reference));
    const name = nameOfReference(reference);
    if (!takes.includes(name)) {
      throw new MerchantApiError('unavailable', { operation, reason: `it takes no ${name}` });
    }
    return send({ operation, payloadText, isFlat, read: readMassPayoutRecord }, call);
  };
}

/** The reader of a page whose number the service counts from `pageBase`. */
const countingFromOne =
  <Item>(read: Read<Page<Item>>, pageBase: Shapes['pageBase']): Read<Page<Item>> =>
  (json) => {
    const page = read(json);
    return { ...page, page: page.page + pageOffset(pageBase) };
  };

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
