import { text } from 'node:stream/consumers';
import { serveLocally } from './local-server.ts';

/** A span as OTLP has it in JSON. */
export type CollectedSpan = Readonly<{
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: readonly Readonly<{
    key: string;
    value: Readonly<{ stringValue?: string; intValue?: number }>;
  }>[];
}>;

type Exported = Readonly<{
  resourceSpans: readonly Readonly<{
    scopeSpans: readonly Readonly<{ spans: readonly CollectedSpan[] }>[];
  }>[];
}>;

export type SpanCollector = Awaited<ReturnType<typeof startSpanCollector>>;

/** A collector of traces, as OpenTelemetry has them, that keeps all that it is sent and answers with one status. */
export async function startSpanCollector(status = 200) {
  const bodies: string[] = [];
  const { url, stop } = await serveLocally(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    url,
    /** Everything that was sent, byte for byte. */
    bodies: (): readonly string[] => bodies,
    spans: (): CollectedSpan[] =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Exported).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    stop,
  };
}

/** An attribute of a span; undefined where it has none of that name. */
export function attributeOf(span: CollectedSpan, name: string): string | number | undefined {
  const { value } = span.attributes.find(({ key }) => key === name) ?? {};
  return value?.stringValue ?? value?.intValue;
}
