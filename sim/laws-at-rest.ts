import { tellingOf } from '../src/domain/lineage/lineage.ts';
import type { BalanceDifference } from '../src/domain/funds/difference.ts';
import { wasCreatedAgain } from '../src/domain/sending/evidence.ts';
import type { Outcome } from '../src/domain/settling/outcome.ts';
import type { Batch } from './engine/batch.ts';
import type { Engine } from './engine/engine.ts';
import { historyOf, outcomeOf } from './engine/resend.ts';
import type { SimChunk } from './engine/store.ts';
import { textOf, unitsOf } from './money.ts';
import type { Sight } from './world.ts';

type AtRest = Readonly<{
  batches: readonly Batch[];
  chunks: readonly SimChunk[];
  /** Rows of which the end of their batch told that they may be paid twice. */
  named: ReadonlySet<number>;
}>;

const SIGHTS_OF: Readonly<Record<Outcome, Sight | undefined>> = {
  PAID: 'row paid',
  FAILED: 'row failed for good',
  NOT_SENT: 'row not sent',
  UNKNOWN: 'row unknown',
  IN_FLIGHT: undefined,
};

/** Checks, when nothing happens any more, what the engine says against what the ledger has. */
export function checkAtRest(engine: Engine, { batches, chunks, named }: AtRest): void {
  const { world, ledger } = engine;
  for (const { ended, generation } of batches) {
    if (!ended) world.broke('I8', `batch ${generation} never ends`);
  }
  const { left, fees } = ledger.money();
  let explained = fees;
  for (const { row, amount } of chunks.filter(isFirst).flatMap(({ rows }) => rows)) {
    const outcome = toldOf(engine, chunks, row);
    const sight = SIGHTS_OF[outcome];
    if (sight !== undefined) world.count(sight);
    checkRow(engine, row, outcome);
    // What may have been paid twice is named: what was paid for it is looked at by people.
    const isNamed =
      isToldTwice(engine, chunks, row) || (named.has(row) && ledger.isOrderedTwice(row));
    if (outcome === 'PAID') explained += isNamed ? ledger.paidFor(row) : unitsOf(amount);
    // Of these alone nobody but the ledger can say what was paid.
    if (outcome === 'UNKNOWN') explained += ledger.paidFor(row);
  }
  if (left !== explained)
    world.broke('I3', `${textOf(left - explained)} left that nothing explains`);
}

/**
 * Checks what is told of a batch at its end, before anybody reads anything once more. Returns the rows of which the batch tells that
 * they may be paid twice.
 */
export function checkAtEnd(
  engine: Engine,
  chunks: readonly SimChunk[],
  balance: BalanceDifference['kind'],
): number[] {
  const { world, ledger, store } = engine;
  const named: number[] = [];
  const hasUnknown = chunks.some((chunk) =>
    chunk.rows.some(({ row }) => outcomeOf(engine, chunk, row) === 'UNKNOWN'),
  );
  for (const chunk of chunks) {
    const { others = [] } = store.facts(chunk.key).send.record;
    // The report names the rows that were sent more than once, and a batch with unknown rows is not COMPLETED.
    const isNamed = wasCreatedAgain(store.facts(chunk.key).send.record) && hasUnknown;
    const isToldLate = balance === 'differs' || isNamed || wasMisjudged(engine, chunk);
    // A lookup shows one mass payout of a key, so a first one that is accepted last shows in the balance alone.
    const isTold =
      others.length > 0 ||
      wasAdopted(engine, chunk) ||
      (world.setting.kind === 'late' && isToldLate);
    if (isTold) named.push(...chunk.rows.map(({ row }) => row));
    for (const { row } of isTold ? [] : chunk.rows) {
      if (ledger.isOrderedTwice(row) && outcomeOf(engine, chunk, row) === 'PAID') {
        world.broke('I12', `row ${row} was ordered twice, and its batch tells nothing of it`);
      }
    }
    for (const { row } of chunk.rows) {
      const outcome = outcomeOf(engine, chunk, row);
      if (outcome === 'PAID' && !ledger.isPaid(row)) {
        world.broke('I2', `row ${row} is reported as PAID and was not`);
      }
      if (outcome !== 'FAILED' && outcome !== 'NOT_SENT') continue;
      if (ledger.isLive(row) && !ledger.isTouched(row)) {
        world.broke('I2', `row ${row} is reported as ${outcome} and is not`);
      }
    }
  }
  return named;
}

/**
 * Whether the batch asked a person about the chunk, who let it be sent again. Where the service accepts creates after its window,
 * people see as little of the first one as the engine does.
 */
const wasMisjudged = ({ store }: Engine, { key }: SimChunk): boolean =>
  store.facts(key).send.record.answer?.kind === 'not-created';

/** Whether the batch asked a person about the chunk, who adopted a mass payout. */
const wasAdopted = ({ store }: Engine, { key }: SimChunk): boolean =>
  store.facts(key).send.record.answer?.kind === 'adopt';

const isFirst = ({ generation }: SimChunk): boolean => generation === 0;

const isToldTwice = ({ store }: Engine, chunks: readonly SimChunk[], row: number): boolean =>
  chunks.some(
    ({ key, rows }) =>
      rows.some((each) => each.row === row) &&
      (store.facts(key).send.record.others?.length ?? 0) > 0,
  );

/** What people are told of a row, over all generations that hold it. */
const toldOf = (engine: Engine, chunks: readonly SimChunk[], row: number): Outcome =>
  tellingOf(historyOf(engine, chunks, row))?.outcome ?? 'UNKNOWN';

function checkRow({ world, ledger }: Engine, row: number, outcome: Outcome): void {
  const isPaid = ledger.isPaid(row);
  if (outcome === 'PAID' && !isPaid) world.broke('I2', `row ${row} is told as PAID and was not`);
  if ((outcome === 'FAILED' || outcome === 'NOT_SENT') && isPaid) {
    world.broke('I2', `row ${row} is told as ${outcome} and was paid`);
  }
  if (outcome === 'IN_FLIGHT') world.broke('I8', `row ${row} is in flight for ever`);
}
