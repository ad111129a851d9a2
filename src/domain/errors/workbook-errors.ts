import { counted } from '../text/counted.ts';
import { entry } from './entry.ts';
import type { FileQuestion } from './file-question.ts';

type InWorkbook = Readonly<{ file: string }>;

const SAVE_AGAIN = 'Open it in its program, and save it as .xlsx or as "CSV UTF-8".';

/** A format of a file, and the next step for a person. */
type Format = Readonly<{ is: string; fix: string }>;

/** Formats that are known by their content and not read. */
const FORMATS = {
  password: {
    is: 'a workbook with a password',
    fix: 'Remove the password in the spreadsheet program, or save the sheet as "CSV UTF-8".',
  },
  xls: { is: 'an old Excel workbook (.xls)', fix: SAVE_AGAIN },
  xlsb: { is: 'a binary Excel workbook (.xlsb)', fix: SAVE_AGAIN },
  ods: { is: 'an OpenDocument spreadsheet (.ods)', fix: SAVE_AGAIN },
  numbers: {
    is: 'a document of Apple Numbers or Pages',
    fix: 'In Numbers, export it to Excel (.xlsx) or CSV.',
  },
  document: { is: 'an Office document without sheets', fix: 'Give the file with the payments.' },
  zip: {
    is: 'a zip archive without a workbook',
    fix: 'Unpack it, and give the file in it. A .csv may be packed with gzip.',
  },
} as const satisfies Record<string, Format>;

/** A format that is known by its content and not read. */
export type OtherFormat = keyof typeof FORMATS;

const formatOf = (format: OtherFormat): Format =>
  (FORMATS as Partial<Record<string, Format>>)[format] ?? {
    is: `a file of another format (${format})`,
    fix: SAVE_AGAIN,
  };

/** Why a workbook is refused. Nothing of it is sent. */
export const WORKBOOK_ERRORS = {
  FILE_FORMAT: entry<InWorkbook & Readonly<{ format: OtherFormat }>>({
    category: 'file',
    what: (f) => `${f.file} is ${formatOf(f.format).is}.`,
    why: 'Bursar reads workbooks of the form .xlsx, and CSV.',
    fix: (f) => formatOf(f.format).fix,
  }),
  WORKBOOK_UNREADABLE: entry<InWorkbook & Readonly<{ reason: string }>>({
    category: 'file',
    what: (f) => `The workbook ${f.file} cannot be read: ${f.reason}.`,
    why: 'It is damaged or incomplete.',
    fix: 'Open it in a spreadsheet program and save it again as .xlsx, or save the sheet as "CSV UTF-8".',
  }),
  WORKBOOK_TOO_LARGE: entry<InWorkbook & Readonly<{ has: string }>>({
    category: 'file',
    what: (f) => `The workbook ${f.file} has ${f.has}.`,
    why: 'The limit protects the memory from a damaged or hostile workbook.',
    fix: 'Save the sheet as "CSV UTF-8", which has no such limit. Or split it.',
  }),
  SHEET_NOT_CHOSEN: entry<InWorkbook & Readonly<{ sheets: string; asks?: FileQuestion }>>({
    category: 'file',
    what: (f) => `The workbook ${f.file} has several sheets with values: ${f.sheets}.`,
    why: 'It is not clear which of them is to be paid.',
    fix: 'Name it with --sheet NAME.',
  }),
  SHEET_NOT_FOUND: entry<
    InWorkbook & Readonly<{ sheet: string; sheets: string; asks?: FileQuestion }>
  >({
    category: 'file',
    what: (f) => `The workbook ${f.file} has no sheet "${f.sheet}".`,
    why: (f) => `Its sheets are: ${f.sheets}.`,
    fix: 'Give the name of one of them with --sheet.',
  }),
  SHEET_OF_NO_WORKBOOK: entry<InWorkbook & Readonly<{ sheet: string }>>({
    category: 'file',
    what: (f) => `${f.file} is no workbook, so it has no sheet "${f.sheet}".`,
    why: 'Only a workbook (.xlsx) has sheets.',
    fix: 'Leave --sheet out, or give the workbook.',
  }),
  SHEET_CELLS_MERGED: entry<InWorkbook & Readonly<{ range: string }>>({
    category: 'file',
    what: (f) => `${f.file} has merged cells: ${f.range}.`,
    why: 'Only the first of them has a value. The values of the others are not clear.',
    fix: 'Unmerge them, and fill every cell.',
  }),
};

/** "more than 5 rows" as a part of WORKBOOK_TOO_LARGE. */
export const moreThan = (max: number, unit: string): string => `more than ${counted(max, unit)}`;
