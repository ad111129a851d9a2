/** An answer of a service that differs from the specification, and what the client makes of it. */
export type OddAnswer = readonly [
  what: string,
  /** JSON text, as it comes over the wire. */
  json: string,
  /** Fields of the value (`toMatchObject`); `unreadable`: the whole record is. */
  value: object | 'unreadable',
  /** Path and problem of each unreadable part, in order. */
  parts?: readonly (readonly [path: string, problem: string])[],
];

const mass = (more: string): string => `{"id":"mp-1","state":"PARTIAL",${more}}`;
const errors = (entries: string): string => mass(`"errors":{"withdrawalErrors":${entries}}`);
const problem = (fields: string): string =>
  errors(`[{"withdrawalId":"w1","errors":[{${fields}}]}]`);

const NONE = { id: 'mp-1', state: 'PARTIAL', withdrawalErrors: [] };
const of = (...withdrawalErrors: object[]): object => ({
  id: 'mp-1',
  state: 'PARTIAL',
  withdrawalErrors,
});
const w1 = (...problems: object[]): object => of({ withdrawalId: 'w1', errors: problems });
const hiddenW1 = (...problems: object[]): object =>
  of({ withdrawalId: 'w1', errors: problems, isResolutionUnreadable: true });

const E = 'errors.withdrawalErrors';
const TWICE = 'comes twice with different values';
const MISSING_FIELD = 'is missing or has another type';

