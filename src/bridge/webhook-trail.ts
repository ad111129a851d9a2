import { codeText } from '../domain/errors/code-text.ts';
import {
  createSpanId,
  type RecordSpan,
  traceIdOf,
  webhookSpanId,
  workflowSpanId,
} from '../domain/tracing/span.ts';
import { partitionWorkflowId } from '../contract/names.ts';
import type { Attempt } from '../domain/sending/send-record.ts';
import type { Route } from '../store/webhooks/routes.ts';
import { type Log, reasonOf } from './log.ts';
import type { MatchedWebhooks } from './matcher.ts';
import type { EndedWebhook } from './measured-spool.ts';

/** Webhooks that are remembered from their match to their end, the newest ones. */
const MATCHED_MAX = 10_000;
/** Chunks that the trail of one webhook names. Anybody can send a webhook that names many. */
const CHUNKS_MAX = 10;

/** The create that a webhook is about; its `traceId` is that of the service's answer, where that had one. */
export type LastAttempt = Readonly<{ n: Attempt['n']; traceId?: string }>;

export type WebhookTrailDeps = Readonly<{
  /** Reads the last attempt of a chunk; undefined: there is none yet. */
  lastAttempt(route: Route): Promise<LastAttempt | undefined>;
  log: Log;
  /** Takes the spans of traces; undefined where they are off. */
  record: RecordSpan | undefined;
}>;

export type WebhookTrail = ReturnType<typeof createWebhookTrail>;

/** Logs the end of each webhook with its batch and chunk, and records a span of it. It never fails, and holds no webhook up. */
export function createWebhookTrail({ lastAttempt, log, record }: WebhookTrailDeps) {
  const routesOf = new Map<number, readonly Route[]>();
  let underWay: Promise<void> = Promise.resolve();

  async function show(webhook: EndedWebhook, route: Route): Promise<void> {
    const { batchId, chunk } = route;
    const last = await lastAttempt(route);
    const traceId = last?.traceId === undefined ? {} : { traceId: codeText(last.traceId) };
    const facts = { batchId, chunk, ...traceId };
    log.debug({ ...facts, state: webhook.state }, 'a webhook was handled');
    record?.({
      name: 'webhook',
      traceId: traceIdOf(batchId),
      spanId: webhookSpanId(route, webhook.seq),
      parentSpanId:
        last === undefined
          ? workflowSpanId(partitionWorkflowId(batchId, route.partition))
          : createSpanId(route, last.n),
      startMs: webhook.receivedAtMs,
      endMs: webhook.endedAtMs,
      attributes: { ...facts, state: webhook.state },
    });
  }

  async function showAll(webhook: EndedWebhook, routes: readonly Route[]): Promise<void> {
    try {
      for (const route of routes) await show(webhook, route);
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'the trail of a webhook could not be read');
    }
  }

  return {
    /** Remembers the chunks of webhooks until their ends. */
    matched(webhooks: MatchedWebhooks['matched']): void {
      for (const { seq, routes } of webhooks) {
        const [oldest] = routesOf.keys();
        if (oldest !== undefined && routesOf.size >= MATCHED_MAX) routesOf.delete(oldest);
        const byChunk = new Map(routes.map((route) => [`${route.batchId}/${route.chunk}`, route]));
        routesOf.set(seq, [...byChunk.values()].slice(0, CHUNKS_MAX));
      }
    },

    ended(webhook: EndedWebhook): void {
      const routes = routesOf.get(webhook.seq);
      if (routes === undefined) return;
      routesOf.delete(webhook.seq);
      underWay = underWay.then(() => showAll(webhook, routes));
    },

    /** Waits for what has ended so far. */
    close: (): Promise<void> => underWay,
  };
}
