import { expect, it } from '@jest/globals';
import { HEADER, ingestText, TRON } from './support/ingest.ts';

const findingsOf = async (lines: readonly string[]) =>
  (await ingestText(HEADER + lines.map((line) => `${line}\n`).join(''))).summary.findings;

it('findings of single rows are collected in the order of their declaration', async () => {
  const findings = await findingsOf([
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t,1,USDT_TRC20,,',
    '0x0000000000000000000000000000000000000000,1,ETH,,',
    'DE89370400440532013000,1,EUR,,',
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59,1,XRP,,',
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59,1,XRP,,',
  ]);
  expect(findings.map(({ code, count, examples }) => [code, count, examples[0]?.row])).toEqual([
    ['UNKNOWN_NETWORK', 1, 4],
    ['ADDRESS_WITHOUT_CHECKSUM', 1, 3],
    ['ADDRESS_BURN', 1, 3],
    ['ADDRESS_TOKEN_CONTRACT', 1, 2],
    ['TAG_MAY_BE_NEEDED', 2, 5],
  ]);
});

it('a currency without a network names the known ones in its finding', async () => {
  const { summary } = await ingestText(`address,amount,currency\n${TRON},1,USDT\n`);
  expect(summary.findings).toMatchObject([
    {
      code: 'UNKNOWN_NETWORK',
      examples: [{ row: 2, detail: 'USDT; is USDT_TRC20 or USDT_ERC20 or USDT_BEP20 meant?' }],
    },
  ]);
});
