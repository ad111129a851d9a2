import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { expectEverythingTies, expectExactlyOnce } from './exactly-once.ts';
import type { LedgerWithdrawal } from './oracle.ts';
import { temporaryFolder } from './temporary-folder.ts';

const CURRENCY = 'USDT_TRC20';
const ROWS = ['1.5', '2', '0.25'].map((amount, i) => ({
  address: `address-${i}`,
  amount,
  currency: CURRENCY,
}));
const PAID: readonly string[] = ['PAID', 'PAID', 'PAID'];

/** The withdrawal of a row, with a fee of a hundredth. */
const withdrawal = (row: number, more: Partial<LedgerWithdrawal> = {}): LedgerWithdrawal => ({
  idempotencyKey: 'key',
  massPayoutId: 'mp',
  currency: CURRENCY,
  state: 'COMPLETED',
  depositAddress: `address-${row}`,
  amount: ROWS[row]?.amount ?? '',
  fee: '0.01',
  comment: `tag-${row + 2}`,
  ...more,
});

const ALL = ROWS.map((_, row) => withdrawal(row));

type World = Readonly<{
  ledger: readonly LedgerWithdrawal[];
  /** What is left of 100. */
  balance: string;
  outcomes?: readonly string[];
}>;

/** Judges a batch of the three rows, as a report tells of it and as a ledger has it. */
async function judge({ ledger, balance, outcomes = PAID }: World) {
  const folder = temporaryFolder();
  const dir = join(folder, 'runs', 'b');
  mkdirSync(dir, { recursive: true });
  const cells = ROWS.map((row, i) =>
    [row.address, row.amount, row.currency, outcomes[i]].join(','),
  );
  writeFileSync(
    join(dir, 'report.csv'),
    ['address,amount,currency,outcome', ...cells, ''].join('\n'),
  );
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  const rows = {
    total: 3,
    paid: count('PAID'),
    failed: count('FAILED'),
    unknown: count('UNKNOWN'),
    notSent: count('NOT_SENT'),
    inFlight: 0,
  };
  writeFileSync(join(dir, 'report.json'), JSON.stringify({ rows, amounts: [] }));
  const balances = [{ currency: CURRENCY, opening: '100', balance, tiesOut: true }];
  const server = createServer(({ url = '' }, to) => {
    const isLedger = url.startsWith('/sandbox/ledger');
    const lines = ledger.map((one) => JSON.stringify(one)).join('\n');
    to.end(isLedger ? JSON.stringify({ balances }) : lines);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sandboxUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const says = (verdict: Promise<void>) =>
    verdict.then(
      () => 'holds',
      () => 'broken',
    );
  try {
    return {
      exactlyOnce: await says(expectExactlyOnce(sandboxUrl, dir, ROWS)),
      ties: await says(expectEverythingTies({ sandboxUrl, folder })),
    };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const HOLDS = { exactlyOnce: 'holds', ties: 'holds' };
const BROKEN = { exactlyOnce: 'broken', ties: 'broken' };
const UNTOLD = ['PAID', 'PAID', 'UNKNOWN'];

describe('the oracle', () => {
  it.each<[string, World]>([
    ['that is paid once', { ledger: ALL, balance: '96.22' }],
    [
      'with an UNKNOWN row that was not paid',
      { ledger: ALL.slice(0, 2), balance: '96.48', outcomes: UNTOLD },
    ],
    [
      'of which a row failed, and came back',
      {
        ledger: [...ALL.slice(0, 2), withdrawal(2, { state: 'FAILED' })],
        balance: '96.48',
        outcomes: ['PAID', 'PAID', 'FAILED'],
      },
    ],
  ])('holds for a batch %s', async (_what, world) => {
    expect(await judge(world)).toEqual(HOLDS);
  });

  it.each<[string, World]>([
    ['pays a row twice', { ledger: [...ALL, withdrawal(1)], balance: '94.21' }],
    [
      'pays an unknown row twice',
      { ledger: [...ALL, withdrawal(2)], balance: '95.96', outcomes: UNTOLD },
    ],
    [
      'reports a paid row as FAILED',
      { ledger: ALL, balance: '96.22', outcomes: ['PAID', 'PAID', 'FAILED'] },
    ],
    [
      'reports a failed row as PAID',
      { ledger: [...ALL.slice(0, 2), withdrawal(2, { state: 'FAILED' })], balance: '96.48' },
    ],
    [
      'pays another recipient',
      { ledger: [...ALL, withdrawal(2, { depositAddress: 'address-9' })], balance: '95.96' },
    ],
    ['loses a digit', { ledger: ALL, balance: '96.2200001' }],
  ])('breaks on an engine that %s', async (_what, world) => {
    expect(await judge(world)).toEqual(BROKEN);
  });

  it('ties when a paid row is UNKNOWN, which is not as good as PAID', async () => {
    const world = { ledger: ALL, balance: '96.22', outcomes: UNTOLD };
    expect(await judge(world)).toEqual({ exactlyOnce: 'broken', ties: 'holds' });
  });

  it('breaks on an engine that swaps two rows, though every sum is right', async () => {
    const ledger = [withdrawal(0), withdrawal(1, { state: 'FAILED' }), withdrawal(2)];
    const swapped = ['PAID', 'PAID', 'FAILED'];
    const { exactlyOnce } = await judge({ ledger, balance: '98.23', outcomes: swapped });
    expect(exactlyOnce).toBe('broken');
  });
});
