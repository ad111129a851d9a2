import type { AdminAnswer, AdminListEndpoint } from '@bursar/sandbox/admin';
import type { Context } from '../context.ts';
import type { SandboxCalls, SandboxQuery } from './client.ts';

/** Objects on one page. */
const PAGE_SIZE = 1_000;

/** Between two looks at a list that is followed, in milliseconds. */
const LOOK_MS = 500;

/** A list of the admin API, and the field of its answer that holds the items. */
export type SandboxListing<Endpoint extends AdminListEndpoint, Item> = Readonly<{
  endpoint: Endpoint;
  query: SandboxQuery;
  items(answer: AdminAnswer<Endpoint>): readonly Item[];
}>;

/** Reads a list page by page, oldest first, from after the number `after`. */
export async function* walk<Endpoint extends AdminListEndpoint, Item>(
  sandbox: SandboxCalls,
  { endpoint, query, items }: SandboxListing<Endpoint, Item>,
  after = 0,
): AsyncGenerator<Item> {
  for (let next: number | null = after; next !== null; ) {
    const answer: AdminAnswer<Endpoint> = await sandbox.call({
      endpoint,
      query: { ...query, after: next, limit: PAGE_SIZE },
    });
    yield* items(answer);
    next = answer.next;
  }
}

/** The last of a list; no more than twice as many are held in memory. */
export async function latest<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  let held: Item[] = [];
  for await (const item of items) {
    held.push(item);
    if (held.length >= 2 * count) held = held.slice(-count);
  }
  return held.slice(-count);
}

/** What is added to a list, as it comes, until Ctrl-C. */
export async function* follow<
  Endpoint extends AdminListEndpoint,
  Item extends Readonly<{ n: number }>,
>(
  sandbox: SandboxCalls,
  listing: SandboxListing<Endpoint, Item>,
  { after, pause }: Readonly<{ after: number; pause: () => Promise<void> }>,
): AsyncGenerator<Item> {
  let last = after;
  for (;;) {
    for await (const item of walk(sandbox, listing, last)) {
      last = item.n;
      yield item;
    }
    await pause();
  }
}

/** Waits between two looks. Throws at Ctrl-C, which is how a command that follows ends. */
export const lookPause =
  ({ clock, interrupted }: Context) =>
  async (): Promise<void> => {
    await clock.pause(LOOK_MS, interrupted);
    interrupted.throwIfAborted();
  };
