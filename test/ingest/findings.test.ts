import { describe, expect, it } from '@jest/globals';
import { EVM, HEADER, ingestText, TRON, TRON_2 } from './support/ingest.ts';

const findingsOf = async (lines: readonly string[]) =>
  (await ingestText(HEADER + lines.map((line) => `${line}\n`).join(''))).summary.findings;

describe('equal rows', () => {
  it('are found however they are written, and none is dropped', async () => {
    const { summary, rows } = await ingestText(
      [
        HEADER.trim(),
        `${EVM},1.5,USDT_ERC20,one,`,
        `${EVM.toLowerCase()},1.500,USDT_ERC20,two,`,
        `${EVM},1.5,USDC_ERC20,another currency,`,
        `${EVM},1.6,USDT_ERC20,another amount,`,
        ` ${EVM} ,1.5,USDT_ERC20,three,`,
      ].join('\n'),
    );
    expect(rows.length).toBe(5);
    expect(summary.findings[0]).toEqual({
      code: 'DUPLICATE_ROW',
      count: 2,
      examples: [
        { row: 3, detail: 'same as row 2' },
        { row: 6, detail: 'same as row 2' },
      ],
    });
  });

  it('are all counted, and the first twenty are named', async () => {
    const findings = await findingsOf(Array.from({ length: 5_000 }, () => `${TRON},1,TRX,,`));
    expect(findings.map(({ code, count }) => [code, count])).toEqual([['DUPLICATE_ROW', 4_999]]);
    expect(findings[0]?.examples.length).toBe(20);
  });

  it('are found across a file of thousands of other rows', async () => {
    const others = Array.from({ length: 20_000 }, (_, i) => `${TRON_2},${i + 1}.25,TRX,,`);
    const findings = await findingsOf([`${TRON},7,TRX,,`, ...others, `${TRON},7,TRX,,`]);
    expect(findings).toEqual([
      { code: 'DUPLICATE_ROW', count: 1, examples: [{ row: 20_003, detail: 'same as row 2' }] },
    ]);
  });

  it('do not count when one of them is refused', async () => {
    expect(await findingsOf([`${TRON},1,TRX,=1,`, `${TRON},1,TRX,,`])).toEqual([]);
  });
});

it('findings of single rows are gathered in the order in which they are declared', async () => {
  const findings = await findingsOf([
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t,1,USDT_TRC20,,',
    '0x0000000000000000000000000000000000000000,1,ETH,,',
    'DE89370400440532013000,1,EUR,,',
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59,1,XRP,,',
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59,1,XRP,,',
  ]);
  expect(findings.map(({ code, count, examples }) => [code, count, examples[0]?.row])).toEqual([
    ['DUPLICATE_ROW', 1, 6],
    ['UNKNOWN_NETWORK', 1, 4],
    ['ADDRESS_WITHOUT_CHECKSUM', 1, 3],
    ['ADDRESS_BURN', 1, 3],
    ['ADDRESS_TOKEN_CONTRACT', 1, 2],
    ['TAG_MAY_BE_NEEDED', 2, 5],
  ]);
});
