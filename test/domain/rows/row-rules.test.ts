import { describe, expect, it } from '@jest/globals';
import { currencyInfo, isCurrency } from '../../../src/domain/currencies/currency-info.ts';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';
import { checkRow, type RowCells } from '../../../src/domain/rows/row-rules.ts';
import { findingsOf } from '../../../src/domain/rows/row-rules-findings.ts';

const GOOD: RowCells = {
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  amount: '12.5',
  currency: 'USDT_TRC20',
  comment: 'November',
  reference: 'A-1',
  name: 'Zoë Fox',
};

const check = (cells: Partial<RowCells>) => {
  const whole = { ...GOOD, ...cells };
  const info = isCurrency(whole.currency) ? currencyInfo(whole.currency) : undefined;
  return checkRow(7, whole, info);
};

/** Column and code of each reason; none for a row that is accepted. */
const reasonsOf = (cells: Partial<RowCells>): string[] => {
  const verdict = check(cells);
  return verdict.ok ? [] : verdict.reasons.map(({ column, code }) => `${column} ${code}`);
};

const sentenceOf = (cells: Partial<RowCells>): string => {
  const verdict = check(cells);
  const reason = verdict.ok ? undefined : verdict.reasons[0];
  if (reason === undefined) throw new Error('the row was accepted');
  const { what, why } = noteOf(reason.code, reason.facts);
  return `${what} ${why}`;
};

const findingCodes = (cells: Partial<RowCells>): string[] => {
  const verdict = check(cells);
  return verdict.ok ? findingsOf(verdict).map(([code]) => code) : ['refused'];
};

describe('a row', () => {
  it('is accepted with its amount in canonical form', () => {
    expect(check({ amount: '12.500' })).toEqual({
      ok: true,
      row: { ...GOOD, row: 7, amount: '12.5' },
      amount: { units: 125n, scale: 1 },
      address: { ok: true, checksum: 'verified', canonical: GOOD.address },
      info: { ticker: 'USDT', network: 'tron', decimals: 6 },
    });
  });

  it('lists every reason for which it is refused, in the order of the columns', () => {
    const bad = { address: '', amount: '1,5', currency: 'usdt', comment: '=1', reference: '@x' };
    expect(reasonsOf(bad)).toEqual([
      'address ADDRESS_MISSING',
      'amount AMOUNT_NOT_DECIMAL',
      'currency CURRENCY_MALFORMED',
      'comment FORMULA_IN_CELL',
      'reference FORMULA_IN_CELL',
    ]);
  });

  it('has amount and currency of a refused row where they can be read', () => {
    const verdict = check({ address: '', amount: '3.10' });
    expect(verdict).toMatchObject({
      reasons: [{ row: 7, value: '', amount: '3.1', currency: 'USDT_TRC20' }],
    });
    const unreadable = check({ amount: '1e3', currency: '' });
    expect(unreadable.ok ? [] : unreadable.reasons.map((reason) => Object.keys(reason))).toEqual([
      ['row', 'column', 'code', 'facts', 'value'],
      ['row', 'column', 'code', 'facts', 'value'],
    ]);
  });
});

describe('the name of a payee', () => {
  it.each([
    '',
    'Zoë Fox',
    'Åsa\u00A0Öberg',
    'Nguyễn Văn A',
    '陳大文',
    'می\u200Cخواهم',
    "O'Neil, Jr.",
  ])('"%s" is accepted', (name) => {
    expect(reasonsOf({ name })).toEqual([]);
  });

  it.each([
    ['=HYPERLINK("http://x")', 'FORMULA_IN_CELL'],
    ['Zoe\nBcc: x@example.com', 'CHARACTER_FORBIDDEN'],
    ['Zoe\u202Exof', 'CHARACTER_FORBIDDEN'],
    ['Zoe\u0007', 'CHARACTER_FORBIDDEN'],
    ['x'.repeat(201), 'CELL_TOO_LONG'],
  ])('%j is refused with %s', (name, code) => {
    expect(reasonsOf({ name })).toEqual([`name ${code}`]);
  });
});

