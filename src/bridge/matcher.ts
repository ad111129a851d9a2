import { setImmediate } from 'node:timers/promises';
import { FUNDING_EVENT_PREFIXES, FUNDING_EVENT_TYPES } from '@bursar/merchant-api/spec';
import type { Route, Routes } from '../store/webhooks/routes.ts';
import type { Spool, SpooledWebhook } from '../store/webhooks/spool.ts';
import { extractIds } from './extract-ids.ts';

/**
 * Time after its receipt in which a webhook may wait for a match.
 * The store gets the id of a mass payout with the answer to its create. The webhook of that
 * mass payout can arrive before the answer.
 */
export const MATCH_WINDOW_MS = 60_000;

/**
 * Ids of unmatched webhooks in memory, at most about 20 MB. A flood of webhooks displaces the
 * oldest.
 */
const UNMATCHED_IDS_MAX = 20_000;

/** Webhooks in one page, at most 25 MiB of bodies. */
const PAGE_ROWS_MAX = 100;

/**
 * Bytes searched for ids before other work may run. A malicious body of this size takes tens of
 * milliseconds.
 */
const SEARCH_SIZE_BYTES = 64 * 1024;

/** Webhooks, sorted by the signals that they lead to. */
export type MatchedWebhooks = Readonly<{
  /** Webhooks that name chunks. */
  matched: readonly Readonly<{ seq: number; routes: readonly Route[] }>[];
  /** Webhooks about money that may have arrived. */
  funding: readonly number[];
  /** Webhooks that lead to no signal. */
  ignored: readonly number[];
}>;

type SearchedWebhook = Readonly<{
  seq: number;
  receivedAtMs: number;
  ids: readonly string[];
  namesFundingEvent: boolean;
  namesAccount: boolean;
}>;

export type MatcherDeps = Readonly<{
  spool: Spool;
  routes: Routes;
  /** The account that batches are paid from. A webhook that names it may be about its money. */
  account?: string;
  unmatchedIdsMax?: number;
}>;

/** Reads waiting webhooks in order and finds the chunks that they name. */
export function createMatcher(deps: MatcherDeps) {
  const { spool, routes, account, unmatchedIdsMax = UNMATCHED_IDS_MAX } = deps;
  let readUpTo = 0;
  let unmatched: readonly SearchedWebhook[] = [];

  /** Sorts webhooks by the ids in the store. Keeps those that may match later for `retry`. */
  async function sort(
    webhooks: readonly SearchedWebhook[],
    nowMs: number,
  ): Promise<MatchedWebhooks> {
    const routesById = await findRoutes(routes, webhooks);
    const matched: { seq: number; routes: Route[] }[] = [];
    const funding: number[] = [];
    const ignored: number[] = [];
    const later: SearchedWebhook[] = [];
    for (const webhook of webhooks) {
      const found = webhook.ids.flatMap((id) => routesById.get(id) ?? []);
      if (found.length > 0) matched.push({ seq: webhook.seq, routes: found });
      else if (webhook.namesFundingEvent) funding.push(webhook.seq);
      else if (mayMatchLater(webhook, nowMs)) later.push(webhook);
      else if (webhook.namesAccount) funding.push(webhook.seq);
      else ignored.push(webhook.seq);
    }
    const { kept, dropped } = newest([...unmatched, ...later], unmatchedIdsMax);
    unmatched = kept;
    return { matched, funding, ignored: [...ignored, ...dropped.map((webhook) => webhook.seq)] };
  }

  return {
    /** Sorts the next page of new webhooks. Returns undefined when there is none. */
    async next(nowMs: number): Promise<MatchedWebhooks | undefined> {
      const page = await spool.next(PAGE_ROWS_MAX, readUpTo);
      const last = page.at(-1);
      if (last === undefined) return undefined;
      const result = await sort(await search(page, account), nowMs);
      readUpTo = last.seq;
      return result;
    },

    /** Sorts the webhooks without a match again. */
    async retry(nowMs: number): Promise<MatchedWebhooks> {
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
): Promise<SearchedWebhook[]> {
  const searched: SearchedWebhook[] = [];
  let sizeBytes = 0;
  for (const { seq, receivedAtMs, body } of page) {
    searched.push({
      seq,
      receivedAtMs,
      ids: extractIds(body),
      namesFundingEvent: namesFundingEvent(body),
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
  webhooks: readonly SearchedWebhook[],
): Promise<ReadonlyMap<string, Route[]>> {
  const known = new Map<string, Route[]>();
  for (const route of await routes.find(webhooks.flatMap((webhook) => webhook.ids))) {
    known.set(route.id, [...(known.get(route.id) ?? []), route]);
  }
  return known;
}

const mayMatchLater = ({ ids, receivedAtMs }: SearchedWebhook, nowMs: number): boolean =>
  ids.length > 0 && nowMs - receivedAtMs < MATCH_WINDOW_MS;

/** Splits off the newest webhooks that together hold at most `idsMax` ids. */
function newest(webhooks: readonly SearchedWebhook[], idsMax: number) {
  let from = webhooks.length;
  let ids = 0;
  while (from > 0) {
    ids += webhooks[from - 1]?.ids.length ?? 0;
    if (ids > idsMax) break;
    from -= 1;
  }
  return { kept: webhooks.slice(from), dropped: webhooks.slice(0, from) };
}

/**
 * Matches an event type about money. Only capitals match, so a field such as `wallet_id` does not.
 */
const FUNDING_EVENT = new RegExp(
  `(?<![A-Z0-9_])(?:(?:${FUNDING_EVENT_PREFIXES.join('|')})[A-Z]|(?:${FUNDING_EVENT_TYPES.join('|')})(?![A-Z0-9_]))`,
);

/** Whether a webhook holds an event type of money that may have arrived. */
const namesFundingEvent = (body: Buffer): boolean => FUNDING_EVENT.test(body.toString('latin1'));

/** Whether a webhook holds the account's id, in upper or lower case. */
const namesAccount = (body: Buffer, account: string | undefined): boolean =>
  account !== undefined &&
  account !== '' &&
  body.toString('latin1').toLowerCase().includes(account.toLowerCase());
