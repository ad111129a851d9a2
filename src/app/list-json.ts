import type { Listed, ListNames } from './operation.ts';

/** JSON has its lines in the order of the file, and one item a line: a list of any length is written as it is read. */
export async function* listJson<About extends object, Item extends object>(
  { schema, array }: ListNames,
  { about, items }: Listed<About, Item>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ schema, ...about }).slice(0, -1)},${JSON.stringify(array)}:[`;
  let isFirst = true;
  for await (const item of items) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield '\n]}\n';
}
