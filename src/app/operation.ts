import type { z } from 'zod';
import type { Role } from '../domain/access/role.ts';
import type { OperationContext } from '../operations/context.ts';

type HttpMethod = 'GET' | 'POST' | 'DELETE';

/** Where HTTP has an operation. A `:name` in the path is the field of that name. */
type HttpPlace = `${HttpMethod} /v1/${string}`;

type OperationParts<Input extends z.ZodType> = Readonly<{
  /** Its name in the library and in the OpenAPI document. */
  name: string;
  summary: string;
  role: Role;
  http: HttpPlace;
  input: Input;
}>;

/** An operation with one result: the JSON that the command line prints. */
export type SingleOperation<Input extends z.ZodType, Result> = OperationParts<Input> &
  Readonly<{
    result: z.ZodType<Result>;
    /** @throws BursarError */
    run(input: z.output<Input>, context: OperationContext): Promise<Result>;
  }>;

/** The names of a list in JSON: of the object, of its array, and of an item on a line of its own. */
export type ListNames = Readonly<{ schema: string; array: string; lineSchema: string }>;

/** A list of any length, with the fields of the object around it. */
export type Listed<About, Item> = Readonly<{
  about: About;
  items: AsyncIterable<Item> | Iterable<Item>;
}>;

/** An operation whose result is a list. It is read while `use` runs, a part at a time. */
export type ListingOperation<Input extends z.ZodType, About, Item> = OperationParts<Input> &
  Readonly<{
    names: ListNames;
    about: z.ZodType<About>;
    item: z.ZodType<Item>;
    /** @throws BursarError */
    run<Used>(
      input: z.output<Input>,
      context: OperationContext,
      use: (list: Listed<About, Item>) => Promise<Used>,
    ): Promise<Used>;
  }>;

/** Gives an operation the types of its schemas. */
export const operation = <Input extends z.ZodType, Result>(
  parts: SingleOperation<Input, Result>,
): SingleOperation<Input, Result> => parts;

/** Gives an operation on a list the types of its schemas. */
export const listOperation = <Input extends z.ZodType, About, Item>(
  parts: ListingOperation<Input, About, Item>,
): ListingOperation<Input, About, Item> => parts;

/** An operation of any kind, for code that serves all of them. */
export type AnyOperation = OperationParts<z.ZodType> &
  Readonly<
    | {
        result: z.ZodType;
        run(input: never, context: OperationContext): Promise<object>;
      }
    | {
        names: ListNames;
        about: z.ZodType;
        item: z.ZodType;
        run<Used>(
          input: never,
          context: OperationContext,
          use: (list: Listed<object, object>) => Promise<Used>,
        ): Promise<Used>;
      }
  >;

/** Whether an operation returns a list. */
export const isListing = (
  one: AnyOperation,
): one is Extract<AnyOperation, Readonly<{ names: ListNames }>> => 'names' in one;
