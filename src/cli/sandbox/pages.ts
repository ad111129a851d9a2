import type { AdminAnswer, AdminEndpoint, AdminListEndpoint } from '@bursar/sandbox/admin';
import type { ListView } from '../command-table/printout.ts';
import type { Context } from '../context.ts';
import type { SandboxClient } from './client.ts';

/** Objects on one page. */
const PAGE_SIZE = 1_000;

/** Between two reads of a list that is followed, in milliseconds. */
const FOLLOW_PAUSE_MS = 500;

/** The endpoints whose answer has a list of such items under such a name. */
export type EndpointWith<Name extends string, Item> = {
  [Endpoint in AdminEndpoint]: AdminAnswer<Endpoint> extends Readonly<Record<Name, readonly Item[]>>
    ? Endpoint
    : never;
}[AdminEndpoint];

/** A list of a sandbox: its endpoint, and its view. The name of the view is the field of the answer. */
export type SandboxView<Name extends string, Item> = ListView<Item> &
  Readonly<{ name: Name; endpoint: EndpointWith<Name, Item> }>;

/** A list that the sandbox returns page by page. */
export type SandboxPages<Name extends string, Item> = ListView<Item> &
  Readonly<{ name: Name; endpoint: EndpointWith<Name, Item> & AdminListEndpoint }>;

/** The items of an answer. The type of a view lets its endpoint answer with a list under its name. */
export const itemsOf = <Name extends string, Item>(
  answer: object,
  { name }: SandboxView<Name, Item>,
): readonly Item[] => (answer as Readonly<Record<Name, readonly Item[]>>)[name];

/** A list, and the fields that limit it. */
export type SandboxListing<Name extends string, Item> = Readonly<{
  view: SandboxPages<Name, Item>;
  query: object;
}>;

/** Reads a list page by page, oldest first, from after the number `after`. */
async function* walk<Name extends string, Item>(
  sandbox: SandboxClient,
  { view, query }: SandboxListing<Name, Item>,
  after = 0,
): AsyncGenerator<Item> {
  const endpoint: AdminListEndpoint = view.endpoint;
  for (let next: number | null = after; next !== null; ) {
    const input: object = { ...query, after: next, limit: PAGE_SIZE };
    const page: AdminAnswer<AdminListEndpoint> = await sandbox.call(endpoint, input);
    yield* itemsOf(page, view);
    next = page.next;
  }
}

/** The last items of a list; without a limit each item comes as it is read. */
export async function* tailOf<Name extends string, Item>(
  sandbox: SandboxClient,
  listing: SandboxListing<Name, Item>,
  count: number,
): AsyncGenerator<Item> {
  const items = walk(sandbox, listing);
  if (count === Number.POSITIVE_INFINITY) yield* items;
  else yield* await latest(items, count);
}

/** The last of a list; no more than twice as many are held in memory. */
async function latest<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  let held: Item[] = [];
  for await (const item of items) {
    held.push(item);
    if (held.length >= 2 * count) held = held.slice(-count);
  }
  return held.slice(-count);
}

/** The last items of a list, and then those that come, until Ctrl-C. */
export async function* followFrom<Name extends string, Item extends Readonly<{ n: number }>>(
  sandbox: SandboxClient,
  listing: SandboxListing<Name, Item>,
  { count, pause }: Readonly<{ count: number; pause: () => Promise<void> }>,
): AsyncGenerator<Item> {
  let last = 0;
  let items = tailOf(sandbox, listing, count);
  for (;;) {
    for await (const item of items) {
      last = item.n;
      yield item;
    }
    await pause();
    items = walk(sandbox, listing, last);
  }
}

/** Waits between two reads. Throws at Ctrl-C, which is how a command that follows ends. */
export const followPause =
  ({ clock, interrupted }: Context) =>
  async (): Promise<void> => {
    await clock.pause(FOLLOW_PAUSE_MS, interrupted);
    interrupted.throwIfAborted();
  };
