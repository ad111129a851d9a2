import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { guard } from '../src/guard.ts';
import type { TestedService } from '../src/service.ts';
import { runChecks } from '../src/suite.ts';
import { type OwnRuns, startOwnRuns } from './support/own-runs.ts';

let own: OwnRuns;
beforeAll(async () => {
  own = await startOwnRuns(2_000);
});
afterAll(() => own.stop());

/** Records the requests that reach the service. */
function watched(service: TestedService): { service: TestedService; sent: string[] } {
  const sent: string[] = [];
  const send: TestedService['send'] = (operation, request) => {
    sent.push(operation);
    return service.send(operation, request);
  };
  return { service: { ...service, send }, sent };
}

const FORBIDDEN = ['MASS_CREATE', 'WALLET_CREATE', 'WALLET_RENAME', 'WEBHOOK_CREATE'];

describe('a service of other people', () => {
  it('gets no request that could pay or make something, and no sentence is broken for it', async () => {
    const { service, sent } = watched(own.service);
    const run = own.run({
      service: guard(service, { mayMake: false, paymentsMax: 0 }),
      payment: null,
      mayMake: false,
      receiver: null,
      person: null,
    });
    const tried = await runChecks({ run, fast: null, isSlow: false, only: [] });
    expect(tried.filter(({ verdict }) => verdict.kind === 'broken')).toEqual([]);
    expect(sent.filter((operation) => FORBIDDEN.includes(operation))).toEqual([]);
    const needs = tried.map(({ verdict }) => (verdict.kind === 'open' ? verdict.needs : ''));
    expect(needs).toEqual(expect.arrayContaining(['payments', 'objects', 'time']));
  });

  it('gets no request for an operation that it does not have', async () => {
    const service: TestedService = { ...own.service, has: (operation) => operation === 'ACCOUNT' };
    const run = own.run({ service });
    const only = ['account.status', 'opcodes.answer.opCodes'];
    const tried = await runChecks({ run, fast: null, isSlow: false, only });
    expect(tried.map(({ verdict }) => verdict)).toEqual([
      { kind: 'met' },
      { kind: 'open', needs: 'operation', reason: 'the service has no OPCODES' },
    ]);
  });

  it('leaves nothing subscribed behind', async () => {
    const run = own.run();
    await runChecks({
      run,
      fast: null,
      isSlow: false,
      only: ['webhooks.create', 'webhooks.new'],
    });
    const { json } = await own.service.send('WEBHOOK_LIST');
    expect(json).toEqual({ subscriptions: [] });
  });
});

describe('payments', () => {
  const answered = (status: number): TestedService => ({
    has: () => true,
    send: () => Promise.resolve({ status, json: {}, text: '{}' }),
  });

  it('end when as many were accepted as are allowed', async () => {
    const { service, sent } = watched(answered(200));
    const guarded = guard(service, { mayMake: true, paymentsMax: 2 });
    await guarded.send('MASS_CREATE');
    await guarded.send('MASS_CREATE');
    await expect(guarded.send('MASS_CREATE')).rejects.toThrow('2 payments were made');
    expect(sent).toHaveLength(2);
  });

  it.each([
    [400, 5],
    [500, 2],
  ])('with the status %i are counted unless they were surely refused', async (status, expected) => {
    const { service, sent } = watched(answered(status));
    const guarded = guard(service, { mayMake: true, paymentsMax: 2 });
    for (let n = 0; n < 5; n += 1) await guarded.send('MASS_CREATE').catch(() => {});
    expect(sent).toHaveLength(expected);
  });
});
