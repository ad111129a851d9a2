import { describe, expect, it } from '@jest/globals';
import { taggedComment, taggedRow } from '../../../src/domain/rows/row-tag.ts';
import { type CreateCallFacts, classifyCreate } from '../../../src/domain/sending/doubt.ts';
import {
  batchCodeOf,
  externalIdOf,
  idempotencyKeyOf,
} from '../../../src/domain/sending/identity.ts';
import type { AttemptOutcome } from '../../../src/domain/sending/send-record.ts';
import { differencesOf, identityDifferences } from '../../../src/domain/sending/verify.ts';

describe('the result of a create', () => {
  it.each<CreateCallFacts & { outcome: AttemptOutcome }>`
    kind            | httpStatus   | documented   | outcome
    ${'answered'}   | ${undefined} | ${undefined} | ${'ACCEPTED'}
    ${'not-sent'}   | ${undefined} | ${undefined} | ${'NOT_SENT'}
    ${'no-answer'}  | ${undefined} | ${undefined} | ${'AMBIGUOUS'}
    ${'unreadable'} | ${undefined} | ${undefined} | ${'AMBIGUOUS'}
    ${'refused'}    | ${400}       | ${true}      | ${'REJECTED'}
    ${'refused'}    | ${400}       | ${false}     | ${'AMBIGUOUS'}
    ${'refused'}    | ${401}       | ${true}      | ${'REJECTED'}
    ${'refused'}    | ${422}       | ${true}      | ${'REJECTED'}
    ${'refused'}    | ${408}       | ${true}      | ${'AMBIGUOUS'}
    ${'refused'}    | ${409}       | ${true}      | ${'AMBIGUOUS'}
    ${'refused'}    | ${425}       | ${true}      | ${'AMBIGUOUS'}
    ${'refused'}    | ${429}       | ${true}      | ${'THROTTLED'}
    ${'refused'}    | ${429}       | ${false}     | ${'THROTTLED'}
    ${'refused'}    | ${302}       | ${true}      | ${'AMBIGUOUS'}
    ${'refused'}    | ${307}       | ${false}     | ${'AMBIGUOUS'}
    ${'refused'}    | ${500}       | ${true}      | ${'AMBIGUOUS'}
    ${'refused'}    | ${503}       | ${false}     | ${'AMBIGUOUS'}
  `('$kind $httpStatus documented $documented is $outcome', ({ outcome, ...facts }) => {
    expect(classifyCreate(facts)).toBe(outcome);
  });
});

describe('the names of a chunk', () => {
  const identity = { account: '0xabc', batchId: 'payroll', chunk: 3, generation: 0 };

  it('has a key that is a UUID of version 4 and never changes', () => {
    expect(idempotencyKeyOf(identity)).toBe('d4e11352-398d-4399-8728-f0d5730c20a7');
  });

  it.each([{ account: '0xabd' }, { batchId: 'payroll2' }, { chunk: 4 }, { generation: 1 }])(
    'has another key for %j',
    (change) => {
      expect(idempotencyKeyOf({ ...identity, ...change })).not.toBe(idempotencyKeyOf(identity));
    },
  );

  it('has an external id that people can read', () => {
    expect(externalIdOf(identity)).toBe('payroll/3/0');
  });
});

describe('a row tag', () => {
  const code = batchCodeOf('0xabc', 'payroll');

  it.each(['', 'wage', 'wage #12', 'ends with #abcdefgh-9'])(
    'is found again behind "%s"',
    (comment) => {
      expect(taggedRow(taggedComment(comment, code, 42), code)).toBe(42);
    },
  );

  it.each(['', 'wage', '#abcdefgh-9', `x#${code}-1`, `#${code}-1 x`, `#${code}-12345678901`])(
    'is not seen in "%s"',
    (comment) => {
      expect(taggedRow(comment, code)).toBeUndefined();
    },
  );
});

describe('a mass payout beside its intent', () => {
  const intent = {
    idempotencyKey: 'k',
    account: '0xAB',
    currency: 'TRX',
    total: '10.5',
    externalId: 'payroll/3/0',
  };
  const payout = { ...intent, account: '0xab', totalWithdrawalAmount: '10.50' };

  it.each([
    [payout],
    [{}],
    [{ totalWithdrawalAmount: '11', totalFee: '0.5' }],
    [{ ...payout, totalFee: '1' }],
  ])('%j is ours', (theirs) => {
    expect(differencesOf(intent, { ...theirs, unreadableParts: [] })).toEqual([]);
  });

  it.each([
    [{ ...payout, idempotencyKey: 'l' }],
    [{ ...payout, account: '0xac' }],
    [{ ...payout, currency: 'BTC' }],
    [{ ...payout, totalWithdrawalAmount: '10.49' }],
    [{ ...payout, totalWithdrawalAmount: '10.6', totalFee: '0.2' }],
    [{ ...payout, totalWithdrawalAmount: '1050' }],
    [{ ...payout, externalId: 'payroll/4/0' }],
    [{ ...payout, totalWithdrawalAmount: `10.5${'1'.repeat(60)}` }],
    [{ ...payout, totalWithdrawalAmount: '9'.repeat(60) }],
  ])('%j is not', (theirs) => {
    expect(differencesOf(intent, { ...theirs, unreadableParts: [] })).toHaveLength(1);
  });

  it.each(['idempotencyKey', 'account', 'currency', 'externalId', ''])(
    'one whose %j cannot be read is never equal',
    (path) => {
      const unreadableParts = [{ path, problem: 'is not text' }];
      expect(differencesOf(intent, { ...payout, unreadableParts })).not.toEqual([]);
    },
  );

  it('one whose comment cannot be read is ours', () => {
    const unreadableParts = [{ path: 'comment', problem: 'is not text' }];
    expect(differencesOf(intent, { ...payout, unreadableParts })).toEqual([]);
  });

  it('a fact that cannot be read shows no other mass payout', () => {
    const unreadableParts = [{ path: 'account', problem: 'is not text' }];
    expect(identityDifferences(intent, { unreadableParts })).toEqual([]);
  });
});
