import type { ServiceRequest } from '../../src/body.ts';
import type { Operation } from '@bursar/merchant-api/spec';
import type { ServiceAnswer, TestedService } from '../../src/service.ts';

/** The patience for objects that never come. */
export const IMPATIENCE_MS = 2_000;

/** The sandbox with requests that are changed on their way. */
export const asking =
  (change: (request: ServiceRequest, operation: Operation) => ServiceRequest) =>
  (service: TestedService): TestedService => ({
    ...service,
    send: (operation, request = {}) => service.send(operation, change(request, operation)),
  });

/** The sandbox with answers that are changed on their way. */
export const answering =
  (change: (answer: ServiceAnswer, operation: Operation) => ServiceAnswer) =>
  (service: TestedService): TestedService => ({
    ...service,
    send: async (operation, request) => change(await service.send(operation, request), operation),
  });

/** Changes the text of every answer, or of those of one operation. */
export const rewriting = (pattern: RegExp, by: string, only?: Operation) =>
  answering((answer, operation) => {
    if (only !== undefined && operation !== only) return answer;
    const text = answer.text.replaceAll(pattern, by);
    return { ...answer, text, json: JSON.parse(text) };
  });

/** Changes the payload of an operation, wherever it stands. */
export const payloadOf = (
  operation: Operation,
  change: (payload: Record<string, unknown>) => object,
) =>
  asking((request, asked) => {
    if (asked !== operation) return request;
    if (request.body === undefined) {
      return { ...request, payload: change(request.payload as Record<string, unknown>) };
    }
    const body = JSON.parse(request.body);
    return { ...request, body: JSON.stringify({ ...body, payload: change(body.payload) }) };
  });

export const isError = ({ json }: ServiceAnswer): boolean =>
  typeof json === 'object' && json !== null && 'errorCode' in json;

export type Mutant = readonly [
  words: string,
  only: readonly string[],
  spoil: (service: TestedService) => TestedService,
  broken: readonly string[],
  /** The patience for objects that never come. */
  patienceMs?: number,
];

