import { describe, expect, it } from '@jest/globals';
import { keyRecheckOf } from '../../../src/domain/lineage/key-recheck.ts';
import { createResendBook } from '../../../src/domain/lineage/resend-book.ts';
import { unpaidProof } from '../../../src/domain/lineage/row-proof.ts';
import type { Attempt } from '../../../src/domain/sending/send-record.ts';
import type { ChunkOutcomes, Outcome } from '../../../src/domain/settling/outcome.ts';

const attempt = (outcome: Attempt['outcome']): Attempt => ({ n: 1, timestampMs: 1, outcome });

describe('a key of a chunk that was not created', () => {
  const sure = { record: { attempts: [attempt('REJECTED')], lookups: [] } };
  const doubtful = { record: { attempts: [attempt('AMBIGUOUS')], lookups: [] } };
  const verified = { ...sure, verification: 'by-lookups' } as const;

  it.each([
    ['found after all', sure, 'found', undefined, 'found'],
    ['not answered for', sure, 'failed', undefined, 'unanswered'],
    ['never sent in doubt, and missed', sure, 'missed', undefined, 'unpaid'],
    ['never sent in doubt, of a service without lookup', sure, 'unavailable', undefined, 'unpaid'],
    ['sent in doubt, and missed', doubtful, 'missed', undefined, 'verify-lookup'],
    ['sent in doubt, and missed by a lookup that finds', doubtful, 'missed', 'found', 'unpaid'],
    ['sent in doubt, and missed by a blind lookup', doubtful, 'missed', 'missed', 'hidden'],
    [
      'sent and ambiguous, without an answer of the service',
      doubtful,
      'missed',
      'failed',
      'unanswered',
    ],
    ['verified by lookups alone, and missed', verified, 'missed', undefined, 'verify-lookup'],
    ['sent in doubt, of a service without lookup', doubtful, 'unavailable', undefined, 'hidden'],
  ] as const)('that is %s', (_what, known, result, lookupCheck, proof) => {
    expect(keyRecheckOf(known, result, lookupCheck)).toBe(proof);
  });

  it('needs no proof where a person stated after the send that nothing was created', () => {
    const answer = { kind: 'not-created', attempts: 1, atMs: 2 } as const;
    expect(keyRecheckOf({ record: { ...doubtful.record, answer } }, 'missed')).toBe('unpaid');
  });
});

describe('a row that is to be paid again', () => {
  const outcomesWith = (rest: Outcome, rows: readonly [number, Outcome][] = [], final = true) =>
    ({
      massPayoutState: 'PARTIAL',
      final,
      defaultOutcome: { outcome: rest, reason: '' },
      rows: rows.map(([row, outcome]) => ({ row, outcome, reason: '' })),
    }) satisfies ChunkOutcomes;
  const prove = (fresh: ChunkOutcomes, kept: ChunkOutcomes, coversAllRows = true) =>
    unpaidProof({ fresh, coversAllRows }, { merged: kept, changes: [] })(1);

  it('is proven unpaid when a present lookup and the store agree', () => {
    expect(
      prove(outcomesWith('PAID', [[1, 'FAILED']]), outcomesWith('PAID', [[1, 'FAILED']])),
    ).toBe('unpaid');
  });

  it('is not when the store has anything else, with any result of the lookup', () => {
    expect(prove(outcomesWith('FAILED'), outcomesWith('PAID', [[1, 'UNKNOWN']]))).toBe('UNKNOWN');
  });

  it('is unread when the lookup returned nothing about it', () => {
    expect(prove(outcomesWith('FAILED'), outcomesWith('FAILED'), false)).toBe('unread');
  });

  it('is on its way while the mass payout has no end', () => {
    expect(prove(outcomesWith('FAILED', [], false), outcomesWith('FAILED'))).toBe('FAILED');
    expect(prove(outcomesWith('IN_FLIGHT', [], false), outcomesWith('FAILED'))).toBe('IN_FLIGHT');
  });
});

describe('the book of a resend', () => {
  const held = { batchId: 'a', rows: [2, 3], name: 'mp-1' };

  it('has no objection when every batch that holds a row proves it', () => {
    const book = createResendBook(Uint32Array.of(2, 3));
    expect(book.wantedOf([1, 2, 3, 4])).toEqual([2, 3]);
    book.note(held, { kind: 'read', proves: () => 'unpaid' });
    expect(book.objections()).toEqual({ missing: 0, paid: new Map(), unread: new Set() });
    expect(book.byBatch).toEqual(new Map([['a', 2]]));
  });

  it('names the rows that are paid, hidden, unread, found in the wallet or changed since', () => {
    const book = createResendBook(Uint32Array.of(1, 2, 3, 4, 5));
    book.note(held, { kind: 'read', proves: (row) => (row === 2 ? 'PAID' : 'unread') });
    book.note({ batchId: 'b', rows: [4], name: 'mp-2' }, { kind: 'hidden' });
    book.shown({ batchId: 'a', rows: [2, 5] });
    book.block({ batchId: 'c', rows: [3] });
    expect(book.objections()).toEqual({
      missing: 2,
      paid: new Map([
        [2, { batchId: 'a', why: 'PAID in a' }],
        [4, { batchId: 'b', why: 'not shown by the service in b' }],
        [5, { batchId: 'a', why: 'paid by the wallet, as "bursar reconcile a" found' }],
        [3, { batchId: 'c', why: 'changed in c' }],
      ]),
      unread: new Set(['mp-1']),
    });
  });
});
