import {
  type BalanceLine,
  type BalanceComparison,
  compareBalance,
} from '../../src/domain/funds/compare-balance.ts';
import { type BalanceDifference, judgeDifference } from '../../src/domain/funds/difference.ts';
import {
  type ChunkFlow,
  type FlowMode,
  outflowsOf,
  type Outflows,
} from '../../src/domain/funds/outflow.ts';
import type { Outcome } from '../../src/domain/settling/outcome.ts';
import { createBalanceLaw } from '../laws-of-balance.ts';
import { sumOf, textOf } from '../money.ts';
import { FEE } from '../service/ledger.ts';
import type { Engine } from './engine.ts';
import { outcomeOf } from './resend.ts';
import type { SimChunk } from './store.ts';

const CURRENCY = 'USDT';

/** How often the engine reads a balance at the end when it gets no answer. */
const READS_MAX = 3;
/** Between two looks while a batch pays, in milliseconds: at first, and at the most. */
const LOOK_MS = { first: 60_000, most: 3_600_000 } as const;

/** What the engine reads of the account, from the first create of a batch to its end. */
export type Balance = ReturnType<typeof openBalance>;

export function openBalance(engine: Engine, chunks: readonly SimChunk[]) {
  const { bank, careless, store, world } = engine;
  const law = createBalanceLaw(engine, chunks);
  const [balances, flows] = [balancesOf(bank.opening()), flowsOf(engine, chunks, 'opening')];
  let seen: readonly BalanceLine[] = [];
  let isOver = false;

  function read(mode: FlowMode): BalanceComparison {
    const units = bank.read();
    if (units === undefined) return UNANSWERED;
    law.answered();
    const closing = {
      balances: balancesOf(units),
      flows: flowsOf(engine, chunks, mode),
      ordered: flowsOf(engine, chunks, 'ordered'),
    };
    const opening = { balances, flows };
    return compareBalance({ currencies: [CURRENCY], opening, closing });
  }

  function judge(found: BalanceComparison): BalanceDifference {
    const known = careless === 'forgets-differences' ? [] : seen;
    const judged = judgeDifference({ seen: known, found, accepted: new Map() });
    if (judged.kind === 'differs') seen = judged.lines;
    return judged;
  }

  /** Looks while the batch pays. Only more than was ordered is kept, as by the guard of the engine. */
  function lookup(delayMs: number): void {
    world.agenda.after(delayMs, () => {
      if (isOver) return;
      const before = seen;
      const judged = isRestored() ? undefined : judge(read('ordered'));
      if (judged?.kind === 'differs' && !judged.isCertain) seen = before;
      lookup(Math.min(delayMs * 2, LOOK_MS.most));
    });
  }
  const isRestored = (): boolean => store.flags().restore !== undefined;
  lookup(LOOK_MS.first);

  return {
    /** What the engine concludes from the balance at the end of the batch. */
    conclude(): BalanceDifference['kind'] {
      isOver = true;
      let { kind } = judge(isRestored() ? NOT_WHOLE : read('settled'));
      for (let reads = 1; kind === 'not-checkable' && reads < READS_MAX; reads += 1) {
        ({ kind } = judge(isRestored() ? NOT_WHOLE : read('settled')));
      }
      if (careless === 'trusts-balances') kind = 'explained';
      law.check(kind);
      return kind;
    },
  };
}

const UNANSWERED: BalanceComparison = {
  kind: 'not-checkable',
  because: 'no answer',
  lines: [],
  isPassing: true,
};
const NOT_WHOLE: BalanceComparison = {
  kind: 'not-checkable',
  because: 'the store was brought back',
  lines: [],
};

const balancesOf = (units: bigint): ReadonlyMap<string, string> =>
  new Map([[CURRENCY, textOf(units)]]);

const flowsOf = (engine: Engine, chunks: readonly SimChunk[], mode: FlowMode): Outflows =>
  outflowsOf(
    chunks.map((chunk) => flowOf(engine, chunk)),
    new Map(),
    mode,
  );

function flowOf(engine: Engine, chunk: SimChunk): ChunkFlow {
  const { send, final } = engine.store.facts(chunk.key);
  const sumWhere = (is: (outcome: Outcome) => boolean): string =>
    textOf(
      sumOf(
        chunk.rows
          .filter(({ row }) => is(outcomeOf(engine, chunk, row)))
          .map(({ amount }) => amount),
      ),
    );
  const countWhere = (is: (outcome: Outcome) => boolean): number =>
    chunk.rows.filter(({ row }) => is(outcomeOf(engine, chunk, row))).length;
  const isOpen = (outcome: Outcome): boolean => outcome === 'UNKNOWN' || outcome === 'IN_FLIGHT';
  return {
    batchId: `g${chunk.generation}`,
    chunk: chunk.chunk,
    currency: CURRENCY,
    state: send.state,
    final,
    isOrdered:
      (send.record.attempts.length > 0 || send.record.payout !== undefined) &&
      (final || engine.careless !== 'counts-ends-alone'),
    total: sumWhere(() => true),
    fee: textOf(FEE * BigInt(chunk.rows.length)),
    paid: sumWhere((outcome) => outcome === 'PAID'),
    open: sumWhere(isOpen),
    rows: {
      total: chunk.rows.length,
      paid: countWhere((outcome) => outcome === 'PAID'),
      open: countWhere(isOpen),
    },
  };
}
