import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { API_OPERATIONS } from '../../src/cli/commands/api/table.ts';
import { MerchantApiError, TOO_MANY_PAGES } from '@bursar/merchant-api';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  fakeApi,
  REQUEST_ID,
  SECRET,
  SUBSCRIPTION,
  TRANSACTION,
  WALLET,
} from './support/fake-api.ts';
import { fakeService } from './support/fake-service.ts';
import { fakeWorld, type WorldOptions } from './support/fake-world.ts';

const page = readFileSync(
  fileURLToPath(new URL('../../docs/commands.md', import.meta.url)),
  'utf8',
);
const cwd = temporaryFolder();

const world = (
  more: Parameters<typeof fakeService>[0] = {},
  options: Partial<WorldOptions> = {},
) => {
  const { asked, api } = fakeApi();
  const service = fakeService({ ...api, ...more });
  return { asked, ...fakeWorld({ cwd, service, ...options }) };
};

const PAYLOADS: Readonly<Record<string, string>> = {
  'create-wallet': '{"name":"a","blockchain":"b"}',
  'create-webhook': '{"url":"https://a.example"}',
};

/** A world whose client checks what it is asked and sends nothing. */
const strictWorld = () => fakeWorld({ cwd, service: fakeService() });

const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

describe('the description of `bursar api`', () => {
  const examples = page.split('\n').filter((line) => line.startsWith('bursar api '));

  it.each(examples)('has an example that works: %s', async (line) => {
    const [, ...args] = words(line);
    const { code, out } = await world().run(...args);
    expect(code).toBe(0);
    expect(out).not.toBe('');
  });

  it('names every command and every operation, each once', () => {
    const commands = API_OPERATIONS.flatMap(({ operations }) => operations);
    const rows = [...page.matchAll(/^\| `api ([a-z-]+)` \| ([A-Z_]+) \|/gm)];
    expect(rows.map(([, name]) => name)).toHaveLength(OPERATIONS.length);
    expect(new Set(rows.map(([, name]) => name))).toEqual(
      new Set(commands.map(({ name }) => name)),
    );
    expect(new Set(rows.map(([, , operation]) => operation))).toEqual(new Set(OPERATIONS));
  });
});

