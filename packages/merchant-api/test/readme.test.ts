import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import * as merchantApi from '@bursar/merchant-api';
import { openServer } from './support/fixtures.ts';
import { pageOf, SUBSCRIPTION, TRANSACTION, USER, WALLET } from './support/operation-cases.ts';
import { answerBytes, type RawRequest } from './support/raw-server.ts';

const README = new URL('../README.md', import.meta.url);
const SNIPPET = /^```js\n(.*?)^```$/gms;
const IMPORT = /^import \{ (.*) \} from '@bursar\/merchant-api';$/gm;

const RECORD = '{"id":"mp-1","state":"CONFIRMED","totalFee":0.1}';
const FEE = '{"amount":12.5,"fee":0.1}';
const QUOTE =
  '{"amount":12.5,"currency":"BTC","opType":"WITHDRAWAL",' +
  `"feeSender":${FEE},"feeReceiver":${FEE}}`;
const ANSWERS: Readonly<Record<string, string>> = {
  '/api/v1/account': '{"account":"a","name":"Main","balances":[{"currency":"BTC","amount":1E-8}]}',
  '/api/v1/fee/calculate': `{"items":[${QUOTE}]}`,
  '/api/v1/payout/mass/create': RECORD,
  '/api/v1/payout/mass': RECORD,
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

const answerOf = ({ text }: RawRequest): Buffer =>
  answerBytes({ body: ANSWERS[text.split(' ')[1] ?? ''] ?? '{}' });

type Log = (...line: unknown[]) => void;
type Snippet = (api: typeof merchantApi, console: { log: Log }) => Promise<void>;
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parts: string[]
) => Snippet;

describe('the README', () => {
  it('has snippets that run one after the other, as they stand', async () => {
    const text = await readFile(README, 'utf8');
    const code = [...text.matchAll(SNIPPET)].map(([, snippet]) => snippet).join('\n');
    const server = await openServer({
      onRequest: (socket, request) => socket.write(answerOf(request)),
    });
    const body = code
      .replaceAll('https://api.example', server.url)
      .replace(IMPORT, (_line, names) => `const { ${names} } = api;`);
    const lines: unknown[][] = [];
    await new AsyncFunction('api', 'console', body)(merchantApi, {
      log: (...line) => lines.push(line),
    });
    expect(lines).toEqual([
      ['BTC', '0.00000001'],
      ['0.1'],
      ['mp-1', 'CONFIRMED', true],
      ['CONFIRMED', '0.1', []],
      ['massPayout'],
      [{ id: 'mp-1', state: 'CONFIRMED', totalFee: '0.1' }],
      [SUBSCRIPTION.url, true, false, '[secret]'],
      [1, 1],
      ['Main', '12.5'],
      ['SETTLEMENT_TOP_UP', '12.5'],
      ['wallet'],
      [{ rows: [{ amount: '1.5' }] }],
      [['ACCOUNT', 'COMPANY_ADMIN'], 'a-1'],
    ]);
  });
});
