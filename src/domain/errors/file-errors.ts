import { COLUMNS } from '../rows/row.ts';
import { counted, groupDigits, withCommas } from '../text/counted.ts';
import { writtenTotalsText } from '../text/money-text.ts';
import { entry } from './entry.ts';
import type { FileQuestion } from './file-question.ts';

type InFile = Readonly<{ file: string }>;
type AtLine = Readonly<{ file: string; line: number }>;

/** Why a whole file is refused. Nothing of it is sent. */
export const FILE_ERRORS = {
  FILE_NOT_FOUND: entry<InFile>({
    category: 'file',
    what: (f) => `There is no file ${f.file}.`,
    why: 'A relative path starts in the folder where the command runs.',
    fix: 'Check the path, or use - to read from standard input.',
  }),
  FILE_NOT_REGULAR: entry<Readonly<{ file: string; kind: string }>>({
    category: 'file',
    what: (f) => `${f.file} is a ${f.kind}, not a file.`,
    why: 'Bursar reads a file twice, so only a regular file (or - for standard input) works.',
    fix: 'Give the path of a .csv, .csv.gz or .xlsx file.',
  }),
  FILE_IS_LINK: entry<Readonly<{ file: string }>>({
    category: 'file',
    what: (f) => `${f.file} is a symbolic link.`,
    why: 'A link can point to another file at any time, and another person may have made it.',
    fix: 'Give the path of the file itself, or --follow-links when the link is yours. Instead of /dev/fd/N or <(COMMAND), use standard input: COMMAND | bursar submit -',
  }),
  FILE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'file',
    what: (f) => `${f.file} cannot be read (${f.reason}).`,
    why: 'The operating system refused.',
    fix: 'Check the permissions of the file and its folders.',
  }),
  FILE_EMPTY: entry<InFile>({
    category: 'file',
    what: (f) => `${f.file} is empty.`,
    why: 'There is no header and no row.',
    fix: 'Write a header line (address,amount,currency) and at least one row.',
  }),
  FILE_WITHOUT_ROWS: entry<InFile>({
    category: 'file',
    what: (f) => `${f.file} has a header and no rows.`,
    why: 'There is nothing to pay.',
    fix: 'Add at least one row below the header.',
  }),
  FILE_TOO_LARGE: entry<Readonly<{ file: string; sizeBytes: number; maxBytes: number }>>({
    category: 'file',
    what: (f) =>
      `${f.file} holds more than ${counted(f.maxBytes, 'byte')} (${withCommas(f.sizeBytes)} so far).`,
    why: 'The limit keeps a damaged or hostile file from filling the disk.',
    fix: 'Split the file.',
  }),
  READING_CUT_OFF: entry<InFile & Readonly<{ reason: string }>>({
    category: 'unreachable',
    what: (f) => `A thread that checked rows of ${f.file} ended early: ${f.reason}.`,
    why: 'The machine ran out of memory, or Bursar has a bug. Nothing was imported.',
    fix: 'A worker tries again by itself. Run a command again. If it always fails, report it.',
  }),
  FILE_CHANGED: entry<InFile>({
    category: 'file',
    what: (f) => `${f.file} changed while it was read.`,
    why: 'Bursar pays only the content that it checked.',
    fix: 'Wait until the program that writes the file is done, then submit it again.',
  }),
  FILE_ENCODING: entry<Readonly<{ file: string; encoding: string }>>({
    category: 'file',
    what: (f) => `${f.file} is not UTF-8 text (it looks like ${f.encoding}).`,
    why: 'In another encoding Bursar would read wrong letters in names and comments.',
    fix: 'Save it again as "CSV UTF-8".',
  }),
  FILE_TOO_MANY_ROWS: entry<Readonly<{ file: string; max: number }>>({
    category: 'file',
    what: (f) => `${f.file} has more than ${counted(f.max, 'row')}.`,
    why: 'Each row needs memory, and the memory is limited.',
    fix: 'Split the file.',
  }),
  FILE_TOO_MANY_CHUNKS: entry<Readonly<{ file: string; chunks: number; max: number }>>({
    category: 'file',
    what: (f) =>
      `${f.file} makes ${counted(f.chunks, 'chunk')} (requests to the service). A batch has at most ${withCommas(f.max)}.`,
    why: 'One workflow cannot handle more.',
    fix: 'Put more rows into a chunk (batch.chunk_rows, BURSAR_BATCH_CHUNK_ROWS), or split the file into several.',
  }),
  FILE_TOO_MANY_CURRENCIES: entry<Readonly<{ file: string; max: number; line: number }>>({
    category: 'file',
    what: (f) => `${f.file} names more than ${f.max} currencies (the next one in line ${f.line}).`,
    why: 'Probably another column was read as the currency.',
    fix: 'Check the header and the currency column. If they are right, split the file.',
  }),
  FILE_COMPRESSION: entry<Readonly<{ file: string; reason: string }>>({
    category: 'file',
    what: (f) => `${f.file} cannot be unpacked: ${f.reason}.`,
    why: 'The archive is damaged, or unpacks to far too much.',
    fix: 'Pack the file again with gzip, or submit the plain .csv.',
  }),
  HEADER_MISSING_COLUMN: entry<Readonly<{ file: string; column: string; found: string }>>({
    category: 'file',
    what: (f) => `${f.file} has no column "${f.column}" (its header is: ${f.found}).`,
    why: (f) =>
      f.column === 'currency'
        ? 'Neither a column nor --currency names the currency.'
        : 'The columns address and amount are required. The header is the first line.',
    fix: (f) =>
      f.column === 'currency'
        ? 'Add a column currency, or give --currency.'
        : 'Name the columns address, amount, currency, comment, reference, name, in any order.',
  }),
  HEADER_UNKNOWN_COLUMN: entry<
    InFile & Readonly<{ columns: string; advice: string; asks?: FileQuestion }>
  >({
    category: 'file',
    what: (f) => `Bursar does not use these columns of ${f.file}: ${f.columns}.`,
    why: 'An ignored column could be important, so you decide about each one.',
    fix: (f) => `${f.advice} Known columns: ${COLUMNS.join(', ')}.`,
  }),
  HEADER_COLUMN_ABSENT: entry<InFile & Readonly<{ flag: string; column: string; found: string }>>({
    category: 'file',
    what: (f) => `${f.file} has no column "${f.column}", which ${f.flag} names.`,
    why: (f) => `Its header is: ${f.found}.`,
    fix: (f) => `Give the name as the header has it, or leave ${f.flag} out.`,
  }),
  HEADER_DUPLICATE_COLUMN: entry<Readonly<{ file: string; column: string }>>({
    category: 'file',
    what: (f) => `${f.file} names the column "${f.column}" twice.`,
    why: 'It is not clear which of the two would be paid.',
    fix: 'Keep one of them.',
  }),
  DELIMITER_UNKNOWN: entry<Readonly<{ file: string; found: string }>>({
    category: 'file',
    what: (f) => `The columns of ${f.file} cannot be separated (its first line is: ${f.found}).`,
    why: 'The header must have a comma, a semicolon or a tab between columns.',
    fix: 'Save the file as comma-separated values with a header line.',
  }),
  QUOTE_UNCLOSED: entry<AtLine>({
    category: 'file',
    what: (f) => `A quote that opens in line ${f.line} of ${f.file} is not closed.`,
    why: 'Bursar would read everything after it as one cell.',
    fix: 'Close the quote, or double it ("") where it belongs to the text.',
  }),
  QUOTE_MALFORMED: entry<AtLine>({
    category: 'file',
    what: (f) => `Line ${f.line} of ${f.file} has a quote in the wrong place.`,
    why: 'It is not clear where the cell starts or ends.',
    fix: 'A quoted cell starts and ends with a quote, next to the delimiters. Double a quote that belongs to the text ("").',
  }),
  QUOTE_OVER_ROWS: entry<Readonly<{ file: string; line: number; lastLine: number }>>({
    category: 'file',
    what: (f) =>
      `A quote that opens in line ${f.line} of ${f.file} closes in line ${f.lastLine}, which looks like a row of its own.`,
    why: 'Bursar would read the rows in between as one cell, and would not pay them.',
    fix: (f) =>
      `Close the quote in line ${f.line}. If the text is intended, remove the delimiters from its last line.`,
  }),
  LINE_BREAK_BARE: entry<AtLine>({
    category: 'file',
    what: (f) => `Line ${f.line} of ${f.file} ends with a bare carriage return.`,
    why: 'For some programs it ends a row, for others not. So two rows could become one.',
    fix: 'Save the file with line ends LF or CRLF.',
  }),
  ROW_TOO_LONG: entry<Readonly<{ file: string; line: number; maxChars: number }>>({
    category: 'file',
    what: (f) =>
      `The row at line ${f.line} of ${f.file} is longer than ${counted(f.maxChars, 'character')}.`,
    why: 'Mostly a quote is not closed, or the file is damaged.',
    fix: 'Look for a missing quote at or before this line.',
  }),
  FILE_ROWS_REFUSED: entry<Readonly<{ file: string; refused: number; rows: number; nack: string }>>(
    {
      category: 'file',
      what: (f) =>
        `${withCommas(f.refused)} of ${counted(f.rows, 'row')} of ${f.file} ${f.refused === 1 ? 'is' : 'are'} refused.`,
      why: 'Nothing is sent while one row is wrong.',
      fix: (f) =>
        `Correct the rows listed in ${f.nack}, or submit with --skip-invalid to leave them out.`,
    },
  ),
  CONTROL_TOTAL_COUNT: entry<Readonly<{ expected: string; found: string; says: string }>>({
    category: 'file',
    what: (f) =>
      `The file has ${groupDigits(f.found)} ${f.found === '1' ? 'row' : 'rows'}. By ${f.says} it has ${groupDigits(f.expected)}.`,
    why: 'A control total finds files that were cut off or written twice.',
    fix: 'Check the file, or correct the control total.',
  }),
  CONTROL_TOTAL_AMOUNT: entry<
    Readonly<{ expected: string; found: string; says: string; refused?: number }>
  >({
    category: 'file',
    what: (f) =>
      `The amounts of the file sum up to ${writtenTotalsText(f.found)}. By ${f.says} it is ${writtenTotalsText(f.expected)}.`,
    why: 'A control total finds files that were cut off or written twice.',
    fix: ({ refused = 0 }) =>
      refused === 0
        ? 'Check the file, or correct the control total.'
        : `Refused rows are not in this sum (${withCommas(refused)}). Correct them first. Bursar then compares the sums again.`,
  }),
  FINDINGS_NOT_ACCEPTED: entry<Readonly<{ codes: string }>>({
    category: 'file',
    what: (f) => `The file has warnings that were not accepted: ${f.codes}.`,
    why: 'Warnings are often mistakes, and a payment cannot be taken back.',
    fix: ({ codes }) => `Check them with "bursar plan FILE". ${acceptingText(codes.split(', '))}`,
  }),
};

/** No line is ready to be copied for a currency that Bursar does not know: the service decides whether it exists. */
function acceptingText(codes: readonly string[]): string {
  const ready = codes.filter((code) => code !== 'UNKNOWN_NETWORK');
  return [
    ...(ready.length === codes.length
      ? []
      : ['Correct the currency; UNKNOWN_NETWORK is for one that the service knows.']),
    ...(ready.length === 0
      ? []
      : [
          `If they are intended, submit again with ${ready.map((code) => `--accept ${code}`).join(' ')}. Over HTTP and in the library: in "choices.accept" of a new plan.`,
        ]),
  ].join(' ');
}
