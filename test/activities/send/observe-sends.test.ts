import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { observeSends, type SendObserver } from '../../../src/activities/send/observe-sends.ts';
import { activitySpanId, type Span, traceIdOf } from '../../../src/domain/tracing/span.ts';

const CHUNK = { batchId: 'payroll', chunk: 7 };
const CREATE = { n: 2, startedMs: 1_000, tookMs: 20 };
/** A service may put any text where a code is to stand. */
const ADDRESS = 'TQrY8tryqsYVCYS3MFbtffiPp2ccyn4STm';

/** Calls an observer within an activity. Returns its log lines, spans and counts. */
async function observed(use: (observer: SendObserver) => void) {
  const lines: unknown[] = [];
  const spans: Span[] = [];
  const counts: unknown[] = [];
  const logger = new DefaultLogger('DEBUG', ({ level, message, meta }) => {
    const { chunk, n, outcome, result, httpStatus, errorCode, traceId } = meta ?? {};
    const codes = { httpStatus, errorCode, traceId };
    // The SDK logs the activity itself.
    if (chunk === undefined) return;
    // Without the fields that are undefined.
    lines.push(JSON.parse(JSON.stringify({ level, message, chunk, n, outcome, result, ...codes })));
  });
  const environment = new MockActivityEnvironment(undefined, { logger });
  const observer = observeSends({
    meter: {
      create: (...count) => counts.push(count),
      lookup: (...count) => counts.push(count),
    },
    record: (span) => spans.push(span),
  });
  await environment.run(async () => use(observer));
  const { info } = environment.context;
  return { lines, spans, counts, info };
}

describe('a create', () => {
  it('that is refused is a warning with the traceId of the service', async () => {
    const { lines } = await observed(({ create }) =>
      create(CHUNK, {
        ...CREATE,
        outcome: 'REJECTED',
        httpStatus: 400,
        errorCode: 'BAD_REQUEST',
        traceId: 'b7c1',
      }),
    );
    expect(lines).toEqual([
      {
        level: 'WARN',
        message: 'a create was not accepted',
        chunk: 7,
        n: 2,
        outcome: 'REJECTED',
        httpStatus: 400,
        errorCode: 'BAD_REQUEST',
        traceId: 'b7c1',
      },
    ]);
  });

  it('that is accepted is a line for debugging only, and is counted', async () => {
    const { lines, counts } = await observed(({ create }) =>
      create(CHUNK, { ...CREATE, outcome: 'ACCEPTED', httpStatus: 200 }),
    );
    expect(lines).toEqual([expect.objectContaining({ level: 'DEBUG', chunk: 7 })]);
    expect(counts).toEqual([['ACCEPTED', 20]]);
  });

  it('has a span below that of its activity, with batch, chunk and traceId', async () => {
    const { spans, info } = await observed(({ create }) =>
      create(CHUNK, { ...CREATE, outcome: 'AMBIGUOUS', httpStatus: 502, traceId: 'b7c1' }),
    );
    const { workflowExecution = { workflowId: '', runId: '' } } = info;
    expect(spans).toEqual([
      expect.objectContaining({
        name: 'create',
        traceId: traceIdOf('payroll'),
        parentSpanId: activitySpanId({ ...info, ...workflowExecution }),
        startMs: 1_000,
        endMs: 1_020,
        failure: 'AMBIGUOUS',
        attributes: {
          batchId: 'payroll',
          chunk: 7,
          n: 2,
          outcome: 'AMBIGUOUS',
          httpStatus: 502,
          traceId: 'b7c1',
        },
      }),
    ]);
  });

  it('shows no text that the service puts where a code is to stand', async () => {
    const { lines, spans } = await observed(({ create }) =>
      create(CHUNK, { ...CREATE, outcome: 'REJECTED', errorCode: ADDRESS, traceId: ADDRESS }),
    );
    expect(lines).toEqual([
      expect.objectContaining({ errorCode: 'withheld', traceId: 'withheld' }),
    ]);
    expect(JSON.stringify(spans)).not.toContain(ADDRESS);
  });
});

describe('a lookup', () => {
  it('that fails is a warning with the traceId of the service', async () => {
    const { lines, counts } = await observed(({ lookup }) =>
      lookup(CHUNK, { result: 'failed', traceId: 'b7c1' }),
    );
    expect(lines).toEqual([
      { level: 'WARN', message: 'a lookup failed', chunk: 7, result: 'failed', traceId: 'b7c1' },
    ]);
    expect(counts).toEqual([['failed']]);
  });

  it.each(['found', 'missed', 'unavailable'] as const)(
    'that is %s is a line for debugging only',
    async (result) => {
      const { lines } = await observed(({ lookup }) => lookup(CHUNK, { result }));
      expect(lines).toEqual([{ level: 'DEBUG', message: 'a key was looked up', chunk: 7, result }]);
    },
  );
});
