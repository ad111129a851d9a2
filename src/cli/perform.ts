import type { z } from 'zod';
import type { Listed, ListingOperation, SingleOperation } from '../app/operation.ts';
import type { Context } from './context.ts';

/** Runs an operation. @throws BursarError */
export const perform = <Input extends z.ZodType, Result>(
  operation: SingleOperation<Input, Result>,
  input: z.output<Input>,
  context: Context,
): Promise<Result> => operation.run(input, context);

/** Runs an operation on a list, which is read while `use` runs. @throws BursarError */
export const performList = <Input extends z.ZodType, About, Item, Used>(
  operation: ListingOperation<Input, About, Item>,
  input: z.output<Input>,
  { context, use }: Readonly<{ context: Context; use(list: Listed<About, Item>): Promise<Used> }>,
): Promise<Used> => operation.run(input, context, use);