export const ODD_MASS_PAYOUTS: readonly OddAnswer[] = [
  ['errors that are an empty list', mass('"errors":[]'), NONE],
  ['errors that are an empty object', mass('"errors":{}'), NONE],
  ['errors that are an empty text', mass('"errors":""'), NONE],
  ['errors that are null', mass('"errors":null'), NONE],
  ['no withdrawal, as an empty object', errors('{}'), NONE],
  ['no withdrawal, as null', errors('null'), NONE],
  ['errors that are a list', mass('"errors":[{"code":1}]'), NONE, [['errors', 'is not a record']]],
  ['errors that are text', mass('"errors":"declined"'), NONE, [['errors', 'is not a record']]],
  ['errors that are a number', mass('"errors":5'), NONE, [['errors', 'is not a record']]],
  ['errors that come twice', mass('"errors":{},"errors":{"a":1}'), NONE, [['errors', TWICE]]],
  ['withdrawals that are an object', errors('{"0":{}}'), NONE, [[E, 'is not a list']]],
  ['withdrawals that are text', errors('"w1"'), NONE, [[E, 'is not a list']]],
  [
    'an entry without an id beside a whole one',
    errors('[{"errors":[]},{"withdrawalId":"w1"}]'),
    w1(),
    [[`${E}.0.withdrawalId`, 'is missing']],
  ],
  [
    'an entry with an empty id',
    errors('[{"withdrawalId":""}]'),
    NONE,
    [[`${E}.0.withdrawalId`, 'is not an id']],
  ],
  [
    'an entry with a list as id',
    errors('[{"withdrawalId":["w1"]}]'),
    NONE,
    [[`${E}.0.withdrawalId`, 'is not an id']],
  ],
  [
    'an entry with two ids',
    errors('[{"withdrawalId":"w1","withdrawalId":"w2"}]'),
    NONE,
    [[`${E}.0.withdrawalId`, TWICE]],
  ],
  ['an entry with one id twice', errors('[{"withdrawalId":"w1","withdrawalId":"w1"}]'), w1()],
  [
    'an entry with digits as id',
    errors('[{"withdrawalId":9007199254740993}]'),
    of({ withdrawalId: '9007199254740993', errors: [] }),
  ],
  [
    'an entry with a fraction as id',
    errors('[{"withdrawalId":1.5}]'),
    NONE,
    [[`${E}.0.withdrawalId`, 'is not an id']],
  ],
  [
    'an entry with an exponent as id',
    errors('[{"withdrawalId":1e3}]'),
    NONE,
    [[`${E}.0.withdrawalId`, 'is not an id']],
  ],
  [
    'an entry that is null',
    errors('[null,{"withdrawalId":"w1"}]'),
    w1(),
    [[`${E}.0`, 'is not a record']],
  ],
  ['an entry that is text', errors('["w1"]'), NONE, [[`${E}.0`, 'is not a record']]],
  ['an entry that is a list', errors('[[]]'), NONE, [[`${E}.0`, 'is not a record']]],
  ['problems that are an empty object', errors('[{"withdrawalId":"w1","errors":{}}]'), w1()],
  [
    'problems that are text',
    errors('[{"withdrawalId":"w1","errors":"x"}]'),
    hiddenW1(),
    [[`${E}.0.errors`, 'is not a list']],
  ],
  [
    'a problem that is text',
    errors('[{"withdrawalId":"w1","errors":["x"]}]'),
    hiddenW1(),
    [[`${E}.0.errors.0`, 'is not a record']],
  ],
  ['a problem whose id is text', problem('"id":"E-17"'), w1({ id: 'E-17' })],
  [
    'a problem whose id is a fraction',
    problem('"id":1.5'),
    w1({}),
    [[`${E}.0.errors.0.id`, 'is not an integer or text']],
  ],
  ['a resolution as text', problem('"errorResolved":"true"'), w1({ errorResolved: true })],
  ['no resolution as text', problem('"errorResolved":"false"'), w1({ errorResolved: false })],
  [
    'a resolution in another word',
    problem('"errorResolved":"yes"'),
    hiddenW1({}),
    [[`${E}.0.errors.0.errorResolved`, 'is not true or false']],
  ],
  [
    'a resolution as a number',
    problem('"errorResolved":1'),
    hiddenW1({}),
    [[`${E}.0.errors.0.errorResolved`, 'is not true or false']],
  ],
  [
    'two resolutions',
    problem('"errorResolved":true,"errorResolved":false'),
    hiddenW1({}),
    [[`${E}.0.errors.0.errorResolved`, TWICE]],
  ],
  [
    'a message that is an object',
    problem('"errorMessage":{ "code" : 1.50 }'),
    w1({ errorMessage: '{"code":1.50}' }),
  ],
  ['a message that is a number', problem('"errorMessage":5'), w1({ errorMessage: '5' })],
  [
    'a message with two codes',
    problem('"errorMessage":{"code":1,"code":2}'),
    w1({}),
    [[`${E}.0.errors.0.errorMessage`, 'is not free of names that come twice']],
  ],
  [
    'a message object with hidden characters',
    problem('"errorMessage":["a\\u202eb"]'),
    w1({ errorMessage: '["ab"]' }),
  ],
  [
    'a status that is a number',
    problem('"status":7'),
    w1({}),
    [[`${E}.0.errors.0.status`, 'is not text']],
  ],
  ['an id of digits', '{"id":42,"state":"CONFIRMED"}', { id: '42', state: 'CONFIRMED' }],
  [
    'an id that no JavaScript number holds',
    '{"id":9007199254740993,"state":"X"}',
    { id: '9007199254740993' },
  ],
  ['an id below zero', '{"id":-1,"state":"X"}', 'unreadable'],
  ['no id', '{"state":"X"}', 'unreadable'],
  ['no state', '{"id":"mp-1"}', 'unreadable'],
  ['a state that is a number', '{"id":"mp-1","state":3}', 'unreadable'],
  ['two states', '{"id":"mp-1","state":"FAILED","state":"COMPLETED"}', 'unreadable'],
  ['two ids', '{"id":"a","id":"b","state":"X"}', 'unreadable'],
  ['two totals', mass('"totalWithdrawalAmount":1,"totalWithdrawalAmount":2'), 'unreadable'],
  ['one total in two spellings', mass('"totalFee":1,"totalFee":1.0'), 'unreadable'],
  ['one total twice', mass('"totalFee":1,"totalFee":1'), { totalFee: '1' }],
  [
    'a total with an exponent',
    mass('"totalWithdrawalAmount":12.5e2'),
    { totalWithdrawalAmount: '1250' },
  ],
  ['a total out of bounds', mass('"totalWithdrawalAmount":1e400'), 'unreadable'],
  ['a total with a comma', mass('"totalWithdrawalAmount":"1,5"'), 'unreadable'],
  ['a fee that is an object', mass('"totalFee":{"amount":1}'), 'unreadable'],
  [
    'a fee that pretends to be a number',
    mass('"totalFee":{"isLosslessNumber":true,"value":"1"}'),
    'unreadable',
  ],
  [
    'a name that is a number',
    mass('"name":7,"comment":"c"'),
    { comment: 'c' },
    [['name', 'is not text']],
  ],
  ['a comment that is a list', mass('"comment":[]'), NONE, [['comment', 'is not text']]],
  [
    'a company that is an object',
    mass('"companyId":{"id":1}'),
    NONE,
    [['companyId', 'is not text']],
  ],
  ['an external id of digits', mass('"externalId":12'), NONE, [['externalId', 'is not text']]],
  [
    'a date in milliseconds',
    mass('"executionDate":1763632800000'),
    NONE,
    [['executionDate', 'is not text']],
  ],
  [
    'a key that is no text',
    mass('"idempotencyKey":true'),
    NONE,
    [['idempotencyKey', 'is not text']],
  ],
  ['two accounts', mass('"account":"a","account":"b"'), NONE, [['account', TWICE]]],
  ['an account and null', mass('"account":"a","account":null'), NONE, [['account', TWICE]]],
  ['two values of an unknown name', mass('"extra":1,"extra":2'), NONE],
  [
    'a cancellation that is text',
    mass('"cancellation":"u-1"'),
    NONE,
    [['cancellation', 'is not the four texts of a cancellation']],
  ],
  ['a list in place of the record', '[{"id":"mp-1","state":"X"}]', 'unreadable'],
  ['text in place of the record', '"mp-1"', 'unreadable'],
  ['nothing', 'null', 'unreadable'],
  [
    'two records in data',
    '{"data":{"id":"a","state":"X"},"data":{"id":"b","state":"X"}}',
    'unreadable',
  ],
  [
    'a record in data, with an odd part',
    `{"data":${mass('"name":7')}}`,
    NONE,
    [['name', 'is not text']],
  ],
];

