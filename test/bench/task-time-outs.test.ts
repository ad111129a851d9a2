import { expect, it } from '@jest/globals';
import { tasksOf } from '../../bench/many/task-time-outs.ts';

it('workflow tasks that a worker took in vain are counted apart from those that waited too long for their worker', () => {
  const timedOut = (timeoutType: 1 | 2) => ({
    workflowTaskTimedOutEventAttributes: { timeoutType },
  });
  const completed = { workflowTaskCompletedEventAttributes: {} };
  const scheduled = { workflowTaskScheduledEventAttributes: {} };
  const events = [scheduled, timedOut(1), scheduled, timedOut(2), timedOut(2), completed];
  expect(tasksOf(events)).toEqual({ completed: 1, timedOut: 1, leftWorker: 2 });
});
