import type { z } from 'zod';
import type { OperationContext } from '../operations/context.ts';
import { inputReader } from './input-reader.ts';
import { openList } from './open-list.ts';
import {
  type AnyOperation,
  isListing,
  type Listed,
  type ListingOperation,
  type SingleOperation,
} from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** A list of any length. Each iteration reads it anew, a part at a time. */
export type LazyList<About, Item> = AsyncIterable<Item> &
  Readonly<{
    /** Reads the fields around the list, too. */
    open(): Promise<Listed<About, Item>>;
  }>;

/** A value that is only read, so that a result, such as the plan of a file, can be given back. */
type Given<Value> = Value extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Given<Value[Name]> }
    : Value;

type MethodOf<Operation> =
  Operation extends ListingOperation<infer Input, infer About, infer Item>
    ? (input: Given<z.input<Input>>) => LazyList<About, Item>
    : Operation extends SingleOperation<infer Input, infer Result>
      ? (input: Given<z.input<Input>>) => Promise<Result>
      : never;

/** The operations as functions, by their names. Each throws BursarError, and REQUEST_INVALID for an input of another shape. */
export type Methods = Readonly<{
  [Name in keyof typeof OPERATIONS]: MethodOf<(typeof OPERATIONS)[Name]>;
}>;

/** The operations in one context. */
export const methodsIn = (context: OperationContext): Methods =>
  // oxlint-disable-next-line no-unsafe-type-assertion
  Object.fromEntries(
    Object.entries<AnyOperation>(OPERATIONS).map(
      ([name, operation]) => [name, methodOf(operation, context)] as const,
    ),
  ) as unknown as Methods;

function methodOf(operation: AnyOperation, context: OperationContext) {
  const read = inputReader(operation.input);
  const inputOf = (body: unknown) => read({ params: {}, query: {}, body }) as never;
  if (!isListing(operation)) {
    return async (input: unknown = {}) => operation.run(inputOf(input), context);
  }
  return (input: unknown = {}): LazyList<object, object> => {
    const openIt = async () => openList(operation, inputOf(input), context);
    return {
      open: openIt,
      async *[Symbol.asyncIterator]() {
        yield* (await openIt()).items;
      },
    };
  };
}
