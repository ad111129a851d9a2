import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { runSinks, traceActivities } from '../../../src/activities/shared/tracing.ts';
import type { Span } from '../../../src/domain/tracing/span.ts';

const OF_PARTITION = {
  workflowExecution: { workflowId: 'batch/payroll/p3', runId: 'r' },
  activityType: 'sendChunks',
};

/** Runs an activity under the interceptor. Returns its spans and its end. */
async function traced(work: () => Promise<unknown>, info: object = OF_PARTITION) {
  const spans: Span[] = [];
  const { inbound } = traceActivities((span) => spans.push(span));
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  const end = await environment
    .run(() => inbound.execute({}, work))
    .catch((error: unknown) => error);
  return { spans, end };
}

describe('an activity of a batch', () => {
  it('has a span, and its result is passed on', async () => {
    const { spans, end } = await traced(async () => 'sent');
    expect(end).toBe('sent');
    expect(spans).toEqual([
      expect.objectContaining({
        name: 'sendChunks',
        attributes: expect.objectContaining({ batchId: 'payroll', partition: 3 }),
      }),
    ]);
    expect(spans[0]).not.toHaveProperty('failure');
  });

  it.each([
    [
      'its code',
      ApplicationFailure.create({ type: 'STORE_BUSY', message: 'canary' }),
      'STORE_BUSY',
    ],
    ['its name', new TypeError('canary'), 'TypeError'],
  ])('that fails shows %s, and not its words', async (_, failure, code) => {
    const { spans, end } = await traced(() => Promise.reject(failure));
    expect(end).toBe(failure);
    expect(spans).toEqual([expect.objectContaining({ failure: code })]);
    expect(JSON.stringify(spans)).not.toContain('canary');
  });
});

it('an activity of no batch has no span', async () => {
  const workflowExecution = { workflowId: 'schedule/rent', runId: 'r' };
  expect((await traced(async () => 1, { workflowExecution })).spans).toEqual([]);
});

describe('the end of a workflow', () => {
  const run = { workflowId: 'batch/a/p0', workflowType: 'payoutPartition', startTime: new Date(5) };

  it.each([
    [null, {}],
    ['PLAN_CHANGED', { failure: 'PLAN_CHANGED' }],
  ])('with the failure %s is a span from its start', (failure, shown) => {
    const spans: Span[] = [];
    runSinks((span) => spans.push(span)).runs.ended.fn(run, failure);
    expect(spans).toEqual([
      expect.objectContaining({ name: 'payoutPartition', startMs: 5, ...shown }),
    ]);
    expect('failure' in (spans[0] ?? {})).toBe(failure !== null);
  });

  it('is recorded once: a replay does not call the sink', () => {
    expect(runSinks(() => {}).runs.ended.callDuringReplay).toBe(false);
  });
});
