import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures } from '../store/figures/read-figures.ts';
import { createFigureCache } from './figure-cache.ts';

/** Bounds of the times of a create, in seconds: its time-out is 30 s by default. */
const CREATE_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Bounds of the times of a read or a write of the store, in seconds. */
const STORE_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
/** Bounds of the time from a webhook to its signal, in seconds: a pass takes 0.25 s, and Temporal may be down for long. */
const WEBHOOK_SECONDS = [0.25, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200];

/** Currencies that get a label of their own; the service names them. */
const CURRENCIES_MAX = 100;

const MS_PER_SECOND = 1_000;

/** What waits in the spool. */
export type SpoolFigures = Readonly<{ waiting: number; oldestWaitingAtMs: number | null }>;

export type MetricsDeps = Readonly<{
  program: string;
  /** Milliseconds since 1970. */
  nowMs(): number;
  loopDelayMs(): number;
  readFigures?(nowMs: number): Promise<Figures>;
  readSpool?(): Promise<SpoolFigures>;
  /** The metrics of Temporal's SDK, as Prometheus reads them. */
  readSdk?(): Promise<string>;
}>;

export type Metrics = ReturnType<typeof createMetrics>;

/** The functions by which events are counted where they happen. */
export type Meters = Metrics['meters'];

/** The metrics of one program. Each scrape reads facts of the store; `meters` count events. */
export function createMetrics(deps: MetricsDeps) {
  const registry = new Registry();
  registry.setDefaultLabels({ program: deps.program });
  collectDefaultMetrics({ register: registry });
  const gauges = createGauges(registry);
  const { meters, ...events } = createEvents(registry);
  const figures = deps.readFigures && createFigureCache(deps.readFigures, deps);

  return {
    meters,
    contentType: registry.contentType,
    async text(): Promise<string> {
      gauges.set('event_loop_delay_seconds', deps.loopDelayMs() / MS_PER_SECOND);
      if (figures !== undefined) {
        showFigures(gauges, await orNothing(figures(), events.failed('store')), deps.nowMs());
      }
      if (deps.readSpool !== undefined) {
        showSpool(gauges, await orNothing(deps.readSpool(), events.failed('spool')), deps.nowMs());
      }
      const sdk = deps.readSdk && (await orNothing(deps.readSdk(), events.failed('sdk')));
      return `${await registry.metrics()}\n${sdk ?? ''}`;
    },
  };
}

/** Returns undefined, and counts it, where a part of the metrics cannot be read. The rest is served. */
async function orNothing<Result>(
  read: Promise<Result>,
  failed: () => void,
): Promise<Result | undefined> {
  try {
    return await read;
  } catch {
    failed();
    return undefined;
  }
}

/** The gauges, each with its text. Ages are 0 where nothing waits. */
const GAUGES = {
  event_loop_delay_seconds: 'The longest recent time for which the event loop did nothing else.',
  rows: 'Rows of open batches by outcome, as the store has them.',
  batches: 'Batches by end, or by INGESTING, WAITING and PAYING while they are open.',
  batches_held: 'Open batches with a hold.',
  oldest_wait_seconds:
    'Age of the oldest wait of a batch for people, its time or money, or under a hold.',
  chunks_in_doubt: 'Chunks whose create was sent and has no certain end.',
  oldest_doubt_seconds: 'Age of the oldest create without a certain end.',
  chunks_waiting_for_people: 'Chunks that wait for the answer of a person.',
  notifications_waiting: 'Deliveries of notifications that are still to be made.',
  oldest_notification_seconds: 'Age of the oldest notification that is still to be delivered.',
  schedule_runs_missed: 'Runs of schedules that were missed in the last seven days.',
  spool_webhooks: 'Webhooks in the spool that are not handled yet.',
  oldest_webhook_seconds: 'Age of the oldest webhook in the spool that is not handled yet.',
} as const;

const LABELS: Readonly<Partial<Record<keyof typeof GAUGES, string>>> = {
  rows: 'outcome',
  batches: 'state',
};

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const made = new Map<string, Gauge>();
  /** Only gauges that the program sets are shown. */
  const gaugeOf = (name: keyof typeof GAUGES): Gauge => {
    const labelNames = [LABELS[name] ?? []].flat();
    const options = { name: `bursar_${name}`, help: GAUGES[name], labelNames };
    const gauge = made.get(name) ?? new Gauge({ ...options, registers: [registry] });
    made.set(name, gauge);
    return gauge;
  };
  return {
    set: (name: keyof typeof GAUGES, value: number): void => gaugeOf(name).set(value),
    setEach(name: keyof typeof GAUGES, values: ReadonlyMap<string, number>): void {
      const gauge = gaugeOf(name);
      gauge.reset();
      const label = LABELS[name] ?? '';
      for (const [value, count] of values) gauge.set({ [label]: value }, count);
    },
    remove: (names: readonly (keyof typeof GAUGES)[]): void => {
      for (const name of names) gaugeOf(name).reset();
    },
  };
}

