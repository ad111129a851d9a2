import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changesOf, createLedger, type RecordFacts } from '../../../src/domain/audit/facts.ts';

const columns = fc.dictionary(
  fc.constantFrom('state', 'reason', 'final'),
  fc.constantFrom(null, 'x', 'y', 0, 1),
) as fc.Arbitrary<RecordFacts>;

/** Without columns that are null: those that are missing say the same. */
const told = (facts: RecordFacts): RecordFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));

describe('the facts of a record in its entries', () => {
  it('add up to the record', () => {
    fc.assert(
      fc.property(fc.array(columns), (states) => {
        const ledger = createLedger();
        let before: RecordFacts = {};
        for (const [index, after] of states.entries()) {
          ledger.add(index + 1, { batch: changesOf(before, after) });
          before = after;
        }
        expect(told(ledger.take('batch')?.facts ?? {})).toEqual(told(before));
      }),
    );
  });

  it('are empty where nothing changed: a missing column is null', () => {
    expect(changesOf({ state: 'x', said: null }, { state: 'x' })).toEqual({});
    expect(changesOf({ said: 's' }, {})).toEqual({ said: null });
  });

  it('are read once each, so that unread ones are left', () => {
    const ledger = createLedger();
    ledger.add(3, { batch: { digest: 'd' }, 'chunk 0': { final: 1 } });
    ledger.add(4, { 'chunk 0': { said: 's' } });
    expect(ledger.take('batch')).toEqual({ seq: 3, facts: { digest: 'd' } });
    expect([...ledger.rest()]).toEqual([['chunk 0', { seq: 4, facts: { final: 1, said: 's' } }]]);
    expect(ledger.take('chunk 1')).toBeUndefined();
  });
});
