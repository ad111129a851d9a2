import type { Mutant } from './mutant.ts';

/** Engines that call an end what is none: the service, or the store, is not what they take it for. */
export const TRUTH_MUTANTS: readonly Mutant[] = [
  {
    name: 'forgets-paid',
    does: 'calls a row unpaid that it called paid before, because the service does now',
    edits: [
      {
        file: 'src/domain/lineage/merge-recheck.ts',
        find: '    return canFollow(before.outcome, now.outcome, unknownStays(row)) ? now : before;',
        replace:
          '    const follows = canFollow(before.outcome, now.outcome, unknownStays(row));\n    return follows || fromRead.outcome !== before.outcome ? fromRead : before;',
      },
    ],
    scenarios: ['fates'],
  },
  {
    name: 'trusts-balances',
    does: 'calls every balance explained',
    edits: [
      {
        file: 'src/domain/funds/compare-balance.ts',
        find: '  limit !== null && compareAmounts(amount, limit) > 0',
        replace: '  limit !== null && compareAmounts(amount, amount) > 0',
      },
    ],
    scenarios: ['conservation'],
  },
  {
    name: 'forgets-differences',
    does: 'decides by the last read of the balance alone',
    edits: [
      {
        file: 'src/domain/funds/difference.ts',
        find: '  const lines = keepLargest(seen, found.lines);',
        replace: '  const lines = keepLargest(seen.slice(seen.length), found.lines);',
      },
    ],
    scenarios: ['conservation'],
  },
  {
    name: 'completed-all-the-same',
    does: 'ends a batch as COMPLETED though more money left than was ordered',
    edits: [
      {
        file: 'src/domain/report/end-state.ts',
        find: "  const isMorePaid = isTwice || balance?.result === 'differs';",
        replace: "  const isMorePaid = isTwice && balance?.result === 'differs';",
      },
    ],
    scenarios: ['conservation', 'wrong-lookup'],
  },
  {
    name: 'any-store',
    does: 'works with whatever store it finds, also for batches of another one',
    edits: [
      {
        file: 'src/domain/store/identity.ts',
        find: '  id === named || succeeds.includes(named);',
        replace: "  id !== '' || succeeds.includes(named);",
      },
    ],
    scenarios: ['other-store'],
  },
];
