import type { AdminAnswer, AdminEndpoint } from '@bursar/sandbox/admin';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import {
  type FieldParts,
  type Given,
  operation,
  type OperationCommand,
} from '../../operation-table/operation.ts';
import type { Printout } from '../../operation-table/printout.ts';
import { sandboxUrl } from '../../sandbox/address.ts';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.ts';

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

/** A command that makes one request, whose input are its fields, and prints the record that comes back. */
export type RecordRequest<
  Shape extends z.ZodRawShape,
  Endpoint extends AdminEndpoint,
> = FieldParts<Shape> &
  Readonly<{
    endpoint: Endpoint;
    schema: string;
    text(record: AdminAnswer<Endpoint>, context: Context): string;
  }>;

export const sandboxRecord = <Shape extends z.ZodRawShape, Endpoint extends AdminEndpoint>({
  endpoint,
  schema,
  text,
  ...definition
}: RecordRequest<Shape, Endpoint>): OperationCommand =>
  sandboxOperation({
    ...definition,
    async run(given, sandbox, context) {
      const record = await sandbox.call(endpoint, given);
      return { schema, record, text: text(record, context) };
    },
  });

/** A list without an end cannot be one JSON object. Throws FLAG_INVALID. */
export function refuseEndlessJson({ format }: Context): void {
  if (format === 'json') throw flagInvalid('-o json', 'this has no end; take -o jsonl');
}