export const HOSTILE_MASS_PAYOUTS: readonly OddAnswer[] = [
  ['__proto__ in place of fields', '{"__proto__":{"id":"mp-1","state":"X"}}', 'unreadable'],
  [
    '__proto__ beside the fields',
    mass('"__proto__":{"errors":"x"},"constructor":{"name":"x"}'),
    NONE,
  ],
  ['__proto__ twice', mass('"__proto__":{"name":7},"__proto__":[]'), NONE],
  [
    'an entry whose id is in __proto__',
    errors('[{"__proto__":{"withdrawalId":"w1"}}]'),
    NONE,
    [[`${E}.0.withdrawalId`, 'is missing']],
  ],
  [
    'a nesting up to the limit in an unknown field',
    mass(`"deep":${'['.repeat(63)}${']'.repeat(63)}`),
    NONE,
  ],
  ['a nesting above the limit', mass(`"deep":${'['.repeat(64)}${']'.repeat(64)}`), 'unreadable'],
  ['a nesting without an end', `{"errors":${'{"a":'.repeat(100_000)}`, 'unreadable'],
  ['a lone surrogate as comment', mass('"comment":"\\ud800"'), { comment: '\ud800' }],
  [
    'a lone surrogate in a message object',
    problem('"errorMessage":{"a":"\\ud800"}'),
    w1({ errorMessage: '{"a":"\\ud800"}' }),
  ],
  ['bidi characters as name of a field', mass('"\\u202ename":7'), NONE],
  ['bidi characters as state', '{"id":"mp-1","state":"\\u202eDELIAF"}', { state: '\u202eDELIAF' }],
  ['a name with an escape, twice', mass('"name":"a","\\u006eame":"b"'), NONE, [['name', TWICE]]],
  [
    'ten thousand values of one name',
    mass(Array.from({ length: 10_000 }, (_, n) => `"name":"${n}"`).join(',')),
    NONE,
    [['name', TWICE]],
  ],
];

const payout = (more: string): string =>
  `{"id":"w1","state":"FAILED","depositAddress":"T1",${more}}`;
const PAYOUT = { id: 'w1', state: 'FAILED', depositAddress: 'T1' };

