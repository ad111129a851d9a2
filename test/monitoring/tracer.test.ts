import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { createTracer } from '../../src/monitoring/tracer.ts';

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

/** A collector that answers every request with one status. */
async function startCollector(status: number) {
  const got: { path: string | undefined; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    got.push({ path: request.url, body: JSON.parse(Buffer.concat(parts).toString('utf8')) });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    got,
    exporter: new OTLPTraceExporter({ url: `http://127.0.0.1:${port}/v1/traces` }),
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a tracer', () => {
  it('sends spans by OTLP with their derived ids, and names the program', async () => {
    const { got, exporter, stop } = await startCollector(200);
    const tracer = createTracer({ program: 'worker', log: silent, exporter });
    tracer.record(SPAN);
    tracer.record({ ...SPAN, spanId: '00000000000000aa', failure: 'REJECTED' });
    await tracer.close();
    await stop();
    const [{ body } = { body: undefined }] = got;
    const { resourceSpans } = body as {
      resourceSpans: [
        { resource: { attributes: unknown[] }; scopeSpans: [{ spans: Record<string, unknown>[] }] },
      ];
    };
    const [{ resource, scopeSpans }] = resourceSpans;
    expect(resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'bursar-worker' },
    });
    const [first, second] = scopeSpans[0].spans;
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
    const { got, exporter, stop } = await startCollector(400);
    const logged: unknown[] = [];
    const log = {
      warn: (facts: object, message: string) => void logged.push({ message, ...facts }),
    };
    const tracer = createTracer({ program: 'worker', log, exporter });
    for (let at = 0; at < 600; at += 1) tracer.record(SPAN);
    await tracer.close();
    await stop();
    expect(got.length).toBeGreaterThan(1);
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
