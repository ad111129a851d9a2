import { setImmediate } from 'node:timers/promises';
import type { Route, Routes } from '../store/webhooks/routes.ts';
import type { Spool, SpooledWebhook } from '../store/webhooks/spool.ts';
import { extractIds } from './extract-ids.ts';
import { namesAccount, tellsOfMoney } from './funds-news.ts';

/**
 * How long a webhook may wait for an id of it to be known, from its receipt.
 * A key is stored before anything is sent, but the id of a mass payout only with the answer to its create, and the
 * webhook can be faster than that answer.
 */
export const MATCH_WINDOW_MS = 60_000;

/** Ids of webhooks without a match that are kept in memory, about 20 MB at worst; a flood of them pushes out the oldest. */
const UNMATCHED_IDS_MAX = 20_000;

/** Webhooks read at once, at most 25 MiB of bodies. */
const PAGE_ROWS_MAX = 100;

/** Bytes searched for ids before others get their turn; an evil body of this size takes some tens of milliseconds. */
const SEARCH_SIZE_BYTES = 64 * 1024;

/** Whose webhooks they are: of chunks (`matched`), of whoever waits for money (`news`), or of nobody (`ignored`). */
export type Matched = Readonly<{
  matched: readonly Readonly<{ seq: number; routes: readonly Route[] }>[];
  news: readonly number[];
  ignored: readonly number[];
}>;

type Searched = Readonly<{
  seq: number;
  receivedAtMs: number;
  ids: readonly string[];
  tellsOfMoney: boolean;
  namesAccount: boolean;
}>;

export type MatcherDeps = Readonly<{
  spool: Pick<Spool, 'next'>;
  routes: Pick<Routes, 'find'>;
  /** The account that batches are paid from; a webhook that names it may tell of money. */
  account?: string;
  unmatchedIdsMax?: number;
}>;

/** Reads waiting webhooks one after the other and finds the chunks that they name. */
export function createMatcher(deps: MatcherDeps) {
  const { spool, routes, account, unmatchedIdsMax = UNMATCHED_IDS_MAX } = deps;
  let readUpTo = 0;
  let unmatched: readonly Searched[] = [];

  /** Sorts webhooks by what the store knows now, and keeps those in mind that may be known later. */
  async function sort(webhooks: readonly Searched[], nowMs: number): Promise<Matched> {
    const known = await findRoutes(routes, webhooks);
    const matched: { seq: number; routes: Route[] }[] = [];
    const news: number[] = [];
    const ignored: number[] = [];
    const later: Searched[] = [];
    for (const webhook of webhooks) {
      const found = webhook.ids.flatMap((id) => known.get(id) ?? []);
      if (found.length > 0) matched.push({ seq: webhook.seq, routes: found });
      else if (webhook.tellsOfMoney) news.push(webhook.seq);
      else if (mayBeKnownLater(webhook, nowMs)) later.push(webhook);
      else if (webhook.namesAccount) news.push(webhook.seq);
      else ignored.push(webhook.seq);
    }
    const { kept, dropped } = newest([...unmatched, ...later], unmatchedIdsMax);
    unmatched = kept;
    return { matched, news, ignored: [...ignored, ...dropped.map((webhook) => webhook.seq)] };
  }

  return {
    /** Goes on with the webhooks that were not looked at yet; undefined when there are none. */
    async next(nowMs: number): Promise<Matched | undefined> {
      const page = await spool.next(PAGE_ROWS_MAX, readUpTo);
      const last = page.at(-1);
      if (last === undefined) return undefined;
      const result = await sort(await search(page, account), nowMs);
      readUpTo = last.seq;
      return result;
    },

    /** Looks again at those that had no match. */
    async retry(nowMs: number): Promise<Matched> {
      const again = unmatched;
      unmatched = [];
      try {
        return await sort(again, nowMs);
      } catch (error) {
        unmatched = again;
        throw error;
      }
    },
  };
}

async function search(
  page: readonly SpooledWebhook[],
  account: string | undefined,
): Promise<Searched[]> {
  const searched: Searched[] = [];
  let sizeBytes = 0;
  for (const { seq, receivedAtMs, body } of page) {
    searched.push({
      seq,
      receivedAtMs,
      ids: extractIds(body),
      tellsOfMoney: tellsOfMoney(body),
      namesAccount: namesAccount(body, account),
    });
    sizeBytes += body.length;
    if (sizeBytes < SEARCH_SIZE_BYTES) continue;
    sizeBytes = 0;
    await setImmediate();
  }
  return searched;
}

async function findRoutes(
  routes: MatcherDeps['routes'],
  webhooks: readonly Searched[],
): Promise<ReadonlyMap<string, Route[]>> {
  const known = new Map<string, Route[]>();
  for (const route of await routes.find(webhooks.flatMap((webhook) => webhook.ids))) {
    known.set(route.id, [...(known.get(route.id) ?? []), route]);
  }
  return known;
}

const mayBeKnownLater = ({ ids, receivedAtMs }: Searched, nowMs: number): boolean =>
  ids.length > 0 && nowMs - receivedAtMs < MATCH_WINDOW_MS;

/** Keeps the newest webhooks, as many as have no more ids than this together. */
function newest(webhooks: readonly Searched[], idsMax: number) {
  let from = webhooks.length;
  let ids = 0;
  while (from > 0) {
    ids += webhooks[from - 1]?.ids.length ?? 0;
    if (ids > idsMax) break;
    from -= 1;
  }
  return { kept: webhooks.slice(from), dropped: webhooks.slice(0, from) };
}