describe('bursar api', () => {
  it.each<{ args: string[]; operation: string; input: object }>`
    args                                                                  | operation                      | input
    ${['wallets']}                                                        | ${'listWallets'}               | ${{}}
    ${['wallets', '--search', 'pay', '--currency', 'X', '--page', '2']}   | ${'listWallets'}               | ${{ nameOrAddress: 'pay', currency: 'X', pageNumber: 2 }}
    ${['wallets', '--size', '5', '--sort', 'desc', '--by', 'address']}    | ${'listWallets'}               | ${{ pageSize: 5, sort: 'DESC', properties: 'address' }}
    ${['wallets', '{"blockchain":"TRON","pageNumber":3}']}                | ${'listWallets'}               | ${{ blockchain: 'TRON', pageNumber: 3 }}
    ${['wallets', '--all', '--blockchain', 'TRON']}                       | ${'eachWallet'}                | ${{ blockchain: 'TRON' }}
    ${['transactions', '--opcodes', 'top_up, FEE', '--wallet', 'w']}      | ${'listTransactions'}          | ${{ opcodes: ['TOP_UP', 'FEE'], walletAddress: 'w' }}
    ${['transactions', '--recipient', 'r', '--all', '--size', '100']}     | ${'eachTransaction'}           | ${{ addressTo: 'r', pageSize: 100 }}
    ${['create-wallet', '--name', '', '--blockchain', 'TRON']}            | ${'createWallet'}              | ${{ name: '', blockchain: 'TRON' }}
    ${['rename-wallet', 'T1', '--name', 'n']}                             | ${'renameWallet'}              | ${{ address: 'T1', name: 'n' }}
    ${['rename-wallet', '{"address":"T1","name":"n"}']}                   | ${'renameWallet'}              | ${{ address: 'T1', name: 'n' }}
    ${['address', 'T1']}                                                  | ${'lookupAddress'}             | ${{ address: 'T1' }}
    ${['change-webhook', REQUEST_ID, '--url', 'u', '--groups', 'wallet']} | ${'changeWebhookSubscription'} | ${{ requestId: REQUEST_ID, url: 'u', notificationServiceTypes: ['WALLET'] }}
    ${['create-webhook', '--url', 'u', '--events', 'PAYOUT_CONFIRMED']}   | ${'createWebhookSubscription'} | ${{ url: 'u', notificationEventTypes: ['PAYOUT_CONFIRMED'] }}
    ${['delete-webhook', REQUEST_ID]}                                     | ${'deleteWebhookSubscription'} | ${{ requestId: REQUEST_ID }}
  `('asks $operation for $args', async ({ args, operation, input }) => {
    const { asked, json } = world();
    const { code } = await json('api', ...args);
    expect([code, asked]).toEqual([0, { [operation]: [input] }]);
  });

  it('requests a report in the zone of the person unless another is named', async () => {
    const dates = ['--from', '2026-10-01T00:00:00Z', '--to', '2026-10-02T00:00:00Z'];
    const { asked, run } = world({}, { timeZone: 'Europe/Berlin' });
    await run('api', 'report', ...dates, '--blockchains', 'TRON');
    await run('api', 'report', ...dates, '--blockchains', 'TRON', '--zone', '+02:00');
    const [yours, named] = asked['requestReport'] as { zone: string }[];
    expect([yours?.zone, named?.zone]).toEqual(['Europe/Berlin', '+02:00']);
  });

  it('reads a payload from standard input', async () => {
    const { asked, run } = world({}, { input: '{"address":"T1"}' });
    expect((await run('api', 'address', '-')).code).toBe(0);
    expect(asked['lookupAddress']).toEqual([{ address: 'T1' }]);
  });

  it('prints one page with its place in the list, or one line for each object', async () => {
    const { json, run } = world();
    expect((await json('api', 'wallets')).value).toEqual({
      schema: 'bursar.api-wallets/v1',
      page: 1,
      size: 10,
      total: 3,
      totalElements: 21,
      wallets: [WALLET],
    });
    const { out } = await run('api', 'transactions', '-o', 'jsonl');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([{ schema: 'bursar.api-transaction/v1', ...TRANSACTION }]);
  });

  it('prints a table and its place in the list, with dates in the zone of the person', async () => {
    const { run } = world({}, { timeZone: 'Europe/Berlin' });
    const { out, err } = await run('api', 'transactions');
    expect(out).toMatch(/^ +AMOUNT {2}CURRENCY/);
    expect(out).toContain('12.5  USDT_TRC20');
    expect(out).toContain('2026-11-21 09:00:00 Europe/Berlin (2026-11-21 08:00:00 UTC)');
    expect(err).toContain('Page 1 of 3; transactions in all: 21.');
  });

  it.each([
    [['user'], '9007199254740993 Payouts'],
    [['opcodes'], 'TOP_UP\nNEW_CODE\n'],
    [['wallets'], '0.000000000000000001 USDT (TRC20)'],
    [['webhooks'], 'PAYOUT_CHANGE_STATUS and 1 more'],
    [['balance'], '1000  USDT_TRC20'],
    [['lookup', '--id', 'x'], 'Mass payout mp-1: CREATION_IN_PROGRESS'],
    [['fees', '--amount', '2', '--currency', 'BTC'], '0.01'],
    [['delete-webhook', REQUEST_ID], 'Webhook subscription: deleted'],
  ])('prints %j for people', async (args, expected) => {
    const { code, out } = await world().run('api', ...args);
    expect(code).toBe(0);
    expect(out).toContain(expected);
  });

  it('shows hidden characters of the service as text', async () => {
    const evil = { ...WALLET, name: '\u001B[2Jpaid\u202E' };
    const answer = { value: evil, httpStatus: 200, timestampMs: 1, bodySha256: 'b' };
    const { run } = world({ createWallet: async () => answer });
    const { out } = await run('api', 'create-wallet', '--name', 'a', '--blockchain', 'b');
    expect(out).toContain('\\u{1b}[2Jpaid\\u{202e}');
  });

  it.each([
    [['wallets', '--all', '--page', '2']],
    [['wallets', '--all', '{"pageNumber":2}']],
    [['wallets', '--page', '0']],
    [['wallets', '--size', '1e3']],
    [['wallets', '--sort', 'ASC,DESC']],
    [['wallets', '{"pageSize":"5"}']],
    [['wallets', '{"unknown":1}']],
    [['wallets', '{"blockchain":"a"}', '--currency', 'b']],
    [['wallets', '[]']],
    [['wallets', '{"currency":"BTC","currency":"ETH"}']],
    [['wallets', '{"__proto__":{"currency":"BTC"}}']],
    [['wallets', '{"constructor":{}}']],
    [['transactions', '--opcodes', '']],
    [['transactions', '{"opcodes":[1]}']],
    [['create-wallet', '--name', 'a']],
    [['create-wallet', '--name', 'x'.repeat(101), '--blockchain', 'TRON']],
    [['rename-wallet', '--name', 'a']],
    [['address']],
    [['address', '']],
    [['report', '--from', '2026-10-01']],
    [
      [
        'report',
        '{"firstDate":"2026-10-01T00:00:00Z","lastDate":"2026-10-02T00:00:00Z","blockchainList":"A","zone":"Mars"}',
      ],
    ],
    [['create-webhook', '--url', 'https://a.example']],
    [['create-webhook', '--url', 'ftp://a.example', '--groups', 'PAYOUT']],
    [['create-webhook', '--url', 'https://a.example', '--groups', 'PAYOUT', '--request-id', 'x']],
    [['change-webhook', 'no-uuid', '--url', 'https://a.example']],
    [['change-webhook', REQUEST_ID, '--url', 'https://a.example']],
    [['delete-webhook', '{"requestId":7}']],
  ])('refuses %j before anything is sent', async (args) => {
    const { code, value } = await strictWorld().json('api', ...args);
    expect([code, value['code']]).toEqual([2, 'FLAG_INVALID']);
  });

  it.each([
    ['rename-wallet', 'T1', '--name', 'n'],
    ['address', 'T1'],
    ['delete-webhook', REQUEST_ID],
    ['change-webhook', REQUEST_ID, '--url', 'https://a.example'],
  ])('reports that the service has nothing under that name: %s %s', async (...args) => {
    const facts = { operation: 'USER', httpStatus: 404, documented: true } as const;
    const miss = () => Promise.reject(new MerchantApiError('refused', facts));
    const made = world({
      renameWallet: miss,
      lookupAddress: miss,
      deleteWebhookSubscription: miss,
      changeWebhookSubscription: miss,
    });
    const { code, value } = await made.json('api', ...args);
    expect([code, value['code']]).toEqual([5, 'LOOKUP_NOTHING']);
  });

  it('reports that the service has no such operation', async () => {
    const lacks = () => Promise.reject(new MerchantApiError('unavailable', { operation: 'USER' }));
    const { code, value } = await world({ readUser: lacks }).json('api', 'user');
    expect([code, value['code']]).toEqual([2, 'SERVICE_LACKS_OPERATION']);
  });

  it.each(['create-wallet', 'create-webhook'])(
    'reports that the assumed path of %s does not exist',
    async (command) => {
      const facts = { operation: 'WALLET_CREATE', httpStatus: 404, documented: false } as const;
      const astray = () => Promise.reject(new MerchantApiError('refused', facts));
      const made = world({ createWallet: astray, createWebhookSubscription: astray });
      const { code, value } = await made.json('api', command, PAYLOADS[command] ?? '');
      expect([code, value['code']]).toEqual([2, 'SERVICE_PATH_UNKNOWN']);
    },
  );

  it.each(['create-wallet', 'create-webhook'])(
    'reports that the result of %s is unknown when the answer is lost',
    async (command) => {
      const lost = () =>
        Promise.reject(
          new MerchantApiError('no-answer', { operation: 'WALLET_CREATE', reason: 'RESET' }),
        );
      const made = world({ createWallet: lost, createWebhookSubscription: lost });
      const { code, value } = await made.json('api', command, PAYLOADS[command] ?? '');
      expect([code, value['code']]).toEqual([14, 'CALL_OUTCOME_UNKNOWN']);
    },
  );
});

