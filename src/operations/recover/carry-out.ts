import type { Sources } from '../batch/types.ts';
import type { About } from '../engine/link.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { lookupServiceName } from '../../domain/sending/lookup-service.ts';
import { isLikelyNew } from '../../domain/restore/beginning.ts';
import type { StoreRef } from '../../domain/store/identity.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import { workflowSummary } from '../../domain/text/markdown.ts';
import { actorOf, unsignedActorOf } from '../batch/actor.ts';
import { findRecord } from '../batch/find-record.ts';
import { inputOfRecord } from '../batch/start.ts';
import type { OperationContext } from '../context.ts';
import { claimQueue, refuseAtWork } from './claim-queue.ts';
import type { LostBatch, StoreAge } from './find-batches.ts';
import type { LostSchedule, OverBatch } from './find-others.ts';
import { pauseSchedules } from './pause-schedules.ts';
import type { LostStores } from './stores-to-succeed.ts';
import { moneyText } from '../../domain/text/money-text.ts';

/** The batches, schedules and rechecks that an accident interrupted. */
export type Lost = Readonly<{
  batches: readonly LostBatch[];
  schedules: readonly LostSchedule[];
  over: readonly OverBatch[];
}>;

/** The batches and schedules that this command continues, by id. Another person continued the missing ones before. */
export type Done = Readonly<{
  batches: ReadonlyMap<string, Going>;
  schedules: ReadonlySet<string>;
  /** Schedules that are paused now, since the store is an older copy. */
  paused: ReadonlySet<string>;
  over: ReadonlySet<string>;
  /** Whether an empty store has taken the place of a lost one. */
  tookOver: boolean;
  /** Whether the task queue named another store, and names this one now. */
  claimed: boolean;
}>;

/**
 * `paused`: the batch looks its sent chunks up, and sends nothing more until a person resumes it. `settles`: the batch
 * looks its sent chunks up, and ends.
 */
export type Going = 'goes-on' | 'paused' | 'settles';

/** The statement of a person about the store. These texts are signed and stored, so they never change. */
export const STORE_REASONS = {
  current: '',
  older: 'the store was brought back from an older copy',
  empty: 'the store was lost, and an empty one stands in its place',
} as const satisfies Record<StoreAge, string>;

/**
 * Continues everything that an accident interrupted. An older copy of the store is recorded first. From then on a chunk
 * of an earlier batch is sent only when it was certainly not sent before. Each earlier batch and each schedule waits
 * until a person resumes it, because the copy lacks the later decisions of people.
 */
export async function carryOut(
  lost: Lost,
  { sources, signed, store: age, succeeds, instead }: RecoveryPlan,
  context: OperationContext,
): Promise<Done> {
  const by = signed?.person ?? actorOf(sources.settings, context);
  const actor = await unsignedActorOf(sources, { by, batchId: null });
  const who = { by, actor, nowMs: () => context.clock.nowMs(), age };
  const note = STORE_REASONS[age];
  const isForgetful = age !== 'current';
  if (age === 'empty' && isNothingGoing(lost)) return NOTHING_DONE;
  if (isForgetful) await noteOlderStore(sources, signed, who);
  const paused = isForgetful ? await pauseSchedules(sources, { ...who, note }) : new Set<string>();
  const toMend = lost.batches.filter(({ action }) => action !== 'NONE');
  const batches = new Map<string, Going>();
  for (const one of toMend) {
    const going = await goOn(sources, one, who);
    if (going !== undefined) batches.set(one.batchId, going);
  }
  // The holds come before this: from here on workers take work of the batches that name the lost store.
  const at = { actor, atMs: who.nowMs() };
  await takeOver(sources, succeeds, at);
  await claimQueue(sources, instead, at);
  return {
    batches,
    tookOver: succeeds.ids.length > 0,
    claimed: instead !== undefined,
    schedules: await each(
      lost.schedules,
      ({ scheduleId }) => scheduleId,
      (one) => setUp(sources, paused.has(one.scheduleId) ? { ...one, pausedNote: note } : one, who),
    ),
    paused,
    over: await each(
      lost.over,
      ({ batchId }) => batchId,
      async (one) => {
        const { recovery } = await sources.engine();
        const store = await sources.store.identity.ref();
        return (await recovery.followEnds({ ...one, store })) === 'started';
      },
    ),
  };
}

/**
 * A store takes the place of a lost one only when a batch can go on. Example: the only open batch waits for the copy of
 * its file. The right store may be found before the file is.
 */
const isNothingGoing = ({ batches }: Lost): boolean =>
  batches.length > 0 && batches.every(({ action }) => action === 'NONE');

const NOTHING_DONE: Done = {
  batches: new Map(),
  schedules: new Set(),
  paused: new Set(),
  over: new Set(),
  tookOver: false,
  claimed: false,
};

/** The person who recovers. `actor`: the name in the audit log, since a person signs only that the store is an older copy. */
type Who = Readonly<{ by: string; actor: string; nowMs(): number; age: StoreAge }>;

async function takeOver(
  sources: Sources,
  { ids, lookup }: LostStores,
  at: Readonly<{ actor: string; atMs: number }>,
): Promise<void> {
  if (ids.length === 0) return;
  // A worker may have been started with the lost store while a person answered.
  await refuseAtWork(sources, ids);
  const { store, settings } = sources;
  const { account, baseUrl, endpoints, shapes } = settings.api;
  // The proof is old: before a send relies on it, a lookup must find a mass payout that exists.
  if (lookup !== undefined && account !== undefined && baseUrl !== undefined) {
    const name = lookupServiceName({ baseUrl, endpoints, shapes });
    await store.lookupVerification.save(account, name, lookup);
  }
  await store.identity.succeed({ ids, ...at });
}

