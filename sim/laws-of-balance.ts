import type { BalanceDifference } from '../src/domain/funds/difference.ts';
import type { Outcome } from '../src/domain/settling/outcome.ts';
import type { Engine } from './engine/engine.ts';
import { outcomeOf } from './engine/resend.ts';
import type { SimChunk } from './engine/store.ts';
import { sumOf, textOf } from './money.ts';
import { FEE } from './service/ledger.ts';

export type BalanceLaw = ReturnType<typeof createBalanceLaw>;

/** Judges what the engine concludes from the balance of a batch that begins now. `chunks`: those of all batches, as they come. */
export function createBalanceLaw(engine: Engine, chunks: readonly SimChunk[]) {
  const { world, ledger, bank } = engine;
  const isUnpaid = (outcome: Outcome) => outcome === 'FAILED' || outcome === 'NOT_SENT';
  const sumWhere = (is: (outcome: Outcome) => boolean): bigint =>
    sumOf(
      chunks.flatMap((chunk) =>
        chunk.rows
          .filter(({ row }) => is(outcomeOf(engine, chunk, row)))
          .map(({ amount }) => amount),
      ),
    );
  const taken = (): bigint => ledger.taken() - bank.arrived();
  const fees = (): bigint => FEE * BigInt(chunks.flatMap(({ rows }) => rows).length);
  const opening = { taken: taken(), paid: sumWhere((outcome) => outcome === 'PAID') };
  const left = (): bigint => taken() - opening.taken;
  /** The most that the rows can have taken which the engine may still call paid. */
  const most = (): bigint => sumWhere((outcome) => !isUnpaid(outcome)) - opening.paid + fees();
  let wasShown = false;
  return {
    /** A read of the balance was answered. It may show more gone than all rows together can take. */
    answered(): void {
      wasShown ||= left() > sumWhere(() => true) - opening.paid + fees();
    },
    /** Checks what the engine concluded at the end of the batch. */
    check(kind: BalanceDifference['kind']): void {
      if (kind === 'explained') world.count('balance explained');
      if (kind === 'differs') world.count('balance differs');
      if (kind === 'explained' && left() > most()) {
        world.broke('I14', `${textOf(left() - most())} is called explained`);
      }
      const isWhole = world.setting.restoreAfterMs === null;
      if (wasShown && isWhole && kind !== 'differs') {
        world.broke('I14', `a difference that a read showed is let go as ${kind}`);
      }
      const isExact = ledger.takenTwice() === 0n && isWhole && !ledger.hasOrderedTwice();
      const isTouched = chunks.some(({ rows }) => rows.some(({ row }) => ledger.isTouched(row)));
      if (kind === 'differs' && isExact && !isTouched && left() <= most()) {
        world.broke('I14', 'exact books raise an alarm');
      }
    },
  };
}
