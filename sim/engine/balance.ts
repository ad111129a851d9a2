import { type Conservation, judgeConservation } from '../../src/domain/funds/conservation.ts';
import {
  type ChunkFlow,
  type FlowMode,
  outflowsOf,
  type Outflows,
} from '../../src/domain/funds/outflow.ts';
import type { Outcome } from '../../src/domain/settling/outcome.ts';
import { sumOf, textOf } from '../money.ts';
import { FEE } from '../service/ledger.ts';
import type { Engine } from './engine.ts';
import { outcomeOf } from './resend.ts';
import type { SimChunk } from './store.ts';

const CURRENCY = 'USDT';
const BALANCE = 10n ** 36n;

/** What the engine read of the account before the first create of a batch. */
export type Opening = Readonly<{ balances: ReadonlyMap<string, string>; flows: Outflows }>;

export const openingOf = (engine: Engine, chunks: readonly SimChunk[]): Opening => ({
  balances: balancesOf(engine),
  flows: flowsOf(engine, chunks, 'opening'),
});

/** What the engine concludes from the balance at the end of a batch. */
export function concludeBalance(
  engine: Engine,
  chunks: readonly SimChunk[],
  opening: Opening,
): Conservation['kind'] {
  if (engine.careless === 'trusts-balances') return 'explained';
  if (engine.store.flags().restoredAtMs !== undefined) return 'not-checkable';
  const closing = {
    balances: balancesOf(engine),
    flows: flowsOf(engine, chunks, 'settled'),
    ordered: flowsOf(engine, chunks, 'ordered'),
  };
  const question = { currencies: [CURRENCY], opening, closing };
  return judgeConservation(question).kind;
}

const balancesOf = ({ ledger }: Engine): ReadonlyMap<string, string> =>
  new Map([[CURRENCY, textOf(BALANCE - ledger.taken())]]);

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
    ...{ batchId: `g${chunk.generation}`, chunk: chunk.chunk },
    ...{ currency: CURRENCY, state: send.state, final },
    isOrdered: send.record.attempts.length > 0 || send.record.payout !== undefined,
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
