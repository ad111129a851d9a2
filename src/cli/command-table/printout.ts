import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { Context } from '../context.ts';
import { printList, printResult } from '../print/output.ts';
import { type OperationColumn, tableOf } from './columns.ts';

/** How a list is printed: the schemas and the name of its array for programs, its columns for people. */
export type ListView<Item> = Readonly<{
  schema: string;
  name: string;
  /** Schema of one line of `-o jsonl`. */
  lineSchema: string;
  columns: readonly OperationColumn<Item>[];
}>;

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
  { view, items, about = {}, closing = emptyText(view.name) }: ListPrintout<Item>,
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

async function gather<Item>(items: Items<Item>): Promise<Item[]> {
  const whole: Item[] = [];
  for await (const item of items) whole.push(item);
  return whole;
}
