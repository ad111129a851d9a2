import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  activitySpan,
  createSpanId,
  failureCode,
  partOfBatch,
  traceIdOf,
  webhookSpanId,
  workflowSpan,
  workflowSpanId,
} from '../../../src/domain/tracing/span.ts';

const TIMES = { startMs: 1, endMs: 2 };
const ACTIVITY = { runId: 'r', activityId: '7', attempt: 1, activityType: 'sendChunks' };

describe('the trace of a batch', () => {
  it('has an id that a person finds by a hash of the id of the batch', () => {
    const sha256 = createHash('sha256').update('payroll').digest('hex');
    expect(traceIdOf('payroll')).toBe(sha256.slice(0, 32));
    expect(traceIdOf('bonus')).not.toBe(traceIdOf('payroll'));
  });

  it.each([
    ['batch/payroll', { batchId: 'payroll' }],
    ['batch/payroll/p12', { batchId: 'payroll', partition: 12, parentWorkflowId: 'batch/payroll' }],
    ['batch/payroll/aftercare', { batchId: 'payroll', parentWorkflowId: 'batch/payroll' }],
    ['schedule/rent', undefined],
    ['housekeeping/q', undefined],
  ])('the workflow %s is a part of %o', (workflowId, part) => {
    expect(partOfBatch(workflowId)).toEqual(part);
  });

  it('leads from the batch to a partition, and from there to its activities', () => {
    const batch = workflowSpan({ workflowId: 'batch/a', workflowType: 'payoutBatch' }, TIMES);
    const partition = workflowSpan(
      { workflowId: 'batch/a/p0', workflowType: 'payoutPartition' },
      TIMES,
    );
    const activity = activitySpan({ ...ACTIVITY, workflowId: 'batch/a/p0' }, TIMES);
    expect(batch?.parentSpanId).toBeUndefined();
    expect(partition?.parentSpanId).toBe(batch?.spanId);
    expect(activity?.parentSpanId).toBe(partition?.spanId);
    expect(new Set([batch, partition, activity].map((span) => span?.traceId)).size).toBe(1);
    expect(activity?.attributes).toEqual({
      batchId: 'a',
      workflowId: 'batch/a/p0',
      partition: 0,
      attempt: 1,
    });
  });

  it('has a span for each try of an activity, each create and each webhook', () => {
    const ids = [
      activitySpan({ ...ACTIVITY, workflowId: 'batch/a' }, TIMES)?.spanId,
      activitySpan({ ...ACTIVITY, workflowId: 'batch/a', attempt: 2 }, TIMES)?.spanId,
      activitySpan({ ...ACTIVITY, workflowId: 'batch/a/p0' }, TIMES)?.spanId,
      workflowSpanId('batch/a'),
      createSpanId({ batchId: 'a', chunk: 1 }, 1),
      createSpanId({ batchId: 'a', chunk: 1 }, 2),
      createSpanId({ batchId: 'a', chunk: 2 }, 1),
      webhookSpanId({ batchId: 'a', chunk: 1 }, 1),
      webhookSpanId({ batchId: 'a', chunk: 1 }, 2),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('has no span of work that belongs to no batch', () => {
    const run = { workflowId: 'schedule/rent', workflowType: 'scheduledBatch' };
    expect(workflowSpan(run, TIMES)).toBeUndefined();
    expect(activitySpan({ ...ACTIVITY, workflowId: 'schedule/rent' }, TIMES)).toBeUndefined();
  });
});

it.each([
  [
    'the type of an application failure',
    { name: 'ApplicationFailure', type: 'STORE_BUSY' },
    'STORE_BUSY',
  ],
  [
    'its name where it has no type',
    { name: 'ApplicationFailure', type: null },
    'ApplicationFailure',
  ],
  [
    'the name of another error, whatever its type',
    { name: 'FetchError', type: 'words' },
    'FetchError',
  ],
])('the code of a failure is %s', (_, shape, code) => {
  expect(failureCode(Object.assign(new Error('canary'), shape))).toBe(code);
});

it('the code of what is no error is the same for all', () => {
  expect(failureCode('canary')).toBe('Error');
});
