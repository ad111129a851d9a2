import { expect, it } from '@jest/globals';
import { countsOf } from '../../bench/spread/count-by-worker.ts';

it('what each worker did for a batch is counted by the identities in its histories', () => {
  const completed = (identity: string, result?: object) => ({
    activityTaskCompletedEventAttributes: {
      identity,
      ...(result && { result: { payloads: [{ data: Buffer.from(JSON.stringify(result)) }] } }),
    },
  });
  const sent = (created: number[]) => ({ created, steps: [], failed: [] });
  const events = [
    { workflowExecutionStartedEventAttributes: {} },
    completed('first'),
    completed('second', sent([1, 2, 3])),
    completed('first', { kind: 'planned', chunks: 9 }),
    completed('second', sent([])),
    completed('first', sent([4])),
  ];
  expect(countsOf(events)).toEqual([
    { activities: 3, chunks: 1 },
    { activities: 2, chunks: 3 },
  ]);
});
