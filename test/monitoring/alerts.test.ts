import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createMetrics } from '../../src/monitoring/metrics.ts';
import { read } from '../architecture/repository.ts';

type Rule = Readonly<{
  alert: string;
  expr: string;
  for: string;
  annotations: Readonly<{ runbook_url: string; summary: string }>;
}>;
type Case = Readonly<{
  input_series: readonly Readonly<{ series: string; values: string }>[];
  alert_rule_test: readonly Readonly<{
    alertname: string;
    eval_time: string;
    exp_alerts?: readonly Readonly<{ exp_annotations: Rule['annotations'] }>[];
  }>[];
}>;

const FOLDER = 'deploy/observability';
const { groups } = parse(read(`${FOLDER}/alerts.yml`)) as { groups: [{ rules: Rule[] }] };
const { rules } = groups[0];
const { tests: cases } = parse(read(`${FOLDER}/alerts.test.yml`)) as { tests: Case[] };
const { panels } = JSON.parse(read(`${FOLDER}/dashboard.json`)) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

/** The names of all metrics of ours, as a scrape shows them. */
async function metricNames(): Promise<Set<string>> {
  const figures = {
    rows: new Map([['PAID', 1]]),
    batches: new Map([['PAYING', 1]]),
    held: 0,
    waitingSinceMs: null,
    inDoubt: 0,
    inDoubtSinceMs: null,
    attention: 0,
    attentionSinceMs: null,
    deliveriesWaiting: 0,
    deliveryWaitingSinceMs: null,
    runsMissed: 0,
  };
  const metrics = createMetrics({
    program: 'worker',
    nowMs: () => 0,
    loopDelayMs: () => 0,
    readFigures: async () => figures,
    readSpool: async () => ({ waiting: 0, oldestWaitingAtMs: null }),
  });
  const types = (await metrics.text()).matchAll(/^# TYPE (bursar_\w+) (\w+)$/gm);
  return new Set(
    [...types].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  );
}

const namesIn = (expr: string): string[] => expr.match(/bursar_\w+/g) ?? [];
const caseOf = (alert: string): Case | undefined =>
  cases.find(({ alert_rule_test: tests }) => tests.some(({ alertname }) => alertname === alert));

describe('the alert rules', () => {
  it('and the panels of the dashboard name metrics that exist', async () => {
    const known = await metricNames();
    const exprs = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(exprs.length).toBeGreaterThan(30);
    for (const expr of exprs) expect(namesIn(expr).length).toBeGreaterThan(0);
    expect(exprs.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
    expect(known.has('bursar_no_such_metric')).toBe(false);
  });

  it('each link to a section of the page of alerts', () => {
    const page = read('docs/alerts.md');
    const anchors = [...page.matchAll(/^## (\w+)$/gm)].map(([, title = '']) => title.toLowerCase());
    const linked = rules.map(({ annotations }) => annotations.runbook_url);
    expect(linked).toEqual(anchors.map((anchor) => `docs/alerts.md#${anchor}`));
  });

  it('each have a case for promtool, whose series are those of the rule', () => {
    for (const { alert, expr } of rules) {
      const series = caseOf(alert)?.input_series.map((one) => one.series) ?? [];
      expect(series.length).toBeGreaterThan(0);
      expect(namesIn(series.join())).toEqual(expect.arrayContaining([...new Set(namesIn(expr))]));
    }
  });

  it('each fire once in their case, and no case names an alert that is no rule', () => {
    const fired = cases.flatMap(({ alert_rule_test: tests }) =>
      tests.flatMap(({ alertname, exp_alerts: expected = [] }) =>
        expected.map(({ exp_annotations }) => [alertname, exp_annotations]),
      ),
    );
    expect(fired).toEqual(rules.map(({ alert, annotations }) => [alert, annotations]));
  });

  // A rule of another form than "largest value above a limit" needs promtool.
  const simple = rules.flatMap(({ alert, expr }) => {
    const [, name, limit] = /^max(?: by \(\w+\) )?\((bursar_\w+)\) > (\d+)$/.exec(expr) ?? [];
    return name === undefined ? [] : [{ alert, name, limit: Number(limit) }];
  });

  it.each(simple)('$alert fires for the series of its case', ({ alert, limit }) => {
    const values = caseOf(alert)?.input_series.map((one) => one.values) ?? [];
    // `8x60`: the value 8, sixty times more.
    const highest = Math.max(...values.map((value) => Number(/^(\d+)x60$/.exec(value)?.[1])));
    expect(highest).toBeGreaterThan(limit);
  });

  it('are mostly of that form', () => {
    expect(simple.length).toBeGreaterThanOrEqual(7);
  });
});
