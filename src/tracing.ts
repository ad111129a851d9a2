import type { RecordSpan } from './domain/tracing/span.ts';

export type Tracing = Readonly<{
  /** Takes spans; undefined where traces are off. */
  record?: RecordSpan;
  /** Sends the last spans. */
  close(): Promise<void>;
}>;

type Env = Readonly<Record<string, string | undefined>>;
type Log = Readonly<{ warn(facts: object, message: string): void }>;

/** Variables of OpenTelemetry of which one names the collector. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/**
 * Switches the traces of a program on where a standard variable of OpenTelemetry names a collector. Otherwise nothing of it is
 * loaded.
 */
export async function openTracing(env: Env, program: string, log: Log): Promise<Tracing> {
  const isOff = env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (isOff || ENDPOINTS.every((name) => (env[name] ?? '') === '')) {
    return { close: async () => undefined };
  }
  const { createTracer } = await import('./monitoring/tracer.ts');
  return createTracer({ program, log });
}
