import { readFileSync } from 'node:fs';
import { pageOf, SUBSCRIPTION, TRANSACTION, USER, WALLET } from './operation-cases.ts';
import { answerBytes, type RawRequest } from './raw-server.ts';

const README = new URL('../../README.md', import.meta.url);
const SNIPPET = /^```js\n(.*?)^```$/gms;

/** The snippets of the README as one program, for a service at this address. */
export const readmeProgram = (serviceUrl: string): string =>
  [...readFileSync(README, 'utf8').matchAll(SNIPPET)]
    .map(([, snippet]) => snippet)
    .join('\n')
    .replaceAll('https://api.example', serviceUrl);

const RECORD = '{"id":"mp-1","state":"CONFIRMED","totalFee":0.1}';
const FEE = '{"amount":12.5,"fee":0.1}';
const QUOTE =
  '{"amount":12.5,"currency":"BTC","opType":"WITHDRAWAL",' +
  `"feeSender":${FEE},"feeReceiver":${FEE}}`;
const ANSWERS: Readonly<Record<string, string>> = {
  '/api/v1/account': '{"account":"a","name":"Main","balances":[{"currency":"BTC","amount":1E-8}]}',
  '/api/v1/fee/calculate': `{"items":[${QUOTE}]}`,
  '/api/v1/payout/mass/create': RECORD,
  '/api/v1/payout/mass': RECORD.replace('CONFIRMED', 'COMPLETED'),
  '/api/v1/payout': RECORD,
  '/api/v1/webhook/list': JSON.stringify({ subscriptions: [SUBSCRIPTION] }),
  '/api/v1/wallet/create': JSON.stringify(WALLET),
  '/api/v1/wallet/list': JSON.stringify(pageOf([WALLET])),
  '/api/v1/wallet/transactions': JSON.stringify(pageOf([TRANSACTION])),
  '/api/v1/wallet/opcodes': '{"opCodes":["FEE","SETTLEMENT_TOP_UP"]}',
  '/api/v1/wallet': JSON.stringify(WALLET),
  '/api/v1/report': '{"rows":[{"amount":1.50}]}',
  '/api/v1/user': JSON.stringify(USER),
};

/** The answer of a service to a request of the README. */
export const answerReadme = ({ text }: RawRequest): Buffer =>
  answerBytes({ body: ANSWERS[text.split(' ')[1] ?? ''] ?? '{}' });

/** What the program prints. */
export const README_LINES: readonly unknown[][] = [
  // This service answers every read alike, so a probe finds little.
  [{ accountCase: 'any', timestampUnit: 'ms', pageBase: 'one' }, undefined],
  ['MASS_GET', 'States are read by LOOKUP alone.'],
  ['LOOKUP', 'Mass payouts are read by MASS_GET alone.'],
  ['massGetAccepts', 'No end of a mass payout can be read, so nothing should be paid.'],
  ['lookupByKey', 'Until a read by key has found a mass payout, a create in doubt needs a person.'],
  ['accountIn', 'Requests carry the account as the settings have it, and may be refused.'],
  ['MASS_CREATE', 'A probe creates nothing: the first create shows its path and its fields.'],
  ['BTC', '0.00000001'],
  ['0.1'],
  ['mp-1', 'CONFIRMED', true],
  ['COMPLETED', '0.1', []],
  ['massPayout'],
  [{ id: 'mp-1', state: 'COMPLETED', totalFee: '0.1' }],
  ['COMPLETED', 0],
  [SUBSCRIPTION.url, true, false, '[secret]'],
  ['verified'],
  ['mp-1', 'COMPLETED'],
  [1, 1],
  ['Main', '12.5'],
  ['SETTLEMENT_TOP_UP', '12.5'],
  ['wallet'],
  [{ rows: [{ amount: '1.5' }] }],
  [['ACCOUNT', 'COMPANY_ADMIN'], 'a-1'],
  ['Main'],
  ['ACCOUNT', 1, 200, undefined],
];
