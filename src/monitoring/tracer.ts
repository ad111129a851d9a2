import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { RecordSpan, Span } from '../domain/tracing/span.ts';
import { maskedUrl } from '../domain/text/masked-url.ts';

/** A process that is killed loses the spans of this time, in milliseconds. */
const DELAY_MS = 1_000;
/** Spans that wait for the collector. Further ones are lost. */
const WAITING_MAX = 10_000;
/** How long the last spans may take to leave, in milliseconds. A collector that does not answer must not keep a program. */
const CLOSE_MS_MAX = 2_000;

export type TracerDeps = Readonly<{
  program: string;
  log: Readonly<{ warn(facts: object, message: string): void }>;
  /** Sends spans; by default by OTLP over HTTP, to the place that the standard variables of OpenTelemetry name. */
  exporter?: SpanExporter;
}>;

/** Sends the spans of one program to a collector, in the background and many at a time. */
export function createTracer({ program, log, exporter = new OTLPTraceExporter() }: TracerDeps) {
  const named = resourceFromAttributes({ 'service.name': `bursar-${program}` });
  const resource = named.merge(detectResources({ detectors: [envDetector] }));
  const processor = new BatchSpanProcessor({
    exporter: withFailuresLogged(exporter, log),
    scheduledDelayMillis: DELAY_MS,
    maxQueueSize: WAITING_MAX,
  });
  const record: RecordSpan = (span) => processor.onEnd(readable(span, resource));
  return {
    record,
    /** Sends the last spans. */
    async close(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      const timeOut = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS_MAX);
      });
      await Promise.race([processor.shutdown().catch(() => undefined), timeOut]);
      clearTimeout(timer);
    },
  };
}

/** Logs the first of several failures. Spans that could not be sent are lost; nothing else depends on them. */
function withFailuresLogged(exporter: SpanExporter, log: TracerDeps['log']): SpanExporter {
  let isBroken = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error !== undefined && !isBroken) {
          const reason = maskedUrl(error.message);
          log.warn({ reason }, 'spans of traces could not be sent');
        }
        isBroken = error !== undefined;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** A span in the form of OpenTelemetry. Its ids are derived, so it is made here, and by no tracer of OpenTelemetry. */
function readable(span: Span, resource: Resource): ReadableSpan {
  const { name, traceId, spanId, parentSpanId, startMs, endMs, attributes, failure } = span;
  const context = (id: string) => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
  const code = failure === undefined ? SpanStatusCode.OK : SpanStatusCode.ERROR;
  return {
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => context(spanId),
    ...(parentSpanId !== undefined && { parentSpanContext: context(parentSpanId) }),
    startTime: timeOf(startMs),
    endTime: timeOf(endMs),
    duration: timeOf(Math.max(0, endMs - startMs)),
    status: failure === undefined ? { code } : { code, message: failure },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'bursar' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const MS_PER_SECOND = 1_000;
const NS_PER_MS = 1_000_000;

/** A time as OpenTelemetry has it: whole seconds, and the nanoseconds after them. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / MS_PER_SECOND);
  return [seconds, Math.round((ms - seconds * MS_PER_SECOND) * NS_PER_MS)];
}
