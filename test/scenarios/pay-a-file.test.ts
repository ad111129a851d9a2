import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { traceIdOf } from '../../src/domain/tracing/span.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { readPlainCsv, readReport } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import {
  attributeOf,
  type CollectedSpan,
  type SpanCollector,
  startSpanCollector,
} from '../support/span-collector.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
let collector: SpanCollector;
let folder: string;
/** How its submit ended. */
let paid: Awaited<ReturnType<TestStack['json']>>;

const rows = sampleRows({ rows: 20_000, failEvery: 666 });
const failing = rows.filter((_, i) => i % 666 === 665);

beforeAll(async () => {
  folder = sharedFolder();
  collector = await startSpanCollector();
  stack = await startTestStack({
    folder,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  paid = await stack.json('submit', file, '--id', stack.batchId, '--yes');
});
afterAll(async () => {
  await stack?.stop();
  await collector?.stop();
});

describe('a file of 20,000 rows in two currencies, 30 of which the service will fail', () => {
  it('ends PARTIAL, with exact totals, every failed row named and ready to be sent again', async () => {
    const { code, value } = paid;
    expect(value).toMatchObject({
      schema: 'bursar.batch/v1',
      batchId: stack.batchId,
      workflowId: `batch/${stack.batchId}`,
      state: 'PARTIAL',
      rows: { total: 20_000, paid: 19_970, failed: 30, unknown: 0, notSent: 0, inFlight: 0 },
      chunks: { total: 20 },
    });
    expect(code).toBe(10);
    const { byState } = value['chunks'] as { byState: Record<string, number> };
    expect((byState['COMPLETED'] ?? 0) + (byState['PARTIAL'] ?? 0)).toBe(20);
    expect(byState['PARTIAL']).toBeGreaterThan(0);

    const dir = join(folder, 'runs', stack.batchId);
    await expectExactlyOnce(stack.sandboxUrl, dir, rows);
    const resend = readPlainCsv(join(dir, 'resend.csv')).map(([address, amount, currency]) => ({
      address,
      amount,
      currency,
    }));
    expect(resend).toEqual(failing);
    expect(readPlainCsv(join(dir, 'failed.csv'))).toHaveLength(30);
    expect(existsSync(join(dir, 'investigate.csv'))).toBe(false);
    expect(readReport(dir).digest).toMatch(/^sha256:/);
  });

  it('leaves one trace over worker and bridge, from the plan over a partition and its creates to webhooks', async () => {
    // A program sends its last spans as it stops.
    await stack.stopOne('worker');
    await stack.stopOne('bridge');
    const spans = collector.spans();
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
      new Set([traceIdOf(stack.batchId)]),
    );
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const pathOf = (span: CollectedSpan | undefined): string[] =>
      span === undefined ? [] : [...pathOf(byId.get(span.parentSpanId ?? '')), span.name];
    const pathsOf = (name: string) =>
      new Set(spans.filter((span) => span.name === name).map((span) => pathOf(span).join(' > ')));
    expect(pathsOf('planBatch')).toEqual(new Set(['payoutBatch > planBatch']));
    // A group of chunks has one activity, and a large chunk has its own.
    const [create = '', ...others] = pathsOf('create');
    expect(create).toMatch(/^payoutBatch > payoutPartition > sendChunks? > create$/);
    expect(others).toEqual([]);
    expect(pathsOf('webhook')).toContain(`${create} > webhook`);
    const chunksOf = (name: string) =>
      spans.filter((span) => span.name === name).map((span) => attributeOf(span, 'chunk'));
    expect(chunksOf('create')).toHaveLength(20);
    expect(new Set(chunksOf('create')).size).toBe(20);
    expect(chunksOf('webhook').length).toBeGreaterThan(0);
    for (const span of spans) expect(attributeOf(span, 'batchId')).toBe(stack.batchId);
    const sent = collector.bodies().join();
    expect(rows.filter(({ address }) => sent.includes(address))).toEqual([]);
  });
});
