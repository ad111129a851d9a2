import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SANDBOX_PAYMENT } from '../src/own-sandbox.ts';
import type { InterfaceUser } from '../src/interface-user.ts';
import { startReceiver } from '../src/receiver.ts';
import { createCheckRun } from '../src/run.ts';
import type { ServiceAnswer, TestedService } from '../src/service.ts';
import { CHECKS, runChecks } from '../src/suite.ts';
import { MUTANTS } from './support/mutants.ts';
import { RECORD_MUTANTS } from './support/record-mutants.ts';
import { SLOW_WEBHOOK_MUTANTS, WEBHOOK_MUTANTS } from './support/webhook-mutants.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver({ port: 0, publicUrl: null });
});
afterAll(() => receiver.close());

const nothing = (): Promise<void> => Promise.resolve();

/** A person who does nothing. */
const IDLE: InterfaceUser = {
  demandConfirmations: nothing,
  confirm: nothing,
  decline: nothing,
  resend: nothing,
  unblock: nothing,
  announce: nothing,
};

/** A service that gives every request the same answer. */
const answering = (status: number, json: object): TestedService => ({
  has: () => true,
  send: (): Promise<ServiceAnswer> =>
    Promise.resolve({ status, json: structuredClone(json), text: JSON.stringify(json) }),
});

/** The checks that a service breaks. */
async function brokenBy(service: TestedService): Promise<ReadonlySet<string>> {
  const run = createCheckRun({
    service,
    account: `0x${'1'.repeat(40)}`,
    payment: SANDBOX_PAYMENT,
    mayMake: true,
    receiver,
    person: IDLE,
    patienceMs: 100,
    // So fast that even the whole schedule of retries is over before patience ends.
    speed: 10_000_000,
  });
  const tried = await runChecks({ run, fast: null, isSlow: false, only: [] });
  return new Set(
    tried.filter(({ verdict }) => verdict.kind === 'broken').map(({ check }) => check.id),
  );
}

/** These checks describe a choice of the service: the specification allows any answer. */
const CHOICES = [
  'auth.sign.upper-case',
  'errors.codes',
  'errors.statuses',
  'lookup.answer',
  'lookup.by.both',
  'mass-create.repeated-key',
  'mass-create.required',
  'wallets.rename.answer',
  'webhooks.create.answer',
];

/** Checks that the tests of wrong services prove to be broken by one wrong thing. */
const BROKEN_BY_MUTANTS = [
  ...[...MUTANTS, ...RECORD_MUTANTS].flatMap(([_words, _only, _spoil, broken]) => broken),
  ...[...WEBHOOK_MUTANTS, ...SLOW_WEBHOOK_MUTANTS].flatMap(({ broken }) => broken),
];

describe('a check', () => {
  it('can fail: a wrong service breaks each that describes no choice', async () => {
    const refusal = { traceId: 't', errorCode: 'NO', message: 'No.' };
    const odd = { state: 'LOST', data: 7, errors: 7, subscriptions: [7], opCodes: [7] };
    const broken = new Set([
      ...BROKEN_BY_MUTANTS,
      ...(await brokenBy(answering(200, {}))),
      ...(await brokenBy(answering(200, odd))),
      ...(await brokenBy(answering(400, refusal))),
      ...(await brokenBy(answering(500, {}))),
    ]);
    const unbroken = CHECKS.map(({ id }) => id).filter((id) => !broken.has(id));
    expect(unbroken.toSorted()).toEqual(CHOICES);
  });

  it('names a mutant only for ids that exist', () => {
    const known = CHECKS.map(({ id }) => id);
    expect(BROKEN_BY_MUTANTS.filter((id) => !known.includes(id))).toEqual([]);
  });

  it('counts as broken when no answer comes, and the others go on', async () => {
    const dead: TestedService = {
      has: () => true,
      send: () => Promise.reject(new Error('no answer')),
    };
    const broken = await brokenBy(dead);
    expect(broken.size).toBe(CHECKS.length);
  });
});
