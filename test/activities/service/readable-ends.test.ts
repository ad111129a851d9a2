import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { KnownPayout, ReadTrial } from '@bursar/merchant-api';
import { createReadableEndsCheck } from '../../../src/activities/service/readable-ends.ts';
import type { Store } from '../../../src/store/index.ts';
import { fakeService } from '../../support/fake-service.ts';
import { REFUSED_MS_MAX } from '../../../src/domain/settling/payout-times.ts';
import { ACCOUNT, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BASE_URL = 'https://pay.example';
const trial = (name: 'id' | 'idempotencyKey', more: Partial<ReadTrial>): ReadTrial => ({
  operation: 'MASS_GET',
  name,
  verdict: 'unclear',
  hasAnswer: true,
  hasFound: false,
  answer: 'status 400 INVALID',
  ...more,
});

let store: Store;
let rounds: number;
let known: (KnownPayout | undefined)[];
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  rounds = 0;
  known = [];
});
afterEach(() => store.close());

/** `inForms`: what the trials of a form of MASS_GET show that the settings do not have. */
type CheckChoices = Readonly<{
  isStated?: boolean;
  lookupName?: string;
  inForms?: Readonly<Record<string, readonly ReadTrial[]>>;
}>;

/** The check of a worker whose service answers so. */
const checkOf = (
  trials: readonly ReadTrial[],
  { isStated = false, lookupName = BASE_URL, inForms = {} }: CheckChoices = {},
): (() => Promise<void>) =>
  createReadableEndsCheck({
    store,
    service: { ...fakeService({}), account: ACCOUNT, baseUrl: BASE_URL, lookupName },
    isStated,
    nowMs: () => NOW_MS,
    tryReads: (one, form) => {
      rounds += 1;
      known.push(one);
      return Promise.resolve(form === undefined ? trials : (inForms[form] ?? ALIKE));
    },
  });

const NOW_MS = 1_000_000;

const NONE = [trial('id', { verdict: 'not-understood' }), trial('idempotencyKey', {})];
/** Of a service that refuses every wrong request alike. */
const ALIKE = [trial('id', {}), trial('idempotencyKey', {})];
const ID = [trial('id', { verdict: 'understood' }), trial('idempotencyKey', {})];
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

  it('a batch is refused where keys alone are understood: none of them has found anything', async () => {
    await expect(checkOf(KEY)()).rejects.toMatchObject({ code: 'ENDS_UNREADABLE' });
  });

  it('a batch passes where a read by id is understood, and the worker does not try again', async () => {
    const check = checkOf(ID);
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
});

describe('where a person has set how MASS_GET is called', () => {
  it('the person is believed where the service refuses every wrong request alike', async () => {
    const check = checkOf(ALIKE, { isStated: true });
    await check();
    expect(rounds).toBe(3);
    await check();
    expect(rounds).toBe(3);
  });

  it('one round of trials is enough where a read is understood as it is set, also by key', async () => {
    await checkOf(KEY, { isStated: true })();
    expect(rounds).toBe(1);
  });

  it.each(['reference', 'flat'])(
    'a batch is refused where MASS_GET is understood in the form %s alone, and the error names it',
    async (form) => {
      const check = checkOf(ALIKE, { isStated: true, inForms: { [form]: KEY } });
      await expect(check()).rejects.toMatchObject({
        code: 'ENDS_UNREADABLE',
        facts: { understood: `MASS_GET by idempotencyKey (${form})` },
      });
    },
  );

  it.each([[undefined], ['flat']])(
    'a trial without an answer decides nothing: the activity is tried again (form %s)',
    async (form) => {
      const unanswered = [trial('id', { hasAnswer: false, answer: 'no answer: ECONNREFUSED' })];
      const check =
        form === undefined
          ? checkOf(unanswered, { isStated: true })
          : checkOf(ALIKE, { isStated: true, inForms: { [form]: unanswered } });
      await expect(check()).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' });
    },
  );
});

describe('where reads by key alone are understood, and the account has a mass payout', () => {
  /** The first create of a batch, which the service has accepted. */
  async function accept(agoMs: number): Promise<KnownPayout> {
    await planBatch(store, 'b', 2);
    const { idempotencyKey } = await store.chunks.get('b', 0);
    const ref = { batchId: 'b', chunk: 0, idempotencyKey };
    const intent = { payload: 'p', payloadSha256: 'p' };
    const attempt = { n: 1, timestampMs: NOW_MS - agoMs, bodySha256: 'b', intent };
    await store.sends.beginAttempt(ref, attempt);
    const end = { n: 1, outcome: 'ACCEPTED', endedMs: 9, httpStatus: 200, traceId: 't' } as const;
    const payout = { id: 'mp-0', state: 'CONFIRMED', fee: null, differences: [] };
    await store.sends.endAttempt(ref, end, payout);
    return { id: 'mp-0', idempotencyKey };
  }

  it('a batch is refused when none of them finds it', async () => {
    const payout = await accept(REFUSED_MS_MAX);
    await expect(checkOf(KEY)()).rejects.toMatchObject({ code: 'ENDS_UNREADABLE' });
    expect(known).toEqual([payout]);
  });

  it.each([
    ['one of them finds it', [trial('idempotencyKey', { verdict: 'understood', hasFound: true })]],
    ['a read by id is understood', [...KEY, trial('id', { verdict: 'understood' })]],
  ])('a batch passes when %s', async (_, trials) => {
    await accept(REFUSED_MS_MAX);
    await checkOf(trials)();
    expect(known).toHaveLength(1);
  });

  it('a stated form does not help when none of them finds it', async () => {
    await accept(REFUSED_MS_MAX);
    await expect(checkOf(KEY, { isStated: true })()).rejects.toMatchObject({
      code: 'ENDS_UNREADABLE',
    });
  });

  it('a mass payout that is too new to be found by its key refuses nothing of a stated form', async () => {
    await accept(REFUSED_MS_MAX - 1);
    await checkOf(KEY, { isStated: true })();
    expect(known).toEqual([undefined]);
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
