import type { AdminAnswer, AdminEndpoint, AdminListEndpoint } from '@bursar/sandbox/admin';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import {
  type FieldParts,
  type Given,
  operation,
  type OperationCommand,
} from '../../command-table/operation-command.ts';
import { list, type ListView, type Printout } from '../../command-table/printout.ts';
import { sandboxUrl } from '../../sandbox/address.ts';
import {
  createSandboxClient,
  type SandboxClient,
  type SandboxRequest,
} from '../../sandbox/client.ts';
import { latest, type SandboxListing, walk } from '../../sandbox/pages.ts';

/** A command that controls a sandbox. `--url` of the group, or else the settings, name the sandbox. */
export type SandboxOperation<Shape extends z.ZodRawShape> = FieldParts<Shape> &
  Readonly<{
    run(given: Given<Shape>, sandbox: SandboxClient, context: Context): Promise<Printout>;
  }>;

/** The option of the group, which stands before or after the command. */
const urlField = { url: z.string().optional() };

export const sandboxOperation = <Shape extends z.ZodRawShape>({
  fields,
  run,
  ...definition
}: SandboxOperation<Shape>): OperationCommand =>
  operation<z.ZodRawShape>({
    ...definition,
    fields: { ...fields, ...urlField },
    async run({ url, ...given }, context) {
      const address = await sandboxUrl(url as string | undefined, context);
      const { interrupted } = context;
      const sandbox = createSandboxClient({ url: address, interrupted });
      return run(given as Given<Shape>, sandbox, context);
    },
  });

/** A command that makes one request and prints the record that comes back. */
export type RecordRequest<
  Shape extends z.ZodRawShape,
  Endpoint extends AdminEndpoint,
> = FieldParts<Shape> &
  Readonly<{
    schema: string;
    request(given: Given<Shape>): SandboxRequest<Endpoint>;
    text(record: AdminAnswer<Endpoint>, context: Context): string;
  }>;

export const sandboxRecord = <Shape extends z.ZodRawShape, Endpoint extends AdminEndpoint>({
  schema,
  request,
  text,
  ...definition
}: RecordRequest<Shape, Endpoint>): OperationCommand =>
  sandboxOperation({
    ...definition,
    async run(given, sandbox, context) {
      const record = await sandbox.call(request(given));
      return { schema, record, text: text(record, context) };
    },
  });

/** A command that makes one request and prints the list that comes back. */
export type ListRequest<
  Shape extends z.ZodRawShape,
  Endpoint extends AdminEndpoint,
  Item,
> = FieldParts<Shape> &
  Readonly<{
    view: ListView<Item>;
    request(given: Given<Shape>): SandboxRequest<Endpoint>;
    items(answer: AdminAnswer<Endpoint>): readonly Item[];
  }>;

export const sandboxList = <
  Shape extends z.ZodRawShape,
  Endpoint extends AdminEndpoint,
  Item extends object,
>({
  view,
  request,
  items,
  ...definition
}: ListRequest<Shape, Endpoint, Item>): OperationCommand =>
  sandboxOperation({
    ...definition,
    async run(given, sandbox) {
      return list(view, items(await sandbox.call(request(given))));
    },
  });

/** The items of a long list that are printed without `--tail`. */
export const TAIL_DEFAULT = 50;

/** The last items of a list of the sandbox; with no limit each item comes as it is read. */
export async function* tailOf<Endpoint extends AdminListEndpoint, Item>(
  sandbox: SandboxClient,
  listing: SandboxListing<Endpoint, Item>,
  count: number = TAIL_DEFAULT,
): AsyncGenerator<Item> {
  const items = walk(sandbox, listing);
  if (count === Number.POSITIVE_INFINITY) yield* items;
  else yield* await latest(items, count);
}

/** A list without an end cannot be one JSON object. Throws FLAG_INVALID. */
export function refuseEndlessJson({ format }: Context): void {
  if (format === 'json') throw flagInvalid('-o json', 'this has no end; take -o jsonl');
}
