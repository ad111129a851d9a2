import type { Sources } from '../../operations/batch/types.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { BursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import { type KeyFlag, signOlderStore } from '../../operations/approval/submitter.ts';
import { onRecord } from '../../operations/batch/on-record.ts';
import { refuseWithoutApi } from '../../operations/batch/own-store.ts';
import { withAnySources } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { confirm, type Confirmation } from '../../operations/prompts/confirm.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { printResult } from '../print/output.ts';
import {
  lostText,
  recoveryText,
  wouldClaimText,
  type ShownRecovery,
} from '../print/recovery-text.ts';
import { storeThatGivesWay } from '../../operations/recover/claim-queue.ts';
import {
  carryOut,
  type Done,
  type Lost,
  STORE_REASONS,
} from '../../operations/recover/carry-out.ts';
import {
  findLostBatches,
  type LostBatch,
  type StoreAge,
  totalsOf,
  type Wanted,
} from '../../operations/recover/find-batches.ts';
import { findLostSchedules, findOverBatches } from '../../operations/recover/find-others.ts';
import { NOTHING_LOST, storesToSucceed } from '../../operations/recover/stores-to-succeed.ts';
import { counted } from '../../domain/text/counted.ts';

type RecoverFlags = Confirmation &
  KeyFlag &
  Readonly<{ batch?: string; store?: string; dryRun?: boolean }>;

/** `bursar recover [BATCH]`: continues batches, schedules and rechecks that Temporal no longer has. */
export async function recover(flags: RecoverFlags, context: Context): Promise<number> {
  const wanted = { batchId: flags.batch === undefined ? null : readBatchId(flags.batch) };
  const store = readStoreAge(flags.store ?? 'current');
  return withAnySources(context, async (sources) => {
    const asked = { ...wanted, store };
    await refuseWithoutApi(sources);
    const succeeds = store === 'empty' ? await storesToSucceed(sources) : NOTHING_LOST;
    const instead = store === 'empty' ? undefined : await storeThatGivesWay(sources);
    const lost = await findLost(sources, asked, context);
    if (flags.dryRun && instead !== undefined) context.say(wouldClaimText(instead));
    if (flags.dryRun) return show(lost, { ...asked, done: null }, context);
    const detail = { store, batches: lost.batches.map(({ batchId }) => batchId) };
    const tried = { action: 'recover', batchId: wanted.batchId, detail } as const;
    const done = await onRecord(tried, { sources, context }, async () => {
      if (lost.batches.length > 0) context.say(lostText(lost, context));
      await confirmRecovery(lost.batches, flags, context);
      const signed =
        store === 'current'
          ? null
          : await signOlderStore(
              { ...flags, reason: STORE_REASONS[store] },
              { ...sources, context },
            );
      return carryOut(lost, { sources, signed, store, succeeds, instead }, context);
    });
    await hintAtSilence(sources, done, context);
    return show(lost, { ...asked, done }, context);
  });
}

function readStoreAge(text: string): StoreAge {
  if (text === 'current' || text === 'older' || text === 'empty') return text;
  throw flagInvalid('--store', `"${text}" is neither current nor older nor empty`);
}

/** With a batch, only that one is read. */
async function findLost(sources: Sources, wanted: Wanted, context: Context): Promise<Lost> {
  const blobs = await context.open.blobs(sources.settings);
  const batches = await findLostBatches({ sources, blobs }, wanted);
  if (wanted.batchId !== null) return { batches, schedules: [], over: [] };
  return {
    batches,
    schedules: await findLostSchedules(sources),
    over: await findOverBatches(sources, context.clock.nowMs()),
  };
}

/** Nothing goes on without a worker. */
async function hintAtSilence(
  { settings, engine }: Sources,
  { batches }: Done,
  { say }: Context,
): Promise<void> {
  if (batches.size === 0 || (await (await engine()).hasWorker())) return;
  const { what, why, fix } = noteOf('WORKER_SILENT', settings.temporal);
  say(`${what} ${why} ${fix}`);
}

function show(lost: Lost, shown: ShownRecovery, context: Context): number {
  const { store, done } = shown;
  const going = lost.batches.filter(({ action }) => action !== 'NONE');
  const json = {
    schema: 'bursar.recovery/v1',
    store,
    dryRun: done === null,
    tookOver: done?.tookOver ?? false,
    claimed: done?.claimed ?? false,
    batches: lost.batches.map((one) => ({ ...one, done: done?.batches.has(one.batchId) ?? false })),
    toPay: totalsOf(going.flatMap(({ toPay }) => toPay ?? [])),
    schedules: lost.schedules.map(({ scheduleId, pausedNote }) => ({
      scheduleId,
      paused: pausedNote !== null || (done?.paused.has(scheduleId) ?? false),
      done: done?.schedules.has(scheduleId) ?? false,
    })),
    pausedSchedules: done === null ? [] : [...done.paused],
    followed: done === null ? [] : [...done.over],
  };
  printResult(context, { json, text: recoveryText(lost, shown, context) });
  return going.length === lost.batches.length ? EXIT.done : EXIT.needsOperator;
}

/**
 * Has a person confirm the totals that may be paid yet. Throws RECOVERY_TOTALS_UNKNOWN, CONFIRMATION_MISSING, CONFIRMATION_WRONG,
 * PERSON_SAID_NO.
 */
async function confirmRecovery(
  batches: readonly LostBatch[],
  flags: Confirmation,
  context: Context,
): Promise<void> {
  const going = batches.filter(({ action }) => action !== 'NONE');
  const [unread] = going.filter(({ toPay }) => toPay === null);
  if (unread !== undefined && flags.yes !== true) {
    throw new BursarError('RECOVERY_TOTALS_UNKNOWN', { batchId: unread.batchId });
  }
  const totals = totalsOf(going.flatMap(({ toPay }) => toPay ?? []));
  if (totals.length === 0) return;
  const wish = `go on with ${counted(going.length, 'batch', 'batches')}`;
  await confirm(totals, { ...flags, wish }, context);
}
