import { describe, expect, it, jest } from '@jest/globals';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { createTracer } from '../../src/monitoring/tracer.ts';
import { startSpanCollector } from '../support/span-collector.ts';

const SPAN = {
  name: 'create',
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  parentSpanId: 'fedcba9876543210',
  startMs: 1_800_000_000_250,
  endMs: 1_800_000_001_500,
  attributes: { batchId: 'payroll', chunk: 7 },
};

const silent = { warn: () => {} };

/** A collector, and the exporter that sends to it. */
async function collectorAnswering(status: number) {
  const collector = await startSpanCollector(status);
  const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
  return { ...collector, exporter };
}

describe('a tracer', () => {
  it('sends spans by OTLP with their derived ids, and names the program', async () => {
    const { bodies, spans, exporter, stop } = await collectorAnswering(200);
    const tracer = createTracer({ program: 'worker', log: silent, exporter });
    tracer.record(SPAN);
    tracer.record({ ...SPAN, spanId: '00000000000000aa', failure: 'REJECTED' });
    await tracer.close();
    await stop();
    expect(bodies().join()).toContain(
      '{"key":"service.name","value":{"stringValue":"bursar-worker"}}',
    );
    const [first, second] = spans();
    expect(first).toMatchObject({
      traceId: SPAN.traceId,
      spanId: SPAN.spanId,
      parentSpanId: SPAN.parentSpanId,
      startTimeUnixNano: '1800000000250000000',
      endTimeUnixNano: '1800000001500000000',
      attributes: [
        { key: 'batchId', value: { stringValue: 'payroll' } },
        { key: 'chunk', value: { intValue: 7 } },
      ],
      status: { code: 1 },
    });
    expect(second).toMatchObject({ status: { code: 2, message: 'REJECTED' } });
  });

  it('logs once that a collector refuses spans, and goes on', async () => {
    const { bodies, exporter, stop } = await collectorAnswering(400);
    const logged: unknown[] = [];
    const log = {
      warn: (facts: object, message: string) => void logged.push({ message, ...facts }),
    };
    const tracer = createTracer({ program: 'worker', log, exporter });
    for (let at = 0; at < 600; at += 1) tracer.record(SPAN);
    await tracer.close();
    await stop();
    expect(bodies().length).toBeGreaterThan(1);
    expect(logged).toEqual([
      { message: 'spans of traces could not be sent', reason: expect.any(String) },
    ]);
  });

  it('that is closed does not wait for a collector that never answers', async () => {
    const asked: number[] = [];
    const exporter: SpanExporter = {
      export: (spans) => void asked.push(spans.length),
      shutdown: () => new Promise<void>(() => {}),
    };
    const tracer = createTracer({ program: 'worker', log: silent, exporter });
    tracer.record(SPAN);
    jest.useFakeTimers();
    const closed = tracer.close();
    await jest.advanceTimersByTimeAsync(2_000);
    jest.useRealTimers();
    await closed;
    expect(asked).toEqual([1]);
  });
});