describe('an amount', () => {
  it.each(['1', '0.000001', '999999999999999999999999999999', '10', '1.000000', '100.50'])(
    '"%s" is accepted',
    (amount) => {
      expect(reasonsOf({ amount })).toEqual([]);
    },
  );

  it.each<{ amount: string; code: string }>`
    amount             | code
    ${''}              | ${'AMOUNT_NOT_DECIMAL'}
    ${'1e3'}           | ${'AMOUNT_NOT_DECIMAL'}
    ${'1E-05'}         | ${'AMOUNT_NOT_DECIMAL'}
    ${'1,5'}           | ${'AMOUNT_NOT_DECIMAL'}
    ${'1,234.50'}      | ${'AMOUNT_NOT_DECIMAL'}
    ${'1 000'}         | ${'AMOUNT_NOT_DECIMAL'}
    ${'-1,5'}          | ${'AMOUNT_NOT_DECIMAL'}
    ${'-1'}            | ${'AMOUNT_NOT_POSITIVE'}
    ${'+1'}            | ${'AMOUNT_NOT_DECIMAL'}
    ${'01'}            | ${'AMOUNT_NOT_DECIMAL'}
    ${'1.'}            | ${'AMOUNT_NOT_DECIMAL'}
    ${'.5'}            | ${'AMOUNT_NOT_DECIMAL'}
    ${'$5'}            | ${'AMOUNT_NOT_DECIMAL'}
    ${'5 USDT'}        | ${'AMOUNT_NOT_DECIMAL'}
    ${'0x10'}          | ${'AMOUNT_NOT_DECIMAL'}
    ${'NaN'}           | ${'AMOUNT_NOT_DECIMAL'}
    ${'Infinity'}      | ${'AMOUNT_NOT_DECIMAL'}
    ${'9'.repeat(31)}  | ${'AMOUNT_NOT_DECIMAL'}
    ${'0'}             | ${'AMOUNT_NOT_POSITIVE'}
    ${'0.000'}         | ${'AMOUNT_NOT_POSITIVE'}
    ${'0.0000001'}     | ${'AMOUNT_TOO_PRECISE'}
    ${'1\u00A0000'}    | ${'CHARACTER_FORBIDDEN'}
    ${'\u0661'}        | ${'CHARACTER_FORBIDDEN'}
    ${'\uFF11'}        | ${'CHARACTER_FORBIDDEN'}
    ${'9'.repeat(129)} | ${'CELL_TOO_LONG'}
  `('"$amount" is refused with $code', ({ amount, code }) => {
    expect(reasonsOf({ amount })).toEqual([`amount ${code}`]);
  });

  it.each<{ amount: string; hint: string }>`
    amount        | hint
    ${'1E+05'}    | ${'scientific notation'}
    ${'1,5'}      | ${'The comma can be a decimal comma'}
    ${'1,234.50'} | ${'signs separate thousands'}
    ${"1'000"}    | ${'signs separate thousands'}
    ${'+1'}       | ${'no sign'}
    ${'007'}      | ${'zeros in front'}
    ${''}         | ${'The cell is empty'}
    ${'five'}     | ${'only digits and one decimal point'}
  `('"$amount" is refused with a hint at the cause', ({ amount, hint }) => {
    expect(sentenceOf({ amount })).toContain(hint);
  });

  it('may have the decimals of its currency, and no more', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const wei = { address, currency: 'USDT_BEP20', amount: '0.000000000000000001' };
    expect(reasonsOf(wei)).toEqual([]);
    expect(reasonsOf({ ...wei, currency: 'USDT_ERC20' })).toEqual(['amount AMOUNT_TOO_PRECISE']);
    expect(sentenceOf({ ...wei, currency: 'USDT_ERC20' })).toContain('more than the 6 decimals');
  });

  it('may have 18 decimals in an unknown currency', () => {
    const unknown = { currency: 'EUR', address: 'anything' };
    expect(reasonsOf({ ...unknown, amount: '0.000000000000000001' })).toEqual([]);
    expect(reasonsOf({ ...unknown, amount: '0.0000000000000000001' })).toEqual([
      'amount AMOUNT_TOO_PRECISE',
    ]);
  });

  it('is not refused for its decimals where the currency is invalid', () => {
    expect(reasonsOf({ amount: `0.${'1'.repeat(30)}`, currency: '' })).toEqual([
      'currency CURRENCY_MISSING',
    ]);
  });
});

