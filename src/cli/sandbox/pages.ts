import type { AdminAnswer, AdminListEndpoint } from '@bursar/sandbox/admin';
import {
  list,
  type ListPrintout,
  type ListView,
  type OperationColumn,
} from '../operation-table/printout.ts';
import type { Context } from '../context.ts';
import type { SandboxClient } from './client.ts';
import { FOLLOW_PAUSE_MS, pause } from './pause.ts';

/** Objects on one page. */
const PAGE_SIZE = 1_000;

/** The items of a long list that are printed without `--tail`. */
export const TAIL_DEFAULT = 50;

type SandboxPage<Item> = Readonly<{ items: readonly Item[]; next: number | null }>;

/** A list that the sandbox returns page by page. */
export type SandboxPages<Item> = ListView<Item> &
  Readonly<{ readPage(sandbox: SandboxClient, query: object): Promise<SandboxPage<Item>> }>;

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** A list that an endpoint returns page by page. The field `name` of each answer has the items. */
export const sandboxPages = <
  Endpoint extends AdminListEndpoint,
  Name extends string & keyof AdminAnswer<Endpoint>,
  Item = ItemOf<AdminAnswer<Endpoint>[Name]>,
>(
  endpoint: Endpoint,
  name: Name,
  view: Readonly<{
    schema: string;
    lineSchema: string;
    columns: readonly OperationColumn<Item>[];
  }>,
): SandboxPages<Item> => ({
  ...view,
  array: name,
  async readPage(sandbox, query) {
    const answer = await sandbox.call(endpoint, query);
    return { items: answer[name] as readonly Item[], next: answer.next };
  },
});

/** A list of one sandbox, and the fields that limit it. */
export type Listing<Item> = Readonly<{
  sandbox: SandboxClient;
  view: SandboxPages<Item>;
  query: object;
}>;

/** Reads a list page by page, oldest first, from after the number `after`. */
async function* walk<Item>(
  { sandbox, view, query }: Listing<Item>,
  after = 0,
): AsyncGenerator<Item> {
  for (let next: number | null = after; next !== null; ) {
    const asked = { ...query, after: next, limit: PAGE_SIZE };
    const page: SandboxPage<Item> = await view.readPage(sandbox, asked);
    yield* page.items;
    next = page.next;
  }
}

/** The last items of a list. At most twice as many are in memory. Without a limit each item comes as it is read. */
async function* tailOf<Item>(listing: Listing<Item>, count: number): AsyncGenerator<Item> {
  if (count === Number.POSITIVE_INFINITY) return yield* walk(listing);
  let held: Item[] = [];
  for await (const item of walk(listing)) {
    held.push(item);
    if (held.length >= 2 * count) held = held.slice(-count);
  }
  yield* held.slice(-count);
}

/** The last items of a list, and then those that come, until Ctrl-C. */
export async function* followFrom<Item extends Readonly<{ n: number }>>(
  listing: Listing<Item>,
  count: number,
  context: Context,
): AsyncGenerator<Item> {
  let last = 0;
  let items = tailOf(listing, count);
  for (;;) {
    for await (const item of items) {
      last = item.n;
      yield item;
    }
    await pause(FOLLOW_PAUSE_MS, context);
    items = walk(listing, last);
  }
}

/** How many of the last items of a list are printed. The other fields limit the list. */
type TailQuery = Readonly<{ tail?: number | undefined }>;

/** Prints the last items of a list. */
export const tailList = <Item extends object, Query extends TailQuery>(
  sandbox: SandboxClient,
  view: SandboxPages<Item>,
  { tail = TAIL_DEFAULT, ...query }: Query,
): ListPrintout<object> => list(view, tailOf({ sandbox, view, query }, tail));