describe('a walk through a list that breaks', () => {
  async function* breaking() {
    yield WALLET;
    throw new MerchantApiError('refused', { operation: 'WALLET_LIST', httpStatus: 503 });
  }

  it('gives the error alone with -o json', async () => {
    const { code, value } = await world({ eachWallet: breaking }).json('api', 'wallets', '--all');
    expect([code, value['code']]).toEqual([6, 'SERVICE_UNREACHABLE']);
  });

  it('prints the entries before the error, and the error as the last line, with -o jsonl', async () => {
    const { run } = world({ eachWallet: breaking });
    const { code, out } = await run('api', 'wallets', '--all', '-o', 'jsonl');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(code).toBe(6);
    expect(lines).toMatchObject([{ address: WALLET.address }, { code: 'SERVICE_UNREACHABLE' }]);
  });

  it('reports that the list is longer than the walk', async () => {
    async function* endless() {
      yield WALLET;
      const facts = { operation: 'WALLET_LIST', reason: TOO_MANY_PAGES } as const;
      throw new MerchantApiError('unreadable', facts);
    }
    const { code, value } = await world({ eachWallet: endless }).json('api', 'wallets', '--all');
    expect([code, value['code']]).toEqual([2, 'LIST_TOO_LONG']);
    expect(value['what']).toContain('more than 10000 pages');
  });

  it('is an interruption when it was ended by Ctrl-C', async () => {
    const controller = new AbortController();
    async function* interrupted() {
      yield WALLET;
      controller.abort();
      throw new MerchantApiError('no-answer', { operation: 'WALLET_LIST', reason: 'aborted' });
    }
    const made = world({ eachWallet: interrupted }, { interrupted: controller.signal });
    expect(await made.run('api', 'wallets', '--all')).toMatchObject({ code: 130 });
  });
});