export const MUTANTS: readonly Mutant[] = [
  [
    'accepts what it must refuse',
    ['envelope.timestamp', 'envelope.account', 'auth.key', 'auth.content-type', 'auth.body'],
    answering((answer) => (isError(answer) ? { status: 200, json: {}, text: '{}' } : answer)),
    [
      'auth.body.json',
      'auth.content-type',
      'auth.key.known',
      'auth.key.required',
      'envelope.account.WEBHOOK_CHANGE',
      'envelope.account.WEBHOOK_CREATE',
      'envelope.account.WEBHOOK_LIST',
      'envelope.account.own',
      'envelope.account.pattern',
      'envelope.account.required',
      'envelope.account.string',
      'envelope.timestamp.every-operation',
      'envelope.timestamp.future',
      'envelope.timestamp.integer',
      'envelope.timestamp.mass-create',
      'envelope.timestamp.milliseconds',
      'envelope.timestamp.past',
      'envelope.timestamp.required',
    ],
  ],
  [
    'does not check signatures',
    ['auth'],
    asking(({ headers, secret: _secret, signed: _signed, ...request }) => {
      const { Sign: _sign, ...others } = headers ?? {};
      return { ...request, headers: others };
    }),
    [
      'auth.sign.by-this-secret',
      'auth.sign.every-operation',
      'auth.sign.mass-create',
      'auth.sign.of-this-body',
      'auth.sign.required',
      'auth.sign.value',
    ],
  ],
  [
    'does not check the time of a request',
    ['envelope', 'auth'],
    asking(({ timestamp, extra: _extra, body, ...request }) => ({
      ...request,
      ...(typeof timestamp === 'number' || timestamp === undefined ? {} : { timestamp }),
      ...(body === undefined
        ? {}
        : { body: body.replace(/"timestamp":\d+/, `"timestamp":${Date.now()}`) }),
    })),
    [
      'envelope.timestamp.every-operation',
      'envelope.timestamp.future',
      'envelope.timestamp.mass-create',
      'envelope.timestamp.milliseconds',
      'envelope.timestamp.past',
    ],
  ],
  [
    'has errors without traceId',
    ['envelope', 'errors', 'fee'],
    rewriting(/"traceId":"[^"]+",/g, ''),
    ['errors.body.traceId', 'errors.body.unknown-path'],
  ],
  [
    'has errors with a number as message',
    ['envelope', 'errors', 'fee'],
    rewriting(/"message":"(?:[^"\\]|\\.)*"/g, '"message":7'),
    ['errors.body.message', 'errors.body.unknown-path'],
  ],
  [
    'writes balances as text',
    ['account'],
    rewriting(/"amount":([\d.]+)/g, '"amount":"$1"'),
    ['account.record.balances.amount'],
  ],
  [
    'leaves the owner out',
    ['account'],
    rewriting(/"ownerId":"[^"]+",/g, ''),
    ['account.record.ownerId'],
  ],
  [
    'answers a balance with 201',
    ['account'],
    answering((answer) => (answer.status === 200 ? { ...answer, status: 201 } : answer)),
    ['account.status'],
  ],
  [
    'shows an unknown role',
    ['user', 'account'],
    rewriting(/"COMPANY_ADMIN"/g, '"KING"'),
    ['user.record.userFullInfo.roles'],
  ],
  [
    'takes a fee calculation without items',
    ['fee'],
    payloadOf('FEE_CALCULATION', ({ items, ...rest }) => ({
      ...rest,
      items:
        Array.isArray(items) && items.length === 0
          ? [{ baseAmount: 1, currency: 'BTC', opType: 'INVOICE', feeType: 'FIX' }]
          : items,
    })),
    ['fee.items.min'],
  ],
  [
    'cuts long names of wallets',
    ['wallets'],
    asking((request, operation) =>
      operation === 'WALLET_CREATE' || operation === 'WALLET_RENAME'
        ? { ...request, payload: cutName(request.payload as Record<string, unknown>) }
        : request,
    ),
    ['wallets.name.too-long.create', 'wallets.name.too-long.rename'],
  ],
  [
    'forgets what a wallet was renamed to',
    ['wallets.name', 'wallets.create', 'wallets.rename.listed'],
    payloadOf('WALLET_RENAME', (payload) => ({ ...payload, name: 'always the same' })),
    ['wallets.name.too-long.rename', 'wallets.rename.listed'],
  ],
  [
    'sorts in one direction only',
    ['wallets.list'],
    payloadOf('WALLET_LIST', ({ sort, ...rest }) => ({
      ...rest,
      ...(sort === undefined ? {} : { sort: sort === 'DESC' ? 'ASC' : sort }),
    })),
    ['wallets.list.sort'],
  ],
  [
    'counts one page too many',
    ['wallets.list'],
    rewriting(/"total":\d+/g, '"total":99', 'WALLET_LIST'),
    ['wallets.list.total'],
  ],
  [
    'ignores a filter',
    ['wallets.list'],
    payloadOf('WALLET_LIST', ({ blockchain: _blockchain, ...rest }) => rest),
    ['wallets.list.filter.blockchain', 'wallets.list.request.blockchain'],
  ],
  [
    'has pages of 20 by default',
    ['wallets.list'],
    payloadOf('WALLET_LIST', (payload) => ({
      pageSize: 20,
      ...payload,
      ...('pageSize' in payload && payload['pageSize'] === undefined ? { pageSize: 20 } : {}),
    })),
    ['wallets.list.pageSize.default'],
  ],
  [
    'sends before the execution date',
    ['moves'],
    payloadOf('MASS_CREATE', ({ executionDate: _date, ...rest }) => rest),
    ['moves.execution-date'],
  ],
  [
    'calls a partial payout completed',
    ['moves', 'mass-get.record'],
    rewriting(/"PARTIAL"/g, '"COMPLETED"'),
    ['moves.partial.state'],
  ],
  [
    'forgets the reference of a payout',
    ['mass-create', 'mass-get'],
    rewriting(/,"externalId":"[^"]+"/g, ''),
    ['mass-create.gives-back.externalId'],
  ],
  [
    'never shows that a subscription is blocked',
    ['webhooks.blocking.threshold', 'webhooks.blocking.not-before', 'webhooks.errors'],
    rewriting(/"blockedByErrorCount":true/g, '"blockedByErrorCount":false'),
    ['webhooks.blocking.threshold'],
    IMPATIENCE_MS,
  ],
  [
    'does not count failed deliveries',
    ['webhooks.errors'],
    rewriting(/"errorCount":\d+/g, '"errorCount":1'),
    ['webhooks.errors.count', 'webhooks.errors.in-a-row'],
    IMPATIENCE_MS,
  ],
  [
    'forgets the groups of a subscription',
    ['webhooks.groups', 'webhooks.types', 'webhooks.types-and-groups'],
    payloadOf('WEBHOOK_CREATE', ({ notificationServiceTypes: _groups, ...rest }) => ({
      notificationEventTypes: ['LIQUIDITY_RUNNING_OUT_OF_FUNDS'],
      ...rest,
    })),
    [
      'webhooks.groups.CUSTOMER_PURSE',
      'webhooks.groups.FIAT_APPLIER',
      'webhooks.groups.FIAT_DEPOSIT',
      'webhooks.groups.FIAT_WITHDRAWAL',
      'webhooks.groups.INVOICE',
      'webhooks.groups.PAYOUT',
      'webhooks.groups.SETTLEMENT_ADAPTER',
      'webhooks.groups.SETTLEMENT_PAYOUT',
      'webhooks.groups.SYSTEM',
      'webhooks.types-and-groups',
    ],
  ],
];

const cutName = (payload: Record<string, unknown>): Record<string, unknown> => {
  const { name } = payload;
  return { ...payload, name: typeof name === 'string' ? name.slice(0, 100) : name };
};