describe('an address', () => {
  it.each<{ address: string; code: string; about: string }>`
    address                                         | code                     | about
    ${'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9'}         | ${'ADDRESS_INVALID'}     | ${'checksum is wrong'}
    ${'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'} | ${'ADDRESS_INVALID'}     | ${'this is an Ethereum (EVM) address'}
    ${'TJRabPrwbZy45sbavfcjinPJC1...'}              | ${'ADDRESS_INVALID'}     | ${'it is shortened'}
    ${'TJRab\u200BrwbZy45sbavfcjinPJC18kjpRTv8'}    | ${'CHARACTER_FORBIDDEN'} | ${'U+200B at position 6'}
    ${'\u0422JRabPrwbZy45sbavfcjinPJC18kjpRTv8'}    | ${'CHARACTER_FORBIDDEN'} | ${'U+0422 at position 1'}
    ${'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8\u00A0'}   | ${'CHARACTER_FORBIDDEN'} | ${'U+00A0 at position 35'}
    ${'\u202ETJRabPrwbZy45sbavfcjinPJC18kjpRTv8'}   | ${'CHARACTER_FORBIDDEN'} | ${'U+202E at position 1'}
    ${'TJRabPrwbZy45sbavfcjinPJC18kjp\u0000RTv8'}   | ${'CHARACTER_FORBIDDEN'} | ${'U+0000 at position 31'}
    ${'TJRabPrwbZy45\u2026kjpRTv8'}                 | ${'CHARACTER_FORBIDDEN'} | ${'U+2026 at position 14'}
    ${'\u{1F4B0}\u{1F4B0}TJ\u200B'}                 | ${'CHARACTER_FORBIDDEN'} | ${'U+1F4B0 at position 1'}
    ${'TJRabPrwbZy45 sbavfcjinPJC18kjpRTv8'}        | ${'CHARACTER_FORBIDDEN'} | ${'U+0020 at position 14'}
    ${''}                                           | ${'ADDRESS_MISSING'}     | ${'no address'}
    ${'T'.repeat(129)}                              | ${'CELL_TOO_LONG'}       | ${'129 characters. At most 128'}
  `('"$address" is refused with $code', ({ address, code, about }) => {
    expect(reasonsOf({ address })).toEqual([`address ${code}`]);
    expect(sentenceOf({ address })).toContain(about);
  });

  it.each(['=1+1', '@SUM(A1)', '+1', '-1', '\t=1'])(
    'that a spreadsheet would run is refused on an unknown network: %j',
    (address) => {
      const code = address.startsWith('\t') ? 'CHARACTER_FORBIDDEN' : 'FORMULA_IN_CELL';
      expect(reasonsOf({ currency: 'EUR', address })).toEqual([`address ${code}`]);
    },
  );

  it('is checked for odd characters even on an unknown network', () => {
    expect(reasonsOf({ currency: 'EUR', address: 'DE89 3704' })).toEqual([
      'address CHARACTER_FORBIDDEN',
    ]);
    expect(reasonsOf({ currency: 'EUR', address: 'DE89\u200B' })).toEqual([
      'address CHARACTER_FORBIDDEN',
    ]);
  });
});

describe('a currency cell', () => {
  it.each<{ currency: string; code: string }>`
    currency          | code
    ${''}             | ${'CURRENCY_MISSING'}
    ${'usdt_trc20'}   | ${'CURRENCY_MALFORMED'}
    ${'USDT TRC20'}   | ${'CURRENCY_MALFORMED'}
    ${'USDT\u200B'}   | ${'CHARACTER_FORBIDDEN'}
    ${'U'.repeat(65)} | ${'CELL_TOO_LONG'}
  `('"$currency" is refused with $code', ({ currency, code }) => {
    expect(reasonsOf({ currency })).toEqual([`currency ${code}`]);
  });
});

describe('a comment', () => {
  it.each([
    '',
    'Gehalt für Jürgen',
    'Зарплата за ноябрь',
    'راتب',
    '給料 \u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
    'two\nlines',
    '5\u00A0000 words',
    'it\'s "quoted", and; more',
    'x'.repeat(500),
  ])('"%s" is accepted', (comment) => {
    expect(reasonsOf({ comment })).toEqual([]);
  });

  it.each<{ comment: string; code: string }>`
    comment              | code
    ${'=HYPERLINK("x")'} | ${'FORMULA_IN_CELL'}
    ${'+1'}              | ${'FORMULA_IN_CELL'}
    ${'-1'}              | ${'FORMULA_IN_CELL'}
    ${'@SUM(A1)'}        | ${'FORMULA_IN_CELL'}
    ${'\uFF1D1+1'}       | ${'FORMULA_IN_CELL'}
    ${'\t=1'}            | ${'FORMULA_IN_CELL'}
    ${'\n=1'}            | ${'FORMULA_IN_CELL'}
    ${'a\tb'}            | ${'CHARACTER_FORBIDDEN'}
    ${'a\u0000b'}        | ${'CHARACTER_FORBIDDEN'}
    ${'a\u0085b'}        | ${'CHARACTER_FORBIDDEN'}
    ${'a\u202Eb'}        | ${'CHARACTER_FORBIDDEN'}
    ${'a\u200Bb'}        | ${'CHARACTER_FORBIDDEN'}
    ${'a\u2028b'}        | ${'CHARACTER_FORBIDDEN'}
    ${'a\uFEFFb'}        | ${'CHARACTER_FORBIDDEN'}
    ${'a\uFFFDb'}        | ${'CHARACTER_FORBIDDEN'}
    ${'a\u{E0041}b'}     | ${'CHARACTER_FORBIDDEN'}
    ${'x'.repeat(501)}   | ${'CELL_TOO_LONG'}
  `('$comment is refused with $code', ({ comment, code }) => {
    expect(reasonsOf({ comment })).toEqual([`comment ${code}`]);
  });
});