const ageOf = (sinceMs: number | null, nowMs: number): number =>
  sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs) / MS_PER_SECOND;

function showFigures(gauges: Gauges, figures: Figures | undefined, nowMs: number): void {
  // Old numbers would look like new ones.
  if (figures === undefined) return gauges.remove(['rows', 'batches']);
  gauges.setEach('rows', figures.rows);
  gauges.setEach('batches', figures.batches);
  gauges.set('batches_held', figures.held);
  gauges.set('oldest_wait_seconds', ageOf(figures.waitingSinceMs, nowMs));
  gauges.set('chunks_in_doubt', figures.inDoubt);
  gauges.set('oldest_doubt_seconds', ageOf(figures.inDoubtSinceMs, nowMs));
  gauges.set('chunks_waiting_for_people', figures.attention);
  gauges.set('notifications_waiting', figures.deliveriesWaiting);
  gauges.set('oldest_notification_seconds', ageOf(figures.deliveryWaitingSinceMs, nowMs));
  gauges.set('schedule_runs_missed', figures.runsMissed);
}

function showSpool(gauges: Gauges, spool: SpoolFigures | undefined, nowMs: number): void {
  if (spool === undefined) return;
  gauges.set('spool_webhooks', spool.waiting);
  gauges.set('oldest_webhook_seconds', ageOf(spool.oldestWaitingAtMs, nowMs));
}

function createEvents(registry: Registry) {
  const registers = [registry];
  const creates = new Histogram({
    name: 'bursar_create_seconds',
    help: 'Times of create requests by their class: ACCEPTED, AMBIGUOUS, REJECTED, THROTTLED, NOT_SENT, VOID.',
    labelNames: ['class'],
    buckets: CREATE_SECONDS,
    registers,
  });
  const lookups = new Counter({
    name: 'bursar_lookups_total',
    help: 'Lookups of keys by their result.',
    labelNames: ['result'],
    registers,
  });
  const store = new Histogram({
    name: 'bursar_store_seconds',
    help: 'Times of reads of the store, and of its writes with their wait for the disk.',
    labelNames: ['operation'],
    buckets: STORE_SECONDS,
    registers,
  });
  const webhooks = new Histogram({
    name: 'bursar_webhook_seconds',
    help: 'Times from the arrival of a webhook to its end in the spool.',
    labelNames: ['state'],
    buckets: WEBHOOK_SECONDS,
    registers,
  });
  const balance = new Gauge({
    name: 'bursar_account_balance',
    help: 'The balance of the account when this worker read it last, rounded as metrics are.',
    labelNames: ['currency'],
    registers,
  });
  const failures = new Counter({
    name: 'bursar_metrics_failures_total',
    help: 'Reads of metrics that failed: of the store, the spool, or the SDK of Temporal.',
    labelNames: ['part'],
    registers,
  });
  const currencies = new Set<string>();
  const labelOf = (currency: string): string => {
    if (!/^[A-Z0-9_]{1,32}$/.test(currency)) return 'OTHER';
    if (currencies.size < CURRENCIES_MAX) currencies.add(currency);
    return currencies.has(currency) ? currency : 'OTHER';
  };
  return {
    failed: (part: string) => (): void => failures.inc({ part }),
    meters: {
      create: (outcome: string, tookMs: number): void =>
        creates.observe({ class: outcome }, tookMs / MS_PER_SECOND),
      lookup: (result: string): void => lookups.inc({ result }),
      read: (tookMs: number): void => store.observe({ operation: 'read' }, tookMs / MS_PER_SECOND),
      write: (tookMs: number): void =>
        store.observe({ operation: 'write' }, tookMs / MS_PER_SECOND),
      webhook: (state: string, tookMs: number): void =>
        webhooks.observe({ state }, tookMs / MS_PER_SECOND),
      /** A metric is a floating-point number: this is for a graph, and never for a decision. */
      balance: (currency: string, amount: string): void =>
        balance.set({ currency: labelOf(currency) }, Number.parseFloat(amount)),
    },
  };
}