export const ODD_PAYOUTS: readonly OddAnswer[] = [
  ['an id of digits', '{"id":7,"state":"FAILED"}', { id: '7', state: 'FAILED' }],
  ['a comment that is a number', payout('"comment":7'), PAYOUT, [['comment', 'is not text']]],
  [
    'an address that is a list',
    '{"id":"w1","state":"FAILED","depositAddress":["T1"]}',
    { id: 'w1' },
    [['depositAddress', 'is not text']],
  ],
  ['two addresses', payout('"depositAddress":"T2"'), { id: 'w1' }, [['depositAddress', TWICE]]],
  [
    'a hash that is an object',
    payout('"transactionHash":{}'),
    PAYOUT,
    [['transactionHash', 'is not text']],
  ],
  [
    'errors with a code twice',
    payout('"errors":{"code":1,"code":2}'),
    PAYOUT,
    [['errors', 'is not free of names that come twice']],
  ],
  [
    'errors that come twice',
    payout('"errors":"a","errors":"b"'),
    PAYOUT,
    [['errors', 'comes twice with different values']],
  ],
  ['errors that are empty', payout('"errors":[]'), { ...PAYOUT, errors: '[]' }],
  ['an amount as text', payout('"amount":"12.50"'), { amount: '12.5' }],
  ['an amount with an exponent', payout('"amount":1E-8'), { amount: '0.00000001' }],
  ['two amounts', payout('"amount":1,"amount":2'), 'unreadable'],
  ['an amount that is a list', payout('"amount":[1]'), 'unreadable'],
  ['a blockchain fee in words', payout('"blockchainFee":"none"'), 'unreadable'],
  ['no state', '{"id":"w1"}', 'unreadable'],
];

export const ODD_LOOKUPS: readonly OddAnswer[] = [
  [
    'a payout with an odd comment',
    payout('"comment":7'),
    { kind: 'payout', ...PAYOUT },
    [['comment', 'is not text']],
  ],
  [
    'a mass payout with odd errors',
    mass('"name":"n","errors":"x"'),
    { kind: 'massPayout', ...NONE },
    [['errors', 'is not a record']],
  ],
  [
    'a mass payout with a field twice',
    mass('"name":"a","name":"b"'),
    { kind: 'massPayout' },
    [['name', TWICE]],
  ],
  ['neither of the two', '{"id":"x","state":"X"}', 'unreadable'],
];

const balances = (entries: string): string => `{"account":"a","name":"n","balances":[${entries}]}`;
const BTC = '{"currency":"BTC","amount":1}';
const held = (...currencies: string[]): object => ({
  balances: currencies.map((currency) => ({ currency, amount: '1' })),
});

export const ODD_BALANCES: readonly OddAnswer[] = [
  [
    'an amount in words',
    balances(`{"currency":"EUR","amount":"some"},${BTC}`),
    held('BTC'),
    [['balances.0.amount', MISSING_FIELD]],
  ],
  [
    'an amount that is missing',
    balances(`${BTC},{"currency":"EUR"}`),
    held('BTC'),
    [['balances.1.amount', MISSING_FIELD]],
  ],
  [
    'two amounts',
    balances(`{"currency":"EUR","amount":1,"amount":2},${BTC}`),
    held('BTC'),
    [['balances.0.amount', MISSING_FIELD]],
  ],
  [
    'a currency that is a number',
    balances(`{"currency":7,"amount":1},${BTC}`),
    held('BTC'),
    [['balances.0.currency', MISSING_FIELD]],
  ],
  [
    'an entry that is null',
    balances(`null,${BTC}`),
    held('BTC'),
    [['balances.0', 'is not a record']],
  ],
  [
    'a name that is a number',
    `{"account":"a","name":7,"balances":[${BTC}]}`,
    { account: 'a', ...held('BTC') },
    [['name', 'is not text']],
  ],
  [
    'an account that is a number',
    `{"account":7,"balances":[${BTC}]}`,
    held('BTC'),
    [['account', 'is not text with a character']],
  ],
  [
    'an owner that is an object',
    `{"account":"a","ownerId":{},"balances":[]}`,
    held(),
    [['ownerId', 'is not text']],
  ],
  ['balances that are an object', '{"account":"a","balances":{}}', 'unreadable'],
  ['no balances', '{"account":"a"}', 'unreadable'],
  ['two lists of balances', `{"balances":[${BTC}],"balances":[]}`, 'unreadable'],
];

const channel = (more: string): string =>
  `{"requestId":"r1","url":"u","notificationEventTypes":[],"enabled":true,"blockedByErrorCount":false,"errorCount":0${more}}`;
const WHOLE = channel('').replace('r1', 'r2');
const listed = (...entries: string[]): string => `{"subscriptions":[${entries.join(',')}]}`;
const only = (...requestIds: string[]): object => ({
  subscriptions: requestIds.map((requestId) => ({ requestId, enabled: true })),
});