describe('the secret key of a subscription', () => {
  it.each([
    ['webhooks'],
    ['create-webhook', '--url', 'https://a.example', '--groups', 'PAYOUT'],
    ['change-webhook', REQUEST_ID, '--url', 'https://a.example'],
    ['delete-webhook', REQUEST_ID],
  ])('is not printed by %s', async (...args) => {
    const answer = { value: SUBSCRIPTION, httpStatus: 200, timestampMs: 1, bodySha256: 'b' };
    const { run } = world({ deleteWebhookSubscription: async () => answer });
    for (const format of ['text', 'json', 'jsonl']) {
      const { code, out, err } = await run('api', ...args, '-o', format);
      expect(code).toBe(0);
      expect(out).toContain(REQUEST_ID);
      expect(out + err).not.toMatch(new RegExp(`${SECRET}|secretKey|\\[secret\\]`));
    }
  });

  it('is printed alone on demand', async () => {
    const { run, json } = world();
    const show = ['api', 'webhooks', '--show-secret', REQUEST_ID.toUpperCase()];
    expect(await run(...show)).toEqual({ code: 0, out: `${SECRET}\n`, err: '' });
    expect((await json(...show)).value).toEqual({
      schema: 'bursar.api-webhook-secret/v1',
      secretKey: SECRET,
    });
  });

  it('of another subscription is not printed instead', async () => {
    const { code, out, err } = await world().run('api', 'webhooks', '--show-secret', 'other');
    expect([code, out]).toEqual([5, '']);
    expect(err).not.toContain(SECRET);
  });
});
