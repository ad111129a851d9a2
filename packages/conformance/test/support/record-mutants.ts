import type { Operation } from '@bursar/merchant-api/spec';
import type { ServiceAnswer, TestedService } from '../../src/service.ts';
import { answering, IMPATIENCE_MS, isError, type Mutant, payloadOf } from './mutants.ts';

type Fields = Record<string, unknown>;

/** Replaces every text and number in a value by one of another type. */
function odd(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => odd(each));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, odd(each)]));
  }
  return typeof value === 'string' ? 7 : 'odd';
}

/** Changes the records in the right answers to an operation. */
const changing = (operation: Operation, change: (json: Fields) => unknown) =>
  answering((answer, asked): ServiceAnswer => {
    if (asked !== operation || isError(answer)) return answer;
    const json = change(structuredClone(answer.json) as Fields);
    return { ...answer, json, text: JSON.stringify(json) };
  });

/** Puts 7 in the place of each of these fields, at any depth. */
const replacing = (...names: readonly string[]) => {
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => replaced(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        names.includes(name) ? 7 : replaced(each),
      ]),
    );
  };
  return replaced;
};

/** Refuses what an operation must accept. */
const refusing =
  (operation: Operation, isRefused: (payload: Fields) => boolean) =>
  (service: TestedService): TestedService => ({
    ...service,
    async send(asked, request = {}) {
      const payload = (request.payload ?? {}) as Fields;
      if (asked !== operation || !isRefused(payload)) return service.send(asked, request);
      const json = { traceId: 't', errorCode: 'NO', message: 'No.' };
      return { status: 400, json, text: JSON.stringify(json) };
    },
  });

const twice = (list: unknown): unknown[] => [...(list as unknown[]), ...(list as unknown[])];

/** Takes fields out of a payload. */
const without =
  (...names: readonly string[]) =>
  (payload: Fields): Fields =>
    Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));

const ids = (beginning: string, ...names: readonly string[]): string[] =>
  names.map((name) => `${beginning}.${name}`).toSorted();