describe('a reference', () => {
  it.each(['', 'INV-1', 'Rechnung 5/2026', 'счёт-7', 'x'.repeat(200)])(
    '"%s" is accepted',
    (reference) => {
      expect(reasonsOf({ reference })).toEqual([]);
    },
  );

  it.each<{ reference: string; code: string }>`
    reference          | code
    ${'two\nlines'}    | ${'CHARACTER_FORBIDDEN'}
    ${'a\u00A0b'}      | ${'CHARACTER_FORBIDDEN'}
    ${'a\u3000b'}      | ${'CHARACTER_FORBIDDEN'}
    ${'a\u200Db'}      | ${'CHARACTER_FORBIDDEN'}
    ${'a\uFE0Fb'}      | ${'CHARACTER_FORBIDDEN'}
    ${'-5'}            | ${'FORMULA_IN_CELL'}
    ${'x'.repeat(201)} | ${'CELL_TOO_LONG'}
  `('$reference is refused with $code', ({ reference, code }) => {
    expect(reasonsOf({ reference })).toEqual([`reference ${code}`]);
  });
});

describe('the findings of one row', () => {
  const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

  it.each<{ currency: string; address: string; codes: string[] }>`
    currency        | address                                                       | codes
    ${'USDT_TRC20'} | ${GOOD.address}                                               | ${[]}
    ${'USDT_ERC20'} | ${EVM}                                                        | ${[]}
    ${'USDT_ERC20'} | ${EVM.toLowerCase()}                                          | ${['ADDRESS_WITHOUT_CHECKSUM']}
    ${'SOL'}        | ${'4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA'}             | ${['ADDRESS_WITHOUT_CHECKSUM']}
    ${'EUR'}        | ${'DE89370400440532013000'}                                   | ${['UNKNOWN_NETWORK']}
    ${'FOO_TRC20'}  | ${GOOD.address}                                               | ${['UNKNOWN_NETWORK']}
    ${'USDT_TRC20'} | ${'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'}                       | ${['ADDRESS_TOKEN_CONTRACT']}
    ${'ETH'}        | ${'0x0000000000000000000000000000000000000000'}               | ${['ADDRESS_WITHOUT_CHECKSUM', 'ADDRESS_BURN']}
    ${'XRP'}        | ${'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'}                       | ${['TAG_MAY_BE_NEEDED']}
    ${'XRP'}        | ${'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu'}          | ${[]}
    ${'TON'}        | ${'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'}         | ${['TAG_MAY_BE_NEEDED']}
    ${'XRP_BEP20'}  | ${EVM}                                                        | ${[]}
    ${'XLM'}        | ${'GAHJJJKMOKYE4RVPZEWZTKH5FVI4PA3VL7GK2LFNUBSGBV6OJP7TQSLX'} | ${['UNKNOWN_NETWORK', 'TAG_MAY_BE_NEEDED']}
    ${'USDC_XLM'}   | ${'GAHJJJKMOKYE4RVPZEWZTKH5FVI4PA3VL7GK2LFNUBSGBV6OJP7TQSLX'} | ${['UNKNOWN_NETWORK', 'TAG_MAY_BE_NEEDED']}
    ${'HBAR'}       | ${'0.0.98'}                                                   | ${['UNKNOWN_NETWORK', 'TAG_MAY_BE_NEEDED']}
    ${'EOS'}        | ${'eosio.token'}                                              | ${['UNKNOWN_NETWORK', 'TAG_MAY_BE_NEEDED']}
    ${'ATOM'}       | ${'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'}            | ${['UNKNOWN_NETWORK', 'TAG_MAY_BE_NEEDED']}
    ${'XLM_ERC20'}  | ${EVM}                                                        | ${['UNKNOWN_NETWORK']}
    ${'EOS_NEWNET'} | ${EVM}                                                        | ${['UNKNOWN_NETWORK']}
  `('of $address in $currency are $codes', ({ currency, address, codes }) => {
    expect(findingCodes({ currency, address })).toEqual(codes);
  });
});
