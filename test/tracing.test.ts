import { expect, it } from '@jest/globals';
import { openTracing } from '../src/tracing.ts';

const silent = { warn: () => {} };
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };

it.each([
  ['no variable', {}, false],
  ['an empty variable', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  ['a collector', ENDPOINT, true],
  ['a collector of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/x' }, true],
  ['OpenTelemetry switched off', { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }, false],
  ['traces switched off', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, false],
])('with %s, that spans are recorded is %s', async (_, env, isOn) => {
  const { record, close } = await openTracing(env, 'worker', silent);
  await close();
  expect(record !== undefined).toBe(isOn);
});
