import { PassThrough } from 'node:stream';
import type { OperationContext } from '../operations/context.ts';
import type { Listed } from './operation.ts';
import { untilWritable } from './until-writable.ts';

type Lists<Input, About, Item> = Readonly<{
  run<Used>(
    input: Input,
    context: OperationContext,
    use: (list: Listed<About, Item>) => Promise<Used>,
  ): Promise<Used>;
}>;

/**
 * Begins an operation on a list. The items are read one at a time, as the caller takes them. The operation closes its
 * connections at the end of the items, or when the caller stops earlier (`break`). @throws the errors of the operation
 */
export async function openList<Input, About, Item>(
  operation: Lists<Input, About, Item>,
  input: Input,
  context: OperationContext,
): Promise<Listed<About, Item>> {
  const items = new PassThrough({ objectMode: true, highWaterMark: 1 });
  // The reader of the items gets the error.
  items.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    operation
      .run(input, context, async (list) => {
        // oxlint-disable-next-line no-unsafe-type-assertion
        resolve({ about: list.about, items: items as AsyncIterable<Item> });
        for await (const item of list.items) {
          if (items.destroyed) return;
          if (!items.write(item)) await untilWritable(items);
        }
      })
      .then(
        () => items.end(),
        (error: unknown) => {
          items.destroy(error instanceof Error ? error : new Error(String(error)));
          reject(error);
        },
      );
  });
}
