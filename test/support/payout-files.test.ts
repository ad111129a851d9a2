import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ingestText } from '../ingest/support/ingest.ts';
import { payoutFile, writePayoutFile } from './payout-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

it('a made-up file follows from its options, and every row of it can be paid', async () => {
  const options = {
    rows: 700,
    currencies: ['USDT_TRC20', 'USDT_ERC20', 'BTC', 'LTC', 'DOGE', 'ETH', 'TRX'],
    references: true,
    lineEnd: '\r\n',
  } as const;
  expect(payoutFile(options)).toBe(payoutFile(options));
  expect(payoutFile({ ...options, seed: 2 })).not.toBe(payoutFile(options));
  const { summary } = await ingestText(payoutFile(options));
  expect(summary).toMatchObject({ rows: 700, refusedRows: 0, findings: [] });
  expect(summary.currencies.map(({ rows }) => rows)).toEqual(Array(7).fill(100));
});

it('the demanded number of rows is bad, each for one reason', async () => {
  const { summary, refused } = await ingestText(payoutFile({ rows: 600, badEvery: 10 }));
  expect(summary).toMatchObject({ rows: 600, refusedRows: 60 });
  expect(refused.length).toBe(60);
});

it('is the same on disk and in memory', async () => {
  const path = join(temporaryFolder(), 'payouts.csv');
  await writePayoutFile(path, { rows: 12_000 });
  expect(readFileSync(path, 'utf8')).toBe(payoutFile({ rows: 12_000 }));
});
