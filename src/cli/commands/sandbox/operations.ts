import type { AdminAnswer, AdminEndpoint } from '@bursar/sandbox/admin';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import {
  type FieldParts,
  type Given,
  operation,
  type OperationCommand,
} from '../../command-table/operation-command.ts';
import { list, type Printout } from '../../command-table/printout.ts';
import { sandboxUrl } from '../../sandbox/address.ts';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.ts';
import {
  type EndpointWith,
  itemsOf,
  type SandboxPages,
  type SandboxView,
  tailOf,
} from '../../sandbox/pages.ts';

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

/** A command that makes one request and prints the record that comes back. By default the fields are the input. */
export type RecordRequest<
  Shape extends z.ZodRawShape,
  Endpoint extends AdminEndpoint,
> = FieldParts<Shape> &
  Readonly<{
    endpoint: Endpoint;
    input?(given: Given<Shape>): object;
    schema: string;
    text(record: AdminAnswer<Endpoint>, context: Context): string;
  }>;

export const sandboxRecord = <Shape extends z.ZodRawShape, Endpoint extends AdminEndpoint>({
  endpoint,
  input = (given) => given,
  schema,
  text,
  ...definition
}: RecordRequest<Shape, Endpoint>): OperationCommand =>
  sandboxOperation({
    ...definition,
    async run(given, sandbox, context) {
      const record = await sandbox.call(endpoint, input(given));
      return { schema, record, text: text(record, context) };
    },
  });

/** A command that makes one request and prints the list that comes back. A change has an endpoint of its own. */
export type ListRequest<
  Shape extends z.ZodRawShape,
  Name extends string,
  Item,
> = FieldParts<Shape> &
  Readonly<{
    view: SandboxView<Name, Item>;
    endpoint?: EndpointWith<Name, Item>;
    input?(given: Given<Shape>): object;
  }>;

export const sandboxList = <Shape extends z.ZodRawShape, Name extends string, Item extends object>({
  view,
  endpoint = view.endpoint,
  input = (given) => given,
  ...definition
}: ListRequest<Shape, Name, Item>): OperationCommand =>
  sandboxOperation({
    ...definition,
    async run(given, sandbox) {
      return list(view, itemsOf(await sandbox.call(endpoint, input(given)), view));
    },
  });

/** The items of a long list that are printed without `--tail`. */
export const TAIL_DEFAULT = 50;

/** How many of the last items of a list are printed. */
type Tail = Readonly<{ tail?: number | undefined }>;

/** The last items of a long list. The other fields limit the list. */
export const tailList = <Name extends string, Item extends object, Query extends Tail>(
  sandbox: SandboxClient,
  view: SandboxPages<Name, Item>,
  { tail = TAIL_DEFAULT, ...query }: Query,
) => list(view, tailOf(sandbox, { view, query }, tail));

/** A list without an end cannot be one JSON object. Throws FLAG_INVALID. */
export function refuseEndlessJson({ format }: Context): void {
  if (format === 'json') throw flagInvalid('-o json', 'this has no end; take -o jsonl');
}
