import type { ListNames } from '../../app/operation.ts';
import type { Context } from '../context.ts';

/** Prints one result: JSON on several lines with `-o json`, on one line with `-o jsonl`, else the text. */
export function printResult(
  { format, print }: Context,
  result: Readonly<{ json: object; text: string }>,
): void {
  if (format === 'text') print(result.text);
  else print(format === 'json' ? JSON.stringify(result.json, undefined, 2) : toLine(result.json));
}

const toLine = (json: object): string => JSON.stringify(json);

/** Prints a JSON document that has a form of its own: every format prints the document itself. */
export const printDocument = ({ format, print }: Context, document: unknown): void =>
  print(JSON.stringify(document, undefined, format === 'jsonl' ? 0 : 2));

/** A list that is printed as it comes: an object with an array for `-o json`, a line for each item otherwise. */
export type ListOutput<Item> = ListNames &
  Readonly<{
    /** Fields of the object around the array. */
    about: object;
    header: string;
    textOf(item: Item): string;
  }>;

/** Prints a list of any length without holding it in memory; answers with the number of items. */
export async function printList<Item extends object>(
  { format, print, terminal }: Context,
  items: AsyncIterable<Item> | Iterable<Item>,
  output: ListOutput<Item>,
): Promise<number> {
  let count = 0;
  const { schema, about, array, lineSchema } = output;
  if (format === 'json') {
    const head = JSON.stringify({ schema, ...about }).slice(0, -1);
    terminal.out.write(`${head},${JSON.stringify(array)}:[`);
  }
  for await (const item of items) {
    if (format === 'json') terminal.out.write(`${count === 0 ? '' : ','}\n${toLine(item)}`);
    else if (format === 'jsonl') print(toLine({ schema: lineSchema, ...item }));
    else print(count === 0 ? `${output.header}\n${output.textOf(item)}` : output.textOf(item));
    count += 1;
  }
  if (format === 'json') print('\n]}');
  return count;
}

/** All items of a list, where it must be whole before it is printed. */
export async function gather<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
