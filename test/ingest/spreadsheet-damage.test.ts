import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import { BITCOIN, EVM, HEADER, ingestText, TRON } from './support/ingest.ts';

const DIGITS = EVM.slice(2);

type Cells = Readonly<{ address?: string; amount?: string; currency?: string }>;

/** Returns column and code of each reason for a refused row, and the whole text of the first one. */
async function refusalOf({ address = TRON, amount = '1', currency = 'USDT_TRC20' }: Cells) {
  const { refused, rows } = await ingestText(`${HEADER}"${address}","${amount}",${currency},,\n`);
  const [first] = refused;
  if (first === undefined) return { codes: [], text: '', rows: rows.length };
  const { what, why } = noteOf(first.code, first.facts);
  const codes = refused.map(({ column, code }) => `${column} ${code}`);
  return { codes, text: `${what} ${why}`, rows: rows.length };
}

const evm = (address: string): Cells => ({ address, currency: 'USDT_ERC20' });

type Case = readonly [kind: string, cells: Cells, code: string, about: string];

const ADDRESS: readonly Case[] = [
  ['number', evm('1.23457E+47'), 'ADDRESS_INVALID', 'a spreadsheet turned it into a number'],
  ['number', evm('1,23457E+47'), 'ADDRESS_INVALID', 'a spreadsheet turned it into a number'],
  ['number', { address: '8E+33' }, 'ADDRESS_INVALID', 'a spreadsheet turned it into a number'],
  [
    'number',
    evm(`123456789012345${'0'.repeat(25)}`),
    'ADDRESS_INVALID',
    'its last digits into zeros',
  ],
  ['lost 0x', evm(DIGITS), 'ADDRESS_INVALID', 'the 0x at its start is missing'],
  ['lost 0x', evm(DIGITS.toLowerCase()), 'ADDRESS_INVALID', 'the 0x at its start is missing'],
  ['lost zeros', evm(`x${DIGITS}`), 'ADDRESS_INVALID', 'the 0 at its start is missing'],
  [
    'lost zeros',
    evm(`0x${DIGITS.slice(2)}`),
    'ADDRESS_INVALID',
    'it has 38 digits instead of 40: it was cut off, or zeros at its start were lost',
  ],
  ['lost zeros', evm(DIGITS.slice(1)), 'ADDRESS_INVALID', 'missing, and it has 39 digits'],
  ['capital X', evm(`0X${DIGITS}`), 'ADDRESS_INVALID', 'capital X'],
  ['cut', evm(EVM.slice(0, -5)), 'ADDRESS_INVALID', 'it has 35 digits instead of 40'],
  ['cut', { address: TRON.slice(0, -1) }, 'ADDRESS_INVALID', 'it was cut off'],
  ['cut', { address: 'TJRabP...kjpRTv8' }, 'ADDRESS_INVALID', 'it is shortened'],
  ['cut', { address: 'TJRabP..kjpRTv8' }, 'ADDRESS_INVALID', 'it is shortened'],
  ['cut', { address: 'TJRabP\u2026kjpRTv8' }, 'CHARACTER_FORBIDDEN', 'that were left out'],
  ['number signs', { address: '##########' }, 'ADDRESS_INVALID', 'was too narrow'],
  ['formula error', { address: '#REF!' }, 'ADDRESS_INVALID', 'an error of a formula'],
  ['formula error', { address: '#N/A' }, 'ADDRESS_INVALID', 'an error of a formula'],
  ['apostrophe', { address: `'${TRON}` }, 'ADDRESS_INVALID', 'starts with an apostrophe'],
  [
    'space inside',
    { address: `${TRON.slice(0, 9)} ${TRON.slice(9)}` },
    'CHARACTER_FORBIDDEN',
    'U+0020',
  ],
  ['no-break space', { address: `${TRON}\u00A0` }, 'CHARACTER_FORBIDDEN', 'a special space'],
  ['no-break space', { address: `\u202F${TRON}` }, 'CHARACTER_FORBIDDEN', 'a special space'],
  ['zero width', { address: `${TRON}\u200B` }, 'CHARACTER_FORBIDDEN', 'You cannot see it'],
  ['zero width', { address: `\uFEFF${TRON}` }, 'CHARACTER_FORBIDDEN', 'You cannot see it'],
  [
    'zero width',
    { address: `${TRON.slice(0, 5)}\u00AD${TRON.slice(5)}` },
    'CHARACTER_FORBIDDEN',
    'You cannot see it',
  ],
  ['direction', { address: `\u202E${TRON}` }, 'CHARACTER_FORBIDDEN', 'changes the direction'],
  ['homoglyph', { address: TRON.replace('T', '\u0422') }, 'CHARACTER_FORBIDDEN', 'looks like "T"'],
  ['homoglyph', { address: TRON.replace('a', '\u0430') }, 'CHARACTER_FORBIDDEN', 'looks like "a"'],
  ['homoglyph', evm(EVM.replace('A', '\u0391')), 'CHARACTER_FORBIDDEN', 'looks like "A"'],
  ['homoglyph', evm(EVM.replace('0x', '\uFF10x')), 'CHARACTER_FORBIDDEN', 'looks like "0"'],
  ['twin letters', { address: TRON.replace('J', '0') }, 'ADDRESS_INVALID', 'a 0, O, I or l'],
  ['twin letters', { address: TRON.replace('1', 'l') }, 'ADDRESS_INVALID', 'a 0, O, I or l'],
  ['lost character', { address: TRON.replace('J', '\uFFFD') }, 'CHARACTER_FORBIDDEN', 'was lost'],
  ['other network', { address: BITCOIN }, 'ADDRESS_INVALID', 'this is a Bitcoin address'],
];

