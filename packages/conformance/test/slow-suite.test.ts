import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Pace } from '../src/pace.ts';
import type { TestedService } from '../src/service.ts';
import { type OwnRuns, outcomeOf, startOwnRuns } from './support/own-runs.ts';

let own: OwnRuns;
beforeAll(async () => {
  own = await startOwnRuns(10_000);
});
afterAll(() => own.stop());

/** Checks that wait for something, or compare times. */
const TIMED = ['moves', 'mass-get', 'payout', 'envelope.timestamp', 'webhooks'];

it('a run with no patience leaves open what it does not wait for, and breaks nothing', async () => {
  const { broken, open } = await outcomeOf(own.run({ patienceMs: 20 }), TIMED);
  expect(broken).toEqual([]);
  expect(open['moves.completed.state']).toContain('see --patience');
}, 120_000);

it('a run whose answers come late breaks nothing', async () => {
  const service: TestedService = {
    ...own.service,
    async send(operation, request) {
      await pause(400);
      const answer = await own.service.send(operation, request);
      await pause(400);
      return answer;
    },
  };
  const only = ['moves.execution-date', 'moves.completed', 'webhooks.blocking', 'webhooks.errors'];
  const { broken } = await outcomeOf(own.run({ service }), only);
  expect(broken).toEqual([]);
}, 120_000);

it('a timestamp that has grown old on its way is open', async () => {
  const service: TestedService = {
    ...own.service,
    async send(operation, request) {
      const answer = await own.service.send(operation, request);
      return { ...answer, dateMs: Date.now() + 60_000 };
    },
  };
  const refusing: TestedService = {
    ...service,
    send: (operation, request) =>
      service.send(operation, {
        ...request,
        ...(typeof request?.timestamp === 'number' ? { timestamp: 0 } : {}),
      }),
  };
  const only = ['envelope.timestamp.past-within'];
  const { broken, open } = await outcomeOf(own.run({ service: refusing }), only);
  expect(broken).toEqual([]);
  expect(open['envelope.timestamp.past-within']).toContain('another place of the window');
});

it('an interval that a slow machine measured is open', async () => {
  const pace: Pace = { latenessSince: () => 3_000, stop: () => {} };
  // The run assumes that time passes 15 times faster, but it passes 30 times faster.
  const { broken, open } = await outcomeOf(own.run({ pace, speed: 15 }), ['webhooks.retries']);
  expect(broken).toEqual([]);
  expect(open['webhooks.retries.first']).toBe('this machine was too slow: 3000 ms late');
}, 60_000);
