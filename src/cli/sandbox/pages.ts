import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Sandbox } from './client.ts';

/** Objects on one page. */
const PAGE_SIZE = 1_000;

/** Between two looks at a list that is followed, in milliseconds. */
const LOOK_MS = 500;

export type Page<Item> = Readonly<{ items: readonly Item[]; next: number | null }>;

/** The form of a page whose objects stand in the field `name`. */
export const pageOf = <Item>(name: string, item: z.ZodType<Item>): z.ZodType<Page<Item>> =>
  z
    .record(z.string(), z.unknown())
    .transform((answer) => ({ items: answer[name], next: answer['next'] }))
    .pipe(z.object({ items: z.array(item), next: z.int().nullable() }));

/** A list of the admin API. */
export type Listing<Item> = Readonly<{
  path: string;
  query: Readonly<Record<string, string | number | undefined>>;
  page: z.ZodType<Page<Item>>;
}>;

/** Reads a list page by page, oldest first, from after the number `after`. */
export async function* walk<Item>(
  sandbox: Pick<Sandbox, 'ask'>,
  { path, query, page }: Listing<Item>,
  after = 0,
): AsyncGenerator<Item> {
  for (let next: number | null = after; next !== null; ) {
    const read: Page<Item> = await sandbox.ask({
      path,
      query: { ...query, after: next, limit: PAGE_SIZE },
      answer: page,
    });
    yield* read.items;
    next = read.next;
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
export async function* follow<Item extends Readonly<{ n: number }>>(
  sandbox: Pick<Sandbox, 'ask'>,
  listing: Listing<Item>,
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
