import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { toldOf } from '../../chaos/evidence/gather.ts';
import { keyOf } from '../../chaos/evidence/identity.ts';
import type { Payroll } from '../../chaos/people/payroll.ts';

const ACCOUNT = 'account';
const row = (address: string) => ({ address, amount: '1.5', currency: 'USDT_TRC20' });

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bursar-told-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const payroll = (more: Partial<Payroll>): Payroll => ({
  batchId: 'march',
  rows: [row('one'), row('two')],
  generation: 0,
  state: 'PARTIAL',
  isTaken: true,
  isResent: false,
  ...more,
});

function write(name: string, ...lines: readonly string[]): void {
  mkdirSync(join(dir, 'march'), { recursive: true });
  writeFileSync(join(dir, 'march', name), [...lines, ''].join('\n'));
}

function march(offered: readonly string[] = ['two']) {
  write(
    'report.csv',
    'row,address,amount,currency,outcome',
    '2,one,1.5,USDT_TRC20,UNKNOWN',
    '3,two,1.5,USDT_TRC20,FAILED',
  );
  const lines = offered.map((address) => `${address},1.5,USDT_TRC20`);
  write('resend.csv', 'address,amount,currency', ...lines);
  write('investigate.csv', 'row,address', '2,one');
  return toldOf({ dir, account: ACCOUNT }, payroll({}));
}

const keysOf = (batchId: string, generation: number, count: number): string[] =>
  Array.from({ length: count }, (_, chunk) =>
    keyOf({ account: ACCOUNT, batchId, chunk, generation }),
  );

it('reads a report, and derives every key that the batch may use', () => {
  expect(march()).toMatchObject({
    told: [
      { ...row('one'), outcome: 'UNKNOWN' },
      { ...row('two'), outcome: 'FAILED' },
    ],
    resendable: ['two'],
    investigated: ['one'],
    keys: keysOf('march', 0, 2),
  });
});

it.each([
  ['PARTIAL', 'nothing', [], [row('two')]],
  // It failed only after the resend had begun.
  ['PARTIAL', 'its row', ['two'], []],
  ['REJECTED', 'its row', ['two'], []],
])(
  'a resend that is %s, while its parent offers %s, must report %j',
  (state, _what, offered, rows) => {
    const again = payroll({ batchId: 'march-again', rows: [], generation: 1, state });
    expect(toldOf({ dir, account: ACCOUNT }, again, march(offered))).toMatchObject({
      rows,
      told: [],
      keys: keysOf('march-again', 1, 1),
    });
  },
);
