import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { ListNames } from '../../app/operation.ts';
import type { Context } from '../context.ts';
import type { ShownZone } from '../../operations/context.ts';
import { gather, printList, printResult } from '../print/output.ts';
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

/** How a list is printed: the schemas and the name of its array for programs, its columns for people. */
export type ListView<Item> = ListNames & Readonly<{ columns: readonly OperationColumn<Item>[] }>;

type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** The parts of a list that some lists have. */
type ListExtras = Readonly<{
  /** Fields of the JSON object around the array. */
  about?: Readonly<Record<string, unknown>>;
  /** The sentence for people after the list; by default one for an empty list. */
  closing?: (count: number) => string | undefined;
}>;

export type ListPrintout<Item extends object> = ListExtras &
  Readonly<{ view: ListView<Item>; items: Items<Item> }>;

export type RecordPrintout = Readonly<{ schema: string; record: object; text: string }>;

/** The result of an operation: a record, a list, or its exit code when it has printed all itself. */
export type Printout = RecordPrintout | ListPrintout<object> | number;

/** A list with its view. The renderer does not need the type of its items. */
export const list = <Item extends object>(
  view: ListView<Item>,
  items: Items<Item>,
  more: ListExtras = {},
): ListPrintout<object> => ({ view, items, ...more });

/** Prints what an operation returned, and returns the exit code. */
export async function render(printout: Printout, context: Context): Promise<number> {
  if (typeof printout === 'number') return printout;
  if ('view' in printout) {
    await renderList(printout, context);
    return EXIT.done;
  }
  const { schema, record, text } = printout;
  printResult(context, { json: { schema, ...record }, text });
  return EXIT.done;
}

/** With `-o json` one object has the list or the error, never half of the list: it waits for the whole list. */
async function renderList<Item extends object>(
  { view, items, about = {}, closing = emptyText(view.array) }: ListPrintout<Item>,
  context: Context,
): Promise<void> {
  const { columns, ...output } = view;
  const whole = context.format === 'json' ? await gather(items) : items;
  const count = await printList(context, whole, {
    ...output,
    about,
    ...tableOf(columns, context),
  });
  const text = context.format === 'text' ? closing(count) : undefined;
  if (text !== undefined) context.say(text);
}

/** `massPayouts` as people write it. */
const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const emptyText = (name: string) => (count: number) =>
  count === 0 ? `There are no ${inWords(name)}.` : undefined;
