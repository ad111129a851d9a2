import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReadTrial } from '@bursar/merchant-api';
import { createReadableEndsCheck } from '../../../src/activities/service/readable-ends.ts';
import type { Store } from '../../../src/store/index.ts';
import { fakeService } from '../../support/fake-service.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BASE_URL = 'https://pay.example';
const trial = (name: 'id' | 'idempotencyKey', more: Partial<ReadTrial>): ReadTrial => ({
  operation: 'MASS_GET',
  name,
  verdict: 'unclear',
  hasAnswer: true,
  answer: 'status 400 INVALID',
  ...more,
});

let store: Store;
let rounds: number;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  rounds = 0;
});
afterEach(() => store.close());

/** The check of a worker whose service answers so. */
const checkOf = (
  trials: readonly ReadTrial[],
  { isStated = false, lookupName = BASE_URL } = {},
): (() => Promise<void>) =>
  createReadableEndsCheck({
    store,
    service: { ...fakeService({}), account: ACCOUNT, baseUrl: BASE_URL, lookupName },
    isStated,
    tryReads: () => {
      rounds += 1;
      return Promise.resolve(trials);
    },
  });

const NONE = [trial('id', { verdict: 'not-understood' }), trial('idempotencyKey', {})];
const KEY = [trial('id', {}), trial('idempotencyKey', { verdict: 'understood' })];

describe('before the first create of an account', () => {
  it('a batch is refused where no read is understood, and again the next time', async () => {
    const check = checkOf(NONE);
    const refusal = {
      code: 'ENDS_UNREADABLE',
      facts: { reads: 'MASS_GET by id, MASS_GET by idempotencyKey' },
    };
    await expect(check()).rejects.toMatchObject(refusal);
    await expect(check()).rejects.toMatchObject(refusal);
    expect(rounds).toBe(2);
  });

  it('a batch passes where one read is understood, and the worker does not try again', async () => {
    const check = checkOf(KEY);
    await check();
    await check();
    expect(rounds).toBe(1);
  });

  it('a read without an answer refuses nothing: the activity is tried again', async () => {
    const unanswered = trial('id', { hasAnswer: false, answer: 'no answer: ECONNREFUSED' });
    await expect(checkOf([unanswered, trial('idempotencyKey', {})])()).rejects.toMatchObject({
      code: 'SERVICE_UNREACHABLE',
    });
  });

  it('a person who has set how MASS_GET is called is believed', async () => {
    await checkOf(NONE, { isStated: true })();
    expect(rounds).toBe(0);
  });
});

describe('after a lookup of the account has found a mass payout', () => {
  beforeEach(() =>
    store.lookupVerification.noteAnswer(ACCOUNT, BASE_URL, {
      operation: 'LOOKUP',
      hasFound: true,
      atMs: 1,
    }),
  );

  it('nothing is tried', async () => {
    await checkOf(NONE)();
    expect(rounds).toBe(0);
  });

  it('reads are tried again once they are called in another way', async () => {
    const check = checkOf(NONE, { lookupName: `${BASE_URL} massGetAccepts=flat` });
    await expect(check()).rejects.toMatchObject({ code: 'ENDS_UNREADABLE' });
  });
});
