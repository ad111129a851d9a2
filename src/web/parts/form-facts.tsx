import type { ComponentChildren } from 'preact';
import type { FileForm } from '../../domain/rows/file-form.ts';
import { COLUMNS } from '../../domain/rows/row.ts';
import { currencyText } from '../../domain/text/money-text.ts';
import type { Texts } from '../texts/en.ts';
import { Text } from './text.tsx';

/** How a file was read. `sheet`: null for a file that is no workbook; `currency`: that of rows that name none. */
type HowRead = Readonly<{
  form: FileForm;
  sheet: string | null;
  currency: string | null;
}>;

/** The sheet that was read, and everything that a person stated about a file, as names with values. */
export function formFacts(
  { form, sheet, currency }: HowRead,
  t: Texts,
): readonly (readonly [string, ComponentChildren])[] {
  const { columns, ignoreColumns, decimalComma } = form;
  return [
    ...(sheet === null ? [] : [[t.payment.sheet, <Text key="sheet">{sheet}</Text>] as const]),
    ...COLUMNS.flatMap((column) => {
      const name = columns[column];
      const label = t.file.columnOf(t.file.uses[column]);
      return name === undefined ? [] : [[label, <Text key={column}>{name}</Text>] as const];
    }),
    ...(ignoreColumns.length === 0
      ? []
      : [[t.file.ignored, <Text key="ignored">{ignoreColumns.join(', ')}</Text>] as const]),
    ...(decimalComma ? [[t.file.comma, t.file.commaChosen] as const] : []),
    ...(currency === null ? [] : [[t.file.currencyLabel, currencyText(currency)] as const]),
  ];
}
