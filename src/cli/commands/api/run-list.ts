import { ask } from '../../../operations/service/ask.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Answer, MerchantClient, Page, WalkOptions } from '@bursar/merchant-api';
import type { Context } from '../../context.ts';
import type { Service } from '../../../operations/context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { type ListOutput, printList } from '../../print/output.ts';
import { callService } from '../../../operations/service/call-service.ts';
import { tellingMore } from '../../../operations/service/call-failures.ts';
import { withApi } from './run.ts';

/** A list of the service that is read page by page. */
export type ApiList<Filter, Item> = Readonly<{
  filter: Filter & Readonly<{ pageNumber?: number }>;
  /** Whether every page is walked. */
  all: boolean | undefined;
  readPage: (api: MerchantClient, filter: Filter) => Promise<Answer<Page<Item>>>;
  eachItem: (api: MerchantClient, filter: Filter, walk: WalkOptions) => AsyncIterable<Item>;
  output: Omit<ListOutput<Item>, 'about'>;
}>;

/** Prints one page of a list, or all of it. Throws FLAG_INVALID. */
export async function runList<Filter, Item extends object>(
  list: ApiList<Filter, Item>,
  context: Context,
): Promise<number> {
  if (list.all && list.filter.pageNumber !== undefined) {
    throw flagInvalid('--all', 'walks every page, so name none');
  }
  return withApi(context, async (service) => {
    if (list.all) await printAll(service, list, context);
    else await printPage(service, list, context);
    return EXIT.done;
  });
}

async function printPage<Filter, Item extends object>(
  service: Service,
  { filter, readPage, output }: ApiList<Filter, Item>,
  context: Context,
): Promise<void> {
  const page = await ask(service, { call: (api) => readPage(api, filter) });
  const { result, ...about } = page;
  await printList(context, result, { ...output, about });
  if (context.format === 'text') context.say(pageText(page, output.name));
}

function pageText({ page, total, totalElements }: Page<object>, name: string): string {
  if (totalElements === 0) return `There are no such ${name}.`;
  const more = total > 1 ? ' --page chooses another page, --all reads every one.' : '';
  return `Page ${page} of ${total}; ${name} in all: ${totalElements}.${more}`;
}

async function printAll<Filter, Item extends object>(
  service: Service,
  { filter, eachItem, output }: ApiList<Filter, Item>,
  context: Context,
): Promise<void> {
  const { interrupted, format } = context;
  const print = async (items: AsyncIterable<Item>): Promise<number> => {
    // One object holds the list or the error, never half of the list: it is printed when all of it is there.
    const whole = format === 'json' ? await gather(items) : items;
    return printList(context, whole, { ...output, about: {} });
  };
  const count = await callService(service, (api) =>
    tellingMore(print(eachItem(api, filter, { signal: interrupted })), {}).catch((error) => {
      interrupted.throwIfAborted();
      throw error;
    }),
  );
  if (format === 'text') context.say(allText(count, output.name));
}

const allText = (count: number, name: string): string =>
  count === 0 ? `There are no such ${name}.` : `Number of ${name}: ${count}.`;

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const whole: Item[] = [];
  for await (const item of items) whole.push(item);
  return whole;
}
