import { describe, expect, it } from '@jest/globals';
import { createFigureCache } from '../../src/monitoring/figure-cache.ts';
import { createMetrics, type MetricsDeps } from '../../src/monitoring/metrics.ts';
import type { Figures } from '../../src/store/figures/read-figures.ts';

const NOW_MS = 1_800_000_000_000;

const FIGURES: Figures = {
  rows: new Map([['PAID', 12]]),
  batches: new Map([['PAYING', 1]]),
  held: 0,
  waitingSinceMs: NOW_MS - 60_000,
  inDoubt: 2,
  inDoubtSinceMs: NOW_MS - 4_000,
  attention: 0,
  attentionSinceMs: null,
  deliveriesWaiting: 3,
  deliveryWaitingSinceMs: null,
  runsMissed: 1,
};

const metricsOf = (deps: Partial<MetricsDeps> = {}) =>
  createMetrics({ program: 'worker', nowMs: () => NOW_MS, loopDelayMs: () => 20, ...deps });

const lines = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('bursar_'));

describe('the metrics of a program', () => {
  it('show what the store holds, with ages in seconds', async () => {
    const text = await metricsOf({ readFigures: async () => FIGURES }).text();
    expect(lines(text)).toEqual(
      expect.arrayContaining([
        'bursar_rows{outcome="PAID",program="worker"} 12',
        'bursar_batches{state="PAYING",program="worker"} 1',
        'bursar_oldest_wait_seconds{program="worker"} 60',
        'bursar_chunks_in_doubt{program="worker"} 2',
        'bursar_oldest_doubt_seconds{program="worker"} 4',
        'bursar_notifications_waiting{program="worker"} 3',
        'bursar_oldest_notification_seconds{program="worker"} 0',
        'bursar_schedule_runs_missed{program="worker"} 1',
        'bursar_event_loop_delay_seconds{program="worker"} 0.02',
      ]),
    );
  });

  it('show the spool', async () => {
    const readSpool = async () => ({ waiting: 7, oldestWaitingAtMs: NOW_MS - 9_000 });
    const text = await metricsOf({ readSpool }).text();
    expect(lines(text)).toContain('bursar_spool_webhooks{program="worker"} 7');
    expect(lines(text)).toContain('bursar_oldest_webhook_seconds{program="worker"} 9');
  });

  it('count events by their class', async () => {
    const { meters, text } = metricsOf();
    meters.create('ACCEPTED', 300);
    meters.create('AMBIGUOUS', 30_000);
    meters.lookup('found');
    meters.write(4);
    meters.webhook('FORWARDED', 200);
    meters.balance('USDT_TRC20', '12.5');
    expect(lines(await text())).toEqual(
      expect.arrayContaining([
        'bursar_create_seconds_count{program="worker",class="ACCEPTED"} 1',
        'bursar_create_seconds_sum{program="worker",class="AMBIGUOUS"} 30',
        'bursar_lookups_total{result="found",program="worker"} 1',
        'bursar_store_seconds_count{program="worker",operation="write"} 1',
        'bursar_webhook_seconds_count{program="worker",state="FORWARDED"} 1',
        'bursar_account_balance{currency="USDT_TRC20",program="worker"} 12.5',
      ]),
    );
  });

  it('are served, without the old numbers, where the store cannot be read', async () => {
    let fails = false;
    let nowMs = NOW_MS;
    const readFigures = async (): Promise<Figures> => {
      if (fails) throw new Error('canary');
      return FIGURES;
    };
    const { text } = metricsOf({ readFigures, nowMs: () => nowMs });
    expect(await text()).toContain('bursar_rows{');
    fails = true;
    nowMs += 60_000;
    const later = await text();
    expect(later).not.toContain('bursar_rows{');
    expect(later).not.toContain('canary');
    expect(later).toContain('bursar_metrics_failures_total{part="store",program="worker"} 1');
  });

  it('end with those of the SDK', async () => {
    const text = await metricsOf({ readSdk: async () => 'temporal_request_total 4\n' }).text();
    expect(text.endsWith('temporal_request_total 4\n')).toBe(true);
  });

  it('have no label that a service can make grow without bound, nor text of its answers', async () => {
    const { meters, text } = metricsOf();
    meters.balance('canary address 0x1', '1');
    for (let n = 0; n < 300; n += 1) meters.balance(`COIN${n}`, '1');
    const balances = lines(await text()).filter((line) =>
      line.startsWith('bursar_account_balance'),
    );
    expect(balances).toHaveLength(101);
    expect(balances.join()).not.toContain('canary');
  });

  it('have help with each name, and a unit or a count in it', async () => {
    const { meters, text } = metricsOf({ readFigures: async () => FIGURES });
    meters.lookup('found');
    const shown = await text();
    const names = [...shown.matchAll(/^# TYPE (bursar_\w+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(shown).toMatch(new RegExp(`^# HELP ${name} \\w.+\\.$`, 'm'));
  });
});

describe('figures of the store', () => {
  function cacheOf(tookMs: number) {
    let nowMs = 0;
    let reads = 0;
    const read = createFigureCache(
      async () => {
        reads += 1;
        nowMs += tookMs;
        return reads;
      },
      { nowMs: () => nowMs },
    );
    const later = (ms: number): Promise<number> => {
      nowMs += ms;
      return read();
    };
    return { read, later };
  }

  it('are read once for scrapes that come together, and again after ten seconds', async () => {
    const { read, later } = cacheOf(1);
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    expect(await later(9_000)).toBe(1);
    expect(await later(2_000)).toBe(2);
  });

  it('are read less often where a read takes long', async () => {
    const { read, later } = cacheOf(3_000);
    await read();
    expect(await later(59_000)).toBe(1);
    expect(await later(2_000)).toBe(2);
  });
});