const AMOUNT: readonly Case[] = [
  ['exponent', { amount: '1E+05' }, 'AMOUNT_NOT_DECIMAL', 'scientific notation'],
  ['exponent', { amount: '1.5e-7' }, 'AMOUNT_NOT_DECIMAL', 'scientific notation'],
  ['exponent', { amount: '1,5E+3' }, 'AMOUNT_NOT_DECIMAL', 'scientific notation'],
  ['lost zeros', { amount: '.5' }, 'AMOUNT_NOT_DECIMAL', 'The zero before the point is missing'],
  ['lost zeros', { amount: '5.' }, 'AMOUNT_NOT_DECIMAL', 'Digits may be lost'],
  ['zeros in front', { amount: '007' }, 'AMOUNT_NOT_DECIMAL', 'no zeros in front'],
  ['date', { amount: '5-Nov' }, 'AMOUNT_NOT_DECIMAL', 'into a date'],
  ['date', { amount: '05. Nov' }, 'AMOUNT_NOT_DECIMAL', 'into a date'],
  ['date', { amount: 'Nov 26' }, 'AMOUNT_NOT_DECIMAL', 'into a date'],
  ['date', { amount: '2026-11-05' }, 'AMOUNT_NOT_DECIMAL', 'into a date'],
  ['date', { amount: '5/11/2026' }, 'AMOUNT_NOT_DECIMAL', 'into a date'],
  ['number signs', { amount: '#####' }, 'AMOUNT_NOT_DECIMAL', 'was too narrow'],
  ['formula error', { amount: '#VALUE!' }, 'AMOUNT_NOT_DECIMAL', 'an error of a formula'],
  ['apostrophe', { amount: "'100" }, 'AMOUNT_NOT_DECIMAL', 'an apostrophe'],
  ['decimal comma', { amount: '1,5' }, 'AMOUNT_NOT_DECIMAL', 'can be a decimal comma'],
  ['thousands', { amount: '1,234.50' }, 'AMOUNT_NOT_DECIMAL', 'signs separate thousands'],
  ['thousands', { amount: '1.234.567' }, 'AMOUNT_NOT_DECIMAL', 'signs separate thousands'],
  ['unit', { amount: '5 USDT' }, 'AMOUNT_NOT_DECIMAL', 'its own column'],
  ['no-break space', { amount: '1\u00A0000' }, 'CHARACTER_FORBIDDEN', 'a special space'],
  ['no-break space', { amount: '1\u2009000' }, 'CHARACTER_FORBIDDEN', 'a special space'],
  ['zero width', { amount: '100\u200B' }, 'CHARACTER_FORBIDDEN', 'You cannot see it'],
  ['homoglyph', { amount: '1\u041E0' }, 'CHARACTER_FORBIDDEN', 'looks like "O"'],
  ['homoglyph', { amount: '\uFF11\uFF10' }, 'CHARACTER_FORBIDDEN', 'looks like "1"'],
  ['digits of another script', { amount: '\u0661\u0660' }, 'CHARACTER_FORBIDDEN', 'another script'],
  ['dash', { amount: '\u22125' }, 'CHARACTER_FORBIDDEN', 'It is a dash'],
];

describe('damage to an address', () => {
  it.each(ADDRESS)('%s: %j is refused with %s: %s', async (_kind, cells, code, about) => {
    const { codes, text, rows } = await refusalOf(cells);
    expect(codes).toEqual([`address ${code}`]);
    expect(text).toContain(about);
    expect(rows).toBe(0);
  });
});

describe('damage to an amount', () => {
  it.each(AMOUNT)('%s: %j is refused with %s: %s', async (_kind, cells, code, about) => {
    const { codes, text, rows } = await refusalOf(cells);
    expect(codes).toEqual([`amount ${code}`]);
    expect(text).toContain(about);
    expect(rows).toBe(0);
  });
});

describe('a row without damage', () => {
  it.each<Cells>([
    {},
    evm(EVM),
    evm(EVM.toLowerCase()),
    evm(`0x${'0'.repeat(38)}aB`.toLowerCase()),
    { address: BITCOIN, currency: 'BTC', amount: '0.00000001' },
    { amount: '100000000000000' },
    { amount: '1.10' },
  ])('%j is accepted', async (cells) => {
    expect(await refusalOf(cells)).toMatchObject({ codes: [], rows: 1 });
  });
});

it('every inserted character and every changed letter of an address is refused', async () => {
  const foreign = fc
    .integer({ min: 0x80, max: 0xffff })
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(TRON.length),
      foreign,
      fc.boolean(),
      async (at, character, replaces) => {
        const rest = TRON.slice(at + (replaces ? 1 : 0));
        const { codes, rows } = await refusalOf({ address: TRON.slice(0, at) + character + rest });
        expect([codes.length, rows]).toEqual([1, 0]);
      },
    ),
    { numRuns: 60 },
  );
});

it('docs/payout-file.md lists every kind of damage of these tests, with its codes', () => {
  const readme = readFileSync(new URL('../../docs/payout-file.md', import.meta.url), 'utf8');
  const lines = readme.slice(readme.indexOf('## Damage')).split('\n');
  for (const [kind, , code] of [...ADDRESS, ...AMOUNT]) {
    const line = lines.find((each) => each.startsWith(`| ${kind} |`)) ?? '';
    expect(`${kind}: ${line}`).toContain(`\`${code}\``);
  }
});
