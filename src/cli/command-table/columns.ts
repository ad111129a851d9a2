import type { ShownZone } from '../../operations/context.ts';
import { dateText } from '../print/record-text.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';

type Zone = Readonly<{ clock: ShownZone }>;

/** A moment, which is printed in the zone of the person. */
export type Moment = Readonly<{ moment: string | undefined }>;

/** The value of a cell; a missing value is printed as a dash. */
export type Cell = string | number | boolean | null | undefined | Moment;

/** A column of a list. `width` is a wish: a longer cell moves the rest of its line to the right. */
export type OperationColumn<Item> = Readonly<{
  title: string;
  width: number;
  right?: true;
  cell(item: Item): Cell;
}>;

/** The header and the lines of a list for people. */
export function tableOf<Item>(columns: readonly OperationColumn<Item>[], zone: Zone) {
  const table = createTable(columns);
  return {
    header: table.header(),
    textOf: (item: Item): string =>
      table.row(columns.map((column) => cellText(column.cell(item), zone))),
  };
}

/** A whole table for people, with its header also when it has no lines. */
export function tableText<Item>(
  columns: readonly OperationColumn<Item>[],
  items: readonly Item[],
  zone: Zone,
): string {
  const { header, textOf } = tableOf(columns, zone);
  return [header, ...items.map(textOf)].join('\n');
}

function cellText(cell: Cell, { clock }: Zone): string {
  if (cell === null || cell === undefined) return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (typeof cell !== 'object') return printable(String(cell));
  return cell.moment === undefined ? '-' : dateText(cell.moment, clock);
}
