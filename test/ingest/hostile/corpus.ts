import { gzipSync } from 'node:zlib';
import { EVM, HEADER, TRON, TRON_2 } from '../support/ingest.ts';

/**
 * A hostile file and its expected result: the code and line of the refusal of the whole file; or every
 * row, as `line amount comment` when accepted and as `line column CODE` when refused.
 */
export type HostileFile = readonly [
  what: string,
  content: string | Uint8Array,
  outcome: string | readonly string[],
];

const row = (peculiar: Readonly<Partial<Record<'to' | 'amount' | 'comment' | 'ref', string>>>) => {
  const { to = TRON, amount = '1', comment = '', ref = '' } = peculiar;
  return `${to},${amount},TRX,${comment},${ref}\n`;
};
const ROW = row({});
const bytes = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const file = (...rows: readonly string[]): string => HEADER + rows.join('');

export const CORPUS: Readonly<Record<string, readonly HostileFile[]>> = {
  'a quote that is not closed': [
    ['in the header', `address,"amount,currency\n${ROW}`, 'QUOTE_UNCLOSED 1'],
    ['in a header below empty lines', `\n\naddress,amount,"currency\n${ROW}`, 'QUOTE_UNCLOSED 3'],
    ['as the first character of the file', `"${HEADER}${ROW}`, 'QUOTE_UNCLOSED 1'],
    ['as the first character of a row', file(ROW, `"${ROW}`, ROW), 'QUOTE_UNCLOSED 3'],
    ['as the last character of the file', `${file(ROW)}"`, 'QUOTE_UNCLOSED 3'],
    ['because its end was doubled', file(row({ comment: '"a""' }), ROW), 'QUOTE_UNCLOSED 2'],
    [
      'below a cell of two lines',
      file(row({ comment: '"a\nb"' }), row({ ref: '"' })),
      'QUOTE_UNCLOSED 4',
    ],
    ['escaped by a backslash', file(row({ comment: '"a\\"b"' })), 'QUOTE_MALFORMED 2'],
    [
      'closed in a later row',
      file(row({ comment: '"' }), row({ comment: '"' })),
      'QUOTE_OVER_ROWS 2',
    ],
  ],
  'line ends of several kinds': [
    ['LF and CRLF', HEADER + ROW.replace('\n', '\r\n') + ROW, ['2 1 ', '3 1 ']],
    ['CRLF inside quotes', file(row({ comment: '"a\r\nb"' })), ['2 1 a\nb']],
    ['a bare CR between rows', file(ROW.replace('\n', '\r'), ROW), 'LINE_BREAK_BARE 2'],
    ['CR CR LF', file(ROW.replace('\n', '\r\r\n')), 'LINE_BREAK_BARE 2'],
    ['LF CR', file(ROW.replace('\n', '\n\r'), ROW), 'LINE_BREAK_BARE 3'],
    ['a bare CR inside quotes', file(row({ comment: '"a\rb"' })), 'LINE_BREAK_BARE 2'],
    ['a bare CR at the very end', `${file(ROW)}\r`, 'LINE_BREAK_BARE 3'],
    ['a line separator', file(row({ comment: 'a\u2028b' })), ['2 comment CHARACTER_FORBIDDEN']],
    ['a next line', file(row({ comment: 'a\u0085b' })), ['2 comment CHARACTER_FORBIDDEN']],
    ['a form feed', file(row({ comment: 'a\fb' })), ['2 comment CHARACTER_FORBIDDEN']],
  ],
  'an encoding that is not UTF-8': [
    ['UTF-16 with a mark', bytes(hex('fffe'), Buffer.from(HEADER, 'utf16le')), 'FILE_ENCODING'],
    ['UTF-16 without one', Buffer.from(file(ROW), 'utf16le'), 'FILE_ENCODING'],
    ['a byte of Latin-1', bytes(HEADER, ROW.trimEnd(), hex('e9'), '\n'), 'FILE_ENCODING'],
    ['half a character at the end', bytes(file(ROW), hex('e282')), 'FILE_ENCODING'],
    ['a lone surrogate', bytes(HEADER, hex('eda080')), 'FILE_ENCODING'],
    ['a slash in two bytes', bytes(HEADER, hex('c0af')), 'FILE_ENCODING'],
    ['a character beyond the last one', bytes(HEADER, hex('f4908080')), 'FILE_ENCODING'],
    ['a damaged workbook', bytes('PK\x03\x04', 'xl/workbook.xml'), 'WORKBOOK_UNREADABLE'],
    ['an old workbook', hex('d0cf11e0a1b11ae1'), 'FILE_FORMAT'],
  ],
  'a byte order mark': [
    ['at the start', `\uFEFF${file(ROW)}`, ['2 1 ']],
    ['before an empty line', `\uFEFF\n${file(ROW)}`, ['3 1 ']],
    ['before control totals', `\uFEFF# rows=1\n${file(ROW)}`, ['3 1 ']],
    ['twice', `\uFEFF\uFEFF${file(ROW)}`, 'HEADER_UNKNOWN_COLUMN'],
    [
      'in the middle, where files were joined',
      file(ROW, `\uFEFF${ROW}`),
      ['2 1 ', '3 address CHARACTER_FORBIDDEN'],
    ],
    ['alone', '\uFEFF', 'FILE_EMPTY'],
  ],
  'headers that programs mix up': [
    ['one name twice', `address,amount,amount,currency\n${ROW}`, 'HEADER_DUPLICATE_COLUMN'],
    ['in other letters', `address,amount,AMOUNT,currency\n${ROW}`, 'HEADER_DUPLICATE_COLUMN'],
    ['in other words', `address,wallet,amount,currency\n${ROW}`, 'HEADER_DUPLICATE_COLUMN'],
    ['with spaces', `address,amount, amount ,currency\n${ROW}`, 'HEADER_DUPLICATE_COLUMN'],
    ['a column without a name', `address,amount,currency,\n${TRON},1,TRX,\n`, ['2 1 ']],
    [
      'a value in a column without a name',
      `address,amount,currency,\n${TRON},1,TRX,x\n`,
      ['2 row COLUMN_UNNAMED'],
    ],
    [
      'a tag',
      `address,amount,currency,memo\n${TRON},1,TRX,\n${TRON},1,TRX,77\n`,
      ['2 1 ', '3 row TAG_UNSUPPORTED'],
    ],
    [
      'the reasons of an earlier try',
      `error,address,amount,currency\n=1,${TRON},1,TRX\n`,
      ['2 1 '],
    ],
    [
      'a second header, where files were joined',
      file(ROW, HEADER),
      ['2 1 ', '3 amount AMOUNT_NOT_DECIMAL', '3 currency CURRENCY_MALFORMED'],
    ],
    ['no header', ROW, 'HEADER_UNKNOWN_COLUMN'],
  ],
  'headers that every object has': [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
  ].map((name) => [name, `${name},address,amount,currency\n${ROW}`, 'HEADER_UNKNOWN_COLUMN']),
  'another delimiter, and commas in amounts': [
    ['semicolons', file(ROW).replaceAll(',', ';'), ['2 1 ']],
    ['tabs', file(ROW).replaceAll(',', '\t'), ['2 1 ']],
    [
      'a decimal comma among semicolons',
      `address;amount;currency\n${TRON};1,5;TRX\n`,
      ['2 amount AMOUNT_NOT_DECIMAL'],
    ],
    [
      'a decimal comma among commas',
      `address,amount,currency\n${TRON},1,5,TRX\n`,
      ['2 row FIELD_COUNT_WRONG'],
    ],
    ['bars', file(ROW).replaceAll(',', '|'), 'DELIMITER_UNKNOWN'],
    ['as many of one as of another', 'address;amount,currency\n', 'DELIMITER_UNKNOWN'],
    [
      'semicolons below a header with commas',
      HEADER + ROW.replaceAll(',', ';'),
      ['2 row FIELD_COUNT_WRONG'],
    ],
    ['with a line for Excel before it', `sep=;\n${file(ROW).replaceAll(',', ';')}`, ['3 1 ']],
  ],
  'too few or too many cells': [
    ['one less', file(ROW, `${TRON},1,TRX,\n`), ['2 1 ', '3 row FIELD_COUNT_WRONG']],
    ['one more', file(ROW, `${TRON},1,TRX,,,\n`), ['2 1 ', '3 row FIELD_COUNT_WRONG']],
    ['one alone', file('x\n'), ['2 row FIELD_COUNT_WRONG']],
    [
      'none but delimiters, which is no row',
      file(ROW, ',,,,\n', ROW, ' , ,,\n', '"",""\n', ',,,,,,,\n'),
      ['2 1 ', '4 1 '],
    ],
    ['a row that was cut off', file(ROW).slice(0, -4), ['2 row FIELD_COUNT_WRONG']],
  ],
  'characters that are invisible, or look like others': [
    ['NUL in an address', file(row({ to: `${TRON}\0` })), ['2 address CHARACTER_FORBIDDEN']],
    ['NUL in a comment', file(row({ comment: 'a\0' })), ['2 comment CHARACTER_FORBIDDEN']],
    ['NUL between rows', file(ROW, '\0\n', ROW), ['2 1 ', '3 row FIELD_COUNT_WRONG', '4 1 ']],
    ['zero width', file(row({ to: `${TRON}\u200B` })), ['2 address CHARACTER_FORBIDDEN']],
    ['no-break space', file(row({ to: `\u00A0${TRON}` })), ['2 address CHARACTER_FORBIDDEN']],
    [
      'no-break space in an amount',
      file(row({ amount: '1\u00A0000' })),
      ['2 amount CHARACTER_FORBIDDEN'],
    ],
    ['direction', file(row({ comment: 'a\u202Eb' })), ['2 comment CHARACTER_FORBIDDEN']],
    [
      'a Cyrillic letter',
      file(row({ to: TRON.replace('T', '\u0422') })),
      ['2 address CHARACTER_FORBIDDEN'],
    ],
    ['a tag', file(row({ comment: 'a\u{E0041}' })), ['2 comment CHARACTER_FORBIDDEN']],
  ],
  formulas: [
    [
      'in comments',
      file(row({ comment: '=1+1' }), row({ comment: "' =1" })),
      ['2 comment FORMULA_IN_CELL', "3 1 ' =1"],
    ],
    [
      'behind a quote',
      file(row({ comment: '"=HYPERLINK(""x"")"' })),
      ['2 comment FORMULA_IN_CELL'],
    ],
    ['in references', file(row({ ref: '@SUM(A1)' })), ['2 reference FORMULA_IN_CELL']],
    ['full width', file(row({ comment: '\uFF1D1' })), ['2 comment FORMULA_IN_CELL']],
    ['behind a tab', file(row({ comment: '\t=1' })), ['2 comment FORMULA_IN_CELL']],
    [
      'in an amount',
      file(row({ amount: '-1' }), row({ amount: '=1' })),
      ['2 amount AMOUNT_NOT_POSITIVE', '3 amount AMOUNT_NOT_DECIMAL'],
    ],
    [
      'as an address that cannot be checked',
      file('=1+1,1,FOO_BAR,,\n'),
      ['2 address FORMULA_IN_CELL'],
    ],
  ],
  'numbers as spreadsheets change them': [
    ['an exponent', file(row({ amount: '1E+05' })), ['2 amount AMOUNT_NOT_DECIMAL']],
    ['a float', file(`${EVM},0.100000000000000005,ETH,1E5,\n`), ['2 0.100000000000000005 1E5']],
    [
      'more digits than a float has',
      file(row({ amount: '9007199254740993.000001' })),
      ['2 9007199254740993.000001 '],
    ],
    [
      'words that mean a value',
      file(`${EVM},1,ETH,true,null\n${EVM},2,ETH,NaN,0x10\n`),
      ['2 1 true', '3 2 NaN'],
    ],
    ['zeros in front', file(row({ amount: '007' })), ['2 amount AMOUNT_NOT_DECIMAL']],
    ['other digits', file(row({ amount: '\u0661' })), ['2 amount CHARACTER_FORBIDDEN']],
  ],
  'rows that stand twice': [
    ['the whole row', file(ROW, ROW), ['2 1 ', '3 1 ']],
    [
      'a reference',
      file(row({ ref: 'a' }), row({ to: TRON_2, ref: 'a' })),
      ['2 1 ', '3 reference REFERENCE_DUPLICATE'],
    ],
  ],
  'a total below the rows': [
    ['that is right', file(ROW, ROW, 'Total,2,,,\n'), ['2 1 ', '3 1 ']],
    [
      'with a row behind it',
      file(ROW, 'Total,1,TRX,,\n', ROW),
      ['2 1 ', '3 address ADDRESS_INVALID', '4 1 '],
    ],
    [
      'without an amount',
      file(ROW, 'Total,,TRX,,\n'),
      ['2 1 ', '3 address ADDRESS_INVALID', '3 amount AMOUNT_NOT_DECIMAL'],
    ],
  ],
  'a packed file': [
    ['that is sound', gzipSync(file(ROW)), ['2 1 ']],
    ['in two parts', bytes(gzipSync(HEADER), gzipSync(ROW)), ['2 1 ']],
    ['that was cut', gzipSync(file(ROW)).subarray(0, -5), 'FILE_COMPRESSION'],
    ['in which a bit was flipped', gzipSync(file(ROW)).fill(0xff, 20, 21), 'FILE_COMPRESSION'],
    ['inside another one', gzipSync(gzipSync(file(ROW))), 'FILE_ENCODING'],
    ['that unpacks to nothing', gzipSync(''), 'FILE_EMPTY'],
  ],
};