export const ODD_SUBSCRIPTIONS: readonly OddAnswer[] = [
  [
    'a date in milliseconds',
    listed(channel(',"createdDate":1'), WHOLE),
    only('r1', 'r2'),
    [['subscriptions.0.createdDate', 'is not text']],
  ],
  [
    'a secret key that is a list',
    listed(channel(',"secretKey":["k"]')),
    only('r1'),
    [['subscriptions.0.secretKey', 'is not text']],
  ],
  [
    'an error date that comes twice',
    listed(channel(',"errorLastDate":"a","errorLastDate":"b"')),
    only('r1'),
    [['subscriptions.0.errorLastDate', TWICE]],
  ],
  [
    'enabled as text',
    listed(channel('').replace('"enabled":true', '"enabled":"true"')),
    only('r1'),
  ],
  [
    'enabled as a word',
    listed(channel('').replace('"enabled":true', '"enabled":"on"'), WHOLE),
    only('r2'),
    [['subscriptions.0.enabled', MISSING_FIELD]],
  ],
  [
    'no id',
    listed(channel('').replace('requestId', 'other'), WHOLE),
    only('r2'),
    [['subscriptions.0.requestId', MISSING_FIELD]],
  ],
  [
    'an odd event type',
    listed(channel('').replace('[]', '[1]'), WHOLE),
    only('r2'),
    [['subscriptions.0.notificationEventTypes.0', MISSING_FIELD]],
  ],
  [
    'an entry that is text',
    listed('"r1"', WHOLE),
    only('r2'),
    [['subscriptions.0', 'is not a record']],
  ],
  ['no list', '{"subscriptions":{}}', 'unreadable'],
];

const page = (entry: string): string =>
  `{"result":[${entry}],"page":1,"size":10,"total":1,"totalElements":1}`;
const transaction = (more: string): string =>
  `{"amount":1,"currency":"BTC","opCode":"TOP_UP"${more}}`;

/** An odd part makes a page unreadable: a page that hides a transaction would let a reconciliation miss a payment. */
export const ODD_TRANSACTION_PAGES: readonly OddAnswer[] = [
  [
    'a transaction with an unknown field twice',
    page(transaction(',"x":1,"x":2')),
    { totalElements: 1, result: [{ amount: '1' }] },
  ],
  ['a transaction without an amount', page('{"currency":"BTC","opCode":"TOP_UP"}'), 'unreadable'],
  ['a transaction with two amounts', page(transaction(',"amount":2')), 'unreadable'],
  ['a hash that is a number', page(transaction(',"transactionHash":7')), 'unreadable'],
  [
    'an address that comes twice',
    page(transaction(',"addressTo":"a","addressTo":"b"')),
    'unreadable',
  ],
  ['a transaction that is null', page('null'), 'unreadable'],
  [
    'a number of pages in words',
    page(transaction('')).replace('"total":1', '"total":"one"'),
    'unreadable',
  ],
];

const wallet = (balance: string): string =>
  page(`{"name":"n","address":"a","blockchain":"TRON","balances":[${balance}]}`);

export const ODD_WALLET_PAGES: readonly OddAnswer[] = [
  [
    'a balance as text',
    wallet('{"currency":"TRX","amount":"1","token":false}'),
    { totalElements: 1 },
  ],
  ['a balance in words', wallet('{"currency":"TRX","amount":"one","token":false}'), 'unreadable'],
  ['a balance that is text', wallet('"1 TRX"'), 'unreadable'],
];

const result = (more: string): string => `{"amount":1,"fee":0.1${more}}`;
const quote = (sender: string): string =>
  `{"items":[{"amount":1,"currency":"BTC","opType":"WITHDRAWAL","feeSender":${sender},"feeReceiver":${result('')}}]}`;

export const ODD_FEE_QUOTES: readonly OddAnswer[] = [
  ['a fee as text', quote('{"amount":"1","fee":"0.10"}'), [{ feeSender: { fee: '0.1' } }]],
  ['two fees', quote(result(',"fee":0.2')), 'unreadable'],
  ['a fixed fee in words', quote(result(',"fixedFee":"none"')), 'unreadable'],
  ['no quotes', '{"items":[]}', 'unreadable'],
];