/**
 * `signed`: the statement that the store is an older copy; null where no policy counts signatures. `succeeds`: the ids and
 * proofs of lost stores that the store takes over. `instead`: the store that gives its task queue to this one.
 */
export type RecoveryPlan = Readonly<{
  sources: Sources;
  signed: Approval | null;
  store: StoreAge;
  succeeds: LostStores;
  instead: StoreRef | undefined;
}>;

/** Runs `work` for one after the other. Returns the ids for which it returned true. */
async function each<One>(
  all: readonly One[],
  idOf: (one: One) => string,
  work: (one: One) => Promise<boolean>,
): Promise<Set<string>> {
  const done = new Set<string>();
  for (const one of all) if (await work(one)) done.add(idOf(one));
  return done;
}

async function noteOlderStore(
  { store }: Sources,
  signed: Approval | null,
  { actor, nowMs, age }: Who,
): Promise<void> {
  const atMs = nowMs();
  // A signed statement has its own audit entry, with the signed text.
  if (signed !== null) await store.approvals.add(signed, atMs);
  const reason = STORE_REASONS[age];
  await store.restores.raise({ atMs, reason, ...(signed === null ? { actor } : {}) });
}

const HAD_ENDED = 'it had ended, and the store has forgotten that';

/** Continues a batch. Undefined: another person did so before. */
async function goOn(
  sources: Sources,
  { batchId, found, action }: LostBatch,
  who: Who,
): Promise<Going | undefined> {
  const { by, nowMs } = who;
  const { recovery } = await sources.engine();
  const record = await sources.store.batches.find(batchId);
  // The cancel comes first. Otherwise the batch could send in between.
  if (action === 'SETTLE') {
    await sources.store.batches.cancel(batchId, { by, reason: HAD_ENDED }, nowMs());
    return (await recovery.beginAnew(batchId, HAD_ENDED)) ? 'settles' : undefined;
  }
  const pause = await pauseForgetful(sources, record ?? { batchId }, who);
  const isDone =
    action === 'RESET'
      ? await recovery.beginAnew(batchId, `recovered by ${by}`)
      : await startAgain(sources.store, await findRecord(sources, batchId), recovery);
  if (!isDone) {
    await pause?.undo();
    return undefined;
  }
  const actor = await unsignedActorOf(sources, { by, batchId });
  const entry = { actor, action: 'recover', detail: { found } };
  await sources.store.audit.append({ ...entry, atMs: nowMs(), batchId });
  return pause === undefined ? 'goes-on' : 'paused';
}

/**
 * Pauses a batch whose sends may be missing from the store; undefined where none can be missing. `undo` lifts the pause,
 * unless the batch was paused before.
 */
async function pauseForgetful(
  { settings, store }: Sources,
  batch: BatchRecord | Readonly<{ batchId: string }>,
  { by, nowMs, age }: Who,
): Promise<Readonly<{ undo(): Promise<void> }> | undefined> {
  // An older copy without the batch has no release of it either, which holds it by itself.
  const { batchId } = batch;
  const restore = await store.restores.of(batchId);
  const isForgetful =
    'accountRef' in batch
      ? restore !== undefined && !isLikelyNew(batch.submittedAtMs, restore)
      : age === 'empty';
  if (!isForgetful) return undefined;
  const before = await store.holds.open(batchId);
  const reason = STORE_REASONS[age] || STORE_REASONS.older;
  const { approval: policy } = settings.rules;
  const pause = { kind: 'PAUSE', reason, by, facts: {}, policy } as const;
  const { n } = await store.holds.put(batchId, pause, nowMs());
  return {
    async undo(): Promise<void> {
      if (before.some((hold) => hold.n === n)) return;
      // Where a policy needs approvals the pause stays on, and people lift it.
      const actor = await unsignedActorOf({ settings, store }, { by, batchId });
      const lift = { batchId, n, by, actor, reason: 'it goes on already' };
      await store.holds.lift({ ...lift, atMs: nowMs() });
    },
  };
}

type Recovery = Awaited<ReturnType<Sources['engine']>>['recovery'];

async function startAgain(
  store: Sources['store'],
  record: BatchRecord,
  recovery: Recovery,
): Promise<boolean> {
  const input = { ...inputOfRecord(record), store: await store.identity.ref() };
  return (await recovery.startAgain(input, aboutRecord(record))) === 'started';
}

/** The first text of the workflow's page in the web UI. */
function aboutRecord({ summary, parentBatchId, generation }: BatchRecord): About {
  const totals = (summary?.currencies ?? []).map(({ total, currency }) =>
    moneyText(total, currency),
  );
  const rows = summary === null ? 'recovered' : rowsInWords(summary.rows);
  const resend = parentBatchId === null ? [] : [`resend ${generation} of ${parentBatchId}`];
  const text = workflowSummary([...resend, rows, ...totals].join(', '));
  return { summary: text, details: text };
}

async function setUp(
  sources: Sources,
  { scheduleId, definition, pausedNote }: LostSchedule,
  { actor, nowMs }: Who,
): Promise<boolean> {
  const { schedules } = await sources.engine();
  const state = { paused: pausedNote !== null, note: pausedNote ?? '' };
  const store = await sources.store.identity.ref();
  await schedules.put(definition, { nowMs: nowMs(), ...state, store });
  const entry = { actor, action: 'schedule-recover', detail: { scheduleId } };
  await sources.store.audit.append({ ...entry, atMs: nowMs(), batchId: null });
  return true;
}