/** Services with odd records, and services that refuse right requests. */
export const RECORD_MUTANTS: readonly Mutant[] = [
  [
    'shows a balance twice',
    ['account'],
    changing('ACCOUNT', (json) => ({ ...json, balances: twice(json['balances']) })),
    ['account.one-per-currency'],
  ],
  [
    'writes currencies of balances as numbers',
    ['account'],
    changing('ACCOUNT', (json) => ({ ...json, balances: odd(json['balances']) })),
    ids('account', 'one-per-currency', 'record.balances.amount', 'record.balances.currency'),
  ],
  [
    'has odd values in the record of a user',
    ['user'],
    changing('USER', odd),
    ids(
      'user.record',
      'availableAccounts.account',
      'availableAccounts.name',
      'permissions.accountId',
      'permissions.accountName',
      'permissions.permissionGroups.groupId',
      'permissions.permissionGroups.name',
      'permissions.permissionGroups.permissionData',
      'permissions.permissionGroups.unique',
      'userFullInfo.active',
      'userFullInfo.blocked',
      'userFullInfo.companyId',
      'userFullInfo.companyName',
      'userFullInfo.id',
      'userFullInfo.roles',
      'userFullInfo.username',
    ),
  ],
  [
    'has numbers in the place of permission groups',
    ['user'],
    changing('USER', replacing('permissionGroups')),
    ['user.record.permissions.permissionGroups'],
  ],
  [
    'shows each permission group twice',
    ['user'],
    changing('USER', (json) => ({
      ...json,
      permissions: (json['permissions'] as Fields[]).map((each) => ({
        ...each,
        permissionGroups: twice(each['permissionGroups']),
      })),
    })),
    ['user.record.permissions.permissionGroups.unique'],
  ],
  [
    'has odd values in a fee calculation',
    ['fee.answer'],
    changing('FEE_CALCULATION', odd),
    ids(
      'fee.answer.items',
      'amount',
      'currency',
      'feeReceiver.amount',
      'feeReceiver.fee',
      'feeReceiver.fixedFee',
      'feeReceiver.percentFee',
      'feeSender.amount',
      'feeSender.fee',
      'feeSender.fixedFee',
      'feeSender.percentFee',
      'opType',
    ),
  ],
  [
    'has numbers in the place of both sides of a fee',
    ['fee.answer'],
    changing('FEE_CALCULATION', replacing('feeReceiver', 'feeSender')),
    ids(
      'fee.answer.items',
      'feeReceiver',
      'feeReceiver.amount',
      'feeReceiver.fee',
      'feeSender',
      'feeSender.amount',
      'feeSender.fee',
    ),
  ],
  [
    'has odd values in wallets',
    ['wallets.record'],
    changing('WALLET_LIST', odd),
    ids(
      'wallets.record',
      'address',
      'balances.amount',
      'balances.currency',
      'balances.token',
      'blockchain',
      'name',
    ),
  ],
  [
    'has numbers in the place of the balances of wallets',
    ['wallets.record'],
    changing('WALLET_LIST', replacing('balances')),
    ['wallets.record.balances'],
  ],
  [
    'has odd values in transactions',
    ['transactions.record'],
    changing('TRANSACTION_LIST', odd),
    ids(
      'transactions.record',
      'addressTo',
      'amount',
      'createdDate',
      'currency',
      'networkFee',
      'networkFeeCurrency',
      'opCode',
      'serviceFee',
      'serviceFeeCurrency',
      'transactionHash',
    ),
  ],
  [
    'answers a create with odd values',
    ['mass-create.record'],
    changing('MASS_CREATE', odd),
    ids(
      'mass-create.record',
      'account',
      'comment',
      'companyId',
      'currency',
      'executionDate',
      'externalId',
      'id',
      'idempotencyKey',
      'name',
      'state',
      'totalFee',
      'totalFeePercentage',
      'totalWithdrawalAmount',
    ),
  ],
  [
    'reads a mass payout with odd values',
    ['mass-get.record'],
    changing('MASS_GET', odd),
    ids(
      'mass-get.record',
      'account',
      'comment',
      'companyId',
      'currency',
      'errors.withdrawalErrors.errors.errorMessage',
      'errors.withdrawalErrors.errors.errorResolved',
      'errors.withdrawalErrors.errors.id',
      'errors.withdrawalErrors.errors.status',
      'errors.withdrawalErrors.withdrawalId',
      'executionDate',
      'externalId',
      'id',
      'idempotencyKey',
      'name',
      'state',
      'totalFee',
      'totalFeePercentage',
      'totalWithdrawalAmount',
    ),
    IMPATIENCE_MS,
  ],
  [
    'has numbers in the place of the errors of a mass payout',
    ['mass-get.record', 'mass-get.errors'],
    changing('MASS_GET', replacing('errors')),
    ['mass-get.errors', 'mass-get.record.errors'],
  ],
  [
    'has numbers in the place of the errors of a withdrawal',
    ['mass-get.record.errors'],
    changing('MASS_GET', (json) => ({
      ...json,
      ...(json['errors'] ? { errors: replacing('errors')(json['errors']) } : {}),
    })),
    ['mass-get.record.errors.withdrawalErrors.errors'],
  ],
  [
    'looks payouts up with odd values',
    ['payout.record'],
    changing('LOOKUP', (json) => ({ ...(odd(json) as Fields), errors: 7, idempotencyKey: 7 })),
    ids(
      'payout.record',
      'account',
      'amount',
      'blockchainFee',
      'blockchainFeeCurrency',
      'comment',
      'createdDate',
      'currency',
      'depositAddress',
      'errors',
      'fee',
      'feeCurrency',
      'feePercentage',
      'id',
      'idempotencyKey',
      'state',
      'transactionHash',
    ),
  ],
  [
    'ignores the filters of wallets',
    ['wallets.list.filter', 'wallets.create.listed'],
    payloadOf('WALLET_LIST', without('blockchain', 'currency', 'nameOrAddress')),
    ids(
      'wallets',
      'create.listed',
      'list.filter.blockchain',
      'list.filter.currency',
      'list.filter.nameOrAddress.address',
      'list.filter.nameOrAddress.name',
    ),
  ],
  [
    'ignores the filters of transactions',
    ['transactions.list.filter'],
    payloadOf('TRANSACTION_LIST', without('walletAddress', 'addressTo', 'opcodes', 'currency')),
    ids('transactions.list.filter', 'addressTo', 'currency', 'opcodes', 'walletAddress'),
  ],
  [
    'shows the first page always',
    ['wallets.list', 'transactions.list'],
    (service) =>
      payloadOf('WALLET_LIST', (payload) => ({
        ...payload,
        ...(typeof payload['pageNumber'] === 'number' ? { pageNumber: 1 } : {}),
      }))(
        payloadOf('TRANSACTION_LIST', (payload) => ({
          ...payload,
          ...(typeof payload['pageNumber'] === 'number' ? { pageNumber: 1 } : {}),
        }))(service),
      ),
    [
      'transactions.list.pages',
      'transactions.list.sort',
      'wallets.list.pages',
      'wallets.list.sort',
    ],
  ],
  [
    'sorts transactions in descending order by default',
    ['transactions.list.sort'],
    payloadOf('TRANSACTION_LIST', (payload) => ({ ...payload, sort: payload['sort'] ?? 'DESC' })),
    ['transactions.list.sort.default'],
  ],
  [
    'refuses the empty name and the longest name of a wallet',
    ['wallets.name'],
    (service) =>
      refusing('WALLET_RENAME', ({ name }) => [0, 100].includes(String(name).length))(
        refusing('WALLET_CREATE', ({ name }) => [0, 100].includes(String(name).length))(service),
      ),
    ids('wallets.name', 'empty.create', 'empty.rename', 'longest.create', 'longest.rename'),
  ],
  [
    'refuses every lookup by address',
    ['address-lookup'],
    refusing('LOOKUP_ADDRESS', () => true),
    ['address-lookup.finds'],
  ],
  [
    'refuses every report',
    ['report'],
    refusing('REPORT', () => true),
    ['report.answer', 'report.zoneOffset.values'],
  ],
  [
    'refuses operation codes as filters',
    ['opcodes'],
    refusing('TRANSACTION_LIST', ({ opcodes }) => opcodes !== undefined),
    ['opcodes.as-filters'],
  ],
  [
    'knows no groups of events',
    ['webhooks.groups'],
    refusing('WEBHOOK_CREATE', ({ notificationServiceTypes: groups }) => groups !== undefined),
    ids(
      'webhooks.groups',
      'BUSINESS_WALLET',
      'C2C_LIQUIDITY',
      'CRYPTO_TO_CRYPTO',
      'CRYPTO_TO_FIAT',
      'CUSTOMER_PURSE',
      'FIAT_APPLIER',
      'FIAT_DEPOSIT',
      'FIAT_WITHDRAWAL',
      'INVOICE',
      'LIQUIDITY',
      'PAYMENT_WIDGET',
      'PAYOUT',
      'RECURRENT',
      'SETTLEMENT_ADAPTER',
      'SETTLEMENT_PAYOUT',
      'SETTLEMENT_WALLET',
      'SYSTEM',
      'WALLET',
    ),
  ],
  [
    'deletes no subscription',
    ['webhooks.life'],
    (service) => ({
      ...service,
      send: (operation, request) =>
        operation === 'WEBHOOK_DELETE'
          ? Promise.resolve({ status: 200, json: {}, text: '{}' })
          : service.send(operation, request),
    }),
    ['webhooks.life.deleted', 'webhooks.life.none-left'],
  ],
  [
    'says too early that a subscription is blocked',
    ['webhooks.blocking.not-before', 'webhooks.blocking.success'],
    answering((answer) => {
      const text = answer.text.replaceAll(
        '"blockedByErrorCount":false',
        '"blockedByErrorCount":true',
      );
      return { ...answer, text, json: text === answer.text ? answer.json : JSON.parse(text) };
    }),
    ['webhooks.blocking.not-before', 'webhooks.blocking.success'],
    IMPATIENCE_MS,
  ],
];
