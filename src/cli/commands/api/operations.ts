import type { Answer, MerchantClient, Page, WalkOptions } from '@bursar/merchant-api';
import type { z } from 'zod';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { loadSettings } from '../../../operations/batch/sources.ts';
import type { ServiceAccess } from '../../../operations/context.ts';
import { withService } from '../../../operations/service/preflight.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import {
  type FieldParts,
  type Given,
  operation,
  type OperationCommand,
} from '../../operation-table/operation.ts';
import { list, type ListView, type Printout, render } from '../../operation-table/printout.ts';
import { callService } from '../../../operations/service/call-service.ts';
import { tellingMore } from '../../../operations/service/call-failures.ts';
import { pageFields, walkField } from './fields.ts';
import { ask } from '../../../operations/service/ask.ts';

/** Opens the service that the settings name, and closes it. */
export async function withApi<Result>(
  context: Context,
  use: (service: ServiceAccess) => Promise<Result>,
): Promise<Result> {
  return withService(await loadSettings(context), context, use);
}

/** An operation whose answer is printed as one record. */
export type RecordOperation<Shape extends z.ZodRawShape, Value> = FieldParts<Shape> &
  Readonly<{
    schema: string;
    call(api: MerchantClient, given: Given<Shape>, context: Context): Promise<Answer<Value>>;
    /** The object of an operation on one thing. It is read before the service is opened. */
    lookedFor?(given: Given<Shape>): string;
    /** The command that shows the result of a call which must not simply be made again. */
    look?: string;
    text(value: Value, context: Context): string;
  }>;

/** A command that makes one signed call and prints the record that it returns. */
export const apiRecord = <Shape extends z.ZodRawShape, Value extends object>({
  schema,
  call,
  lookedFor,
  look,
  text,
  ...definition
}: RecordOperation<Shape, Value>): OperationCommand =>
  operation({
    ...definition,
    async run(given, context) {
      const meaning = { lookedFor: lookedFor?.(given), look };
      const asked = { call: (api: MerchantClient) => call(api, given, context), ...meaning };
      const record = await withApi(context, (service) => ask(service, asked));
      return { schema, record, text: text(record, context) };
    },
  });

/** The filter of a list, and the page that is wanted of it. */
type Filter<Shape extends z.ZodRawShape> = Given<Shape> & Given<typeof pageFields>;

/** A list of the service that is read page by page. Its filter also has the fields of a page. */
export type ListOperation<Shape extends z.ZodRawShape, Item> = FieldParts<Shape> &
  Readonly<{
    view: ListView<Item>;
    readPage(api: MerchantClient, filter: Filter<Shape>): Promise<Answer<Page<Item>>>;
    eachItem(api: MerchantClient, filter: Filter<Shape>, walk: WalkOptions): AsyncIterable<Item>;
  }>;

/** A command that prints one page of a list, or with `--all` every page. */
export const apiList = <Shape extends z.ZodRawShape, Item extends object>({
  fields,
  view,
  readPage,
  eachItem,
  ...definition
}: ListOperation<Shape, Item>): OperationCommand =>
  operation<z.ZodRawShape>({
    ...definition,
    fields: { ...fields, ...pageFields, ...walkField },
    async run({ all, ...given }, context) {
      const filter = given as Filter<Shape>;
      if (all !== true) return printPage((api) => readPage(api, filter), view, context);
      if (filter.pageNumber !== undefined) {
        throw flagInvalid('--all', 'walks every page, so name none');
      }
      const walk = { signal: context.interrupted };
      return printAll((api) => eachItem(api, filter, walk), view, context);
    },
  });

async function printPage<Item extends object>(
  call: (api: MerchantClient) => Promise<Answer<Page<Item>>>,
  view: ListView<Item>,
  context: Context,
): Promise<Printout> {
  const page = await withApi(context, (service) => ask(service, { call }));
  const { result, ...about } = page;
  return list(view, result, { about, closing: () => pageText(page, view.array) });
}

function pageText({ page, total, totalElements }: Page<object>, name: string): string {
  if (totalElements === 0) return `There are no such ${name}.`;
  const more = total > 1 ? ' --page chooses another page, --all reads every one.' : '';
  return `Page ${page} of ${total}; ${name} in all: ${totalElements}.${more}`;
}

/** Prints the items as they come, so the service stays open until the last one. */
async function printAll<Item extends object>(
  items: (api: MerchantClient) => AsyncIterable<Item>,
  view: ListView<Item>,
  context: Context,
): Promise<number> {
  const closing = (count: number) =>
    count === 0 ? `There are no such ${view.array}.` : `Number of ${view.array}: ${count}.`;
  const print = (api: MerchantClient) =>
    tellingMore(render(list(view, items(api), { closing }), context), {}).catch((error) => {
      context.interrupted.throwIfAborted();
      throw error;
    });
  await withApi(context, (service) => callService(service, print));
  return EXIT.done;
}
