import type { z } from 'zod';
import type { Listed, ListingOperation, SingleOperation } from '../app/operation.ts';
import type { Context } from './context.ts';

/** Runs an operation, at the server if one is named. @throws BursarError */
export async function perform<Input extends z.ZodType, Result>(
  operation: SingleOperation<Input, Result>,
  input: z.output<Input>,
  context: Context,
): Promise<Result> {
  const { server } = context;
  if (server === undefined) return operation.run(input, context);
  const { performThere } = await import('./remote.ts');
  return performThere(operation, input, { context, server });
}

/** Runs an operation on a list, which is read while `use` runs. @throws BursarError */
export async function performList<Input extends z.ZodType, About, Item, Used>(
  operation: ListingOperation<Input, About, Item>,
  input: z.output<Input>,
  { context, use }: Readonly<{ context: Context; use(list: Listed<About, Item>): Promise<Used> }>,
): Promise<Used> {
  const { server } = context;
  if (server === undefined) return operation.run(input, context, use);
  const { performListThere } = await import('./remote.ts');
  return performListThere(operation, input, { context, server, use });
}
