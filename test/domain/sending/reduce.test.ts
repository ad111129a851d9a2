import { describe, expect, it } from '@jest/globals';
import {
  changeBy,
  reduceSend,
  type SeenPayout,
  type SendState,
} from '../../../src/domain/sending/reduce.ts';

const seen = (id: string, ...differences: string[]): SeenPayout => ({ id, differences });
const second = (id: string): string => `the service has a second one for it, ${id}`;

type Known = Partial<SendState['record']> & Partial<Pick<SendState, 'state'>>;
const change = ({ state = 'SENDING', ...record }: Known, shown: SeenPayout) =>
  changeBy({ state, record: { attempts: [], lookups: [], ...record } }, shown);

const adopts = (massPayoutId: string) => ({ kind: 'adopt', massPayoutId, atMs: 1 }) as const;

describe('a mass payout that becomes visible for a chunk', () => {
  it('is the one of the chunk when it is the first', () => {
    expect(change({}, seen('a'))).toEqual({ payout: seen('a') });
    expect(change({}, seen('a', 'total'))).toEqual({ payout: seen('a', 'total') });
  });

  it('replaces an earlier read of it, unless the chunk was created by it', () => {
    const differed = { payout: seen('a', 'total') };
    expect(change(differed, seen('a'))).toEqual({ payout: seen('a') });
    expect(change({ ...differed, state: 'CREATED' }, seen('a'))).toEqual({ payout: seen('a') });
    const accepted = { payout: seen('a') };
    expect(change(accepted, seen('a', 'total'))).toEqual({ payout: seen('a', 'total') });
    expect(change({ ...accepted, state: 'CREATED' }, seen('a', 'total'))).toBeUndefined();
  });

  it('never replaces the first one, and is kept beside it once', () => {
    const one = { payout: seen('a'), state: 'CREATED' } as const;
    const two = { payout: seen('a', second('b')), others: ['b'] };
    expect(change(one, seen('b'))).toEqual(two);
    expect(change({ ...two, state: 'CREATED' }, seen('b'))).toBeUndefined();
    expect(change({ ...two, state: 'CREATED' }, seen('a'))).toBeUndefined();
    expect(change(two, seen('c'))).toEqual({
      payout: seen('a', second('b'), second('c')),
      others: ['b', 'c'],
    });
  });

  it('replaces it when a person adopts it; the first one is then the other', () => {
    const two = { payout: seen('a', second('b')), others: ['b'], state: 'NEEDS_OPERATOR' } as const;
    expect(change({ ...two, answer: adopts('b') }, seen('b'))).toEqual({
      payout: seen('b'),
      others: ['a'],
    });
    expect(change({ ...two, answer: adopts('a') }, seen('a'))).toEqual({
      payout: seen('a'),
      others: ['b'],
    });
    expect(change({ ...two, answer: adopts('b') }, seen('a'))).toBeUndefined();
    const stranger = { payout: seen('a', 'another total'), answer: adopts('b') };
    expect(change(stranger, seen('b'))).toEqual({ payout: seen('b') });
  });
});

describe('a decision about a chunk', () => {
  const attempt = { n: 1, timestampMs: 1, outcome: 'PENDING' } as const;
  const sent: SendState = { record: { attempts: [attempt], lookups: [] }, state: 'SENDING' };

  it('keeps the lookups in the order of their time, in any order of the writes', () => {
    const looked = [9, 5, 7].reduce<SendState | undefined>(
      (state, atMs) =>
        state &&
        reduceSend(state, { kind: 'looked-up', lookup: { atMs, attempts: 1, result: 'missed' } }),
      sent,
    );
    expect(looked?.record.lookups.map(({ atMs }) => atMs)).toEqual([5, 7, 9]);
  });

  describe('when a question is taken back', () => {
    const asked = { ...sent, state: 'NEEDS_OPERATOR', reason: 'LOOKUP_UNPROVEN' } as const;
    const withdraw = (before: SendState, attempts = 1) =>
      reduceSend(before, { kind: 'question-withdrawn', attempts });

    it('goes on where nothing was sent, found or answered since', () => {
      expect(withdraw(asked)).toEqual(sent);
    });

    it.each<[string, SendState, number]>([
      ['no operator is needed', sent, 1],
      ['only a person can answer', { ...asked, reason: 'PAYOUT_DIFFERS' }, 1],
      ['it was sent since', asked, 0],
      ['it was found since', { ...asked, record: { ...sent.record, payout: seen('a') } }, 1],
    ])('stays as it is where %s', (_where, before, attempts) => {
      expect(withdraw(before, attempts)).toBeUndefined();
    });
  });

  it('loses a failed adoption, and no other answer', () => {
    const answered = (answer: SendState['record']['answer']): SendState => ({
      ...sent,
      record: { ...sent.record, ...(answer === undefined ? {} : { answer }) },
    });
    const drop = (before: SendState) =>
      reduceSend(before, { kind: 'answer-dropped', massPayoutId: 'a' })?.record.answer;
    expect(drop(answered(adopts('a')))).toBeUndefined();
    expect(drop(answered(adopts('b')))).toEqual(adopts('b'));
    const abandon = { kind: 'abandon', atMs: 1 } as const;
    expect(drop(answered(abandon))).toEqual(abandon);
    expect(drop(answered(undefined))).toBeUndefined();
  });
});
