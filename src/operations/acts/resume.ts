import type { Approval } from '../../domain/approval/statement.ts';
import { type Question, questionOfBatch } from '../../domain/approval/question.ts';
import type { ErrorCode } from '../../domain/errors/catalogue.ts';
import { BursarError, errorOfNote } from '../../domain/errors/bursar-error.ts';
import { type Hold, type HoldRef, holdText } from '../../domain/holds/hold.ts';
import { refuseUnsigned, unsignedAct } from '../approval/submitter.ts';
import { recordRefusal } from '../batch/on-record.ts';
import type { OperationContext } from '../context.ts';
import {
  type ActChoices,
  type AskedAct,
  type OpenBatch,
  openBatchOf,
  withAct,
} from './act-on-batch.ts';

/** `question`: the question that signatures answer; null: none is needed. `isChoice`: whether it can be lifted now. */
export type LiftableHold = Readonly<{ hold: Hold; question: Question | null; isChoice: boolean }>;

/** The open holds of a batch. */
export type LiftableHolds = Readonly<{
  schema: 'bursar.liftable-holds/v1';
  batchId: string;
  holds: readonly LiftableHold[];
}>;

/** `hold`: the one that the person has read, by its number; missing: the only one. `approval`: a signature that lifts it. */
export type ResumeChoices = ActChoices & Readonly<{ hold?: number; approval?: Approval }>;

export type ResumeResult = Readonly<{
  schema: 'bursar.resume/v1';
  batchId: string;
  by: string;
  reason: string;
  /** The hold that was lifted or approved; null: the batch had none in this store. */
  hold: Hold | null;
  /** Who must still sign, in sentences; empty: the hold is lifted. */
  missing: readonly string[];
  /** The other holds, which stay. */
  stays: readonly Hold[];
}>;

/** The open holds, each with the question that its signature answers. */
export const liftableHolds = (
  choices: ActChoices,
  context: OperationContext,
): Promise<LiftableHolds> =>
  withAct(choices, context, (asked) =>
    onRecord(asked, context, async () => {
      const batch = await openBatchOf(asked, { mayBeAway: false });
      const { batchId } = batch;
      const open = await openHolds(batch);
      const free = choicesAmong(batch, open);
      const holds = open.map((hold) => ({
        hold,
        question: questionOf(batch, hold),
        isChoice: free.includes(hold),
      }));
      return { schema: 'bursar.liftable-holds/v1', batchId, holds };
    }),
  );

/**
 * Lifts one hold, of a person or of a rule, and never one that the person has not read. @throws HOLD_UNCLEAR where there
 * are several and none is named, APPROVAL_UNSIGNED where the policy of the plan counts signatures and there is none, TOKEN_APPROVES_NOTHING.
 */
export const resumeBatch = (
  choices: ResumeChoices,
  context: OperationContext,
): Promise<ResumeResult> =>
  withAct(choices, context, (asked) =>
    onRecord(asked, context, async () =>
      resumeOne(await openBatchOf(asked, { mayBeAway: false }), choices, context),
    ),
  );

async function resumeOne(
  batch: OpenBatch,
  { hold: n, approval: signed }: ResumeChoices,
  context: OperationContext,
): Promise<ResumeResult> {
  const { batchId, act, sources } = batch;
  const { store } = sources;
  if (signed !== undefined) refuseUnsigned(signed, context);
  const open = await openHolds(batch);
  const hold = n === undefined ? onlyOf(batch, open) : open.find((one) => one.n === n);
  const approval = signed ?? unsignedLift(batch, hold, context);
  const refusal = await (await sources.engine()).resume(batchId, {
    ...act,
    ...nameOf(hold, n),
    ...(approval === undefined ? {} : { approval }),
  });
  if (refusal !== null) throw errorOfNote(refusal);
  const isOn = (await store.holds.open(batchId)).some((one) => one.n === hold?.n);
  const asked = isOn && hold !== undefined ? { hold, atMs: context.clock.nowMs() } : null;
  const standing = asked === null ? null : await store.approvals.standing(batchId, asked);
  return {
    schema: 'bursar.resume/v1',
    batchId,
    ...act,
    hold: hold ?? null,
    missing: standing?.missing ?? [],
    stays: open.filter((one) => one !== hold),
  };
}

/** Refusals without the batch. A running batch stores its own. */
const REFUSED_HERE: readonly ErrorCode[] = ['BATCH_ENDED', 'TOKEN_APPROVES_NOTHING'];

async function onRecord<Result>(
  { batchId, sources, act: { reason } }: AskedAct,
  context: OperationContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BursarError && REFUSED_HERE.includes(error.code)) {
      const tried = { action: 'resume', batchId, detail: { reason } } as const;
      await recordRefusal(tried, error, { sources, context });
    }
    throw error;
  }
}

const questionOf = ({ record }: OpenBatch, hold: Hold): Question | null =>
  record === undefined ? null : questionOfBatch(record, hold);

/** The statement of a person without a key. @throws APPROVAL_UNSIGNED where the policy counts signatures only. */
function unsignedLift(
  batch: OpenBatch,
  hold: Hold | undefined,
  { clock, overHttp }: OperationContext,
): Approval | undefined {
  const question = hold === undefined ? null : questionOf(batch, hold);
  const { by, reason } = batch.act;
  return question === null
    ? undefined
    : unsignedAct(question, {
        person: by,
        reason,
        nowMs: clock.nowMs(),
        ...(overHttp && { overHttp }),
      });
}

/** A hold that this store lacks goes to the batch, which returns its holds. */
function nameOf(hold: Hold | undefined, n: number | undefined): Readonly<{ hold?: HoldRef }> {
  if (hold !== undefined) return { hold: { n: hold.n, since: hold.since } };
  return n === undefined ? {} : { hold: { n } };
}

/** The holds of the store. An older copy of it may lack the hold that the batch waits for. */
async function openHolds({ batchId, sources }: OpenBatch): Promise<readonly Hold[]> {
  const stored = await sources.store.holds.open(batchId);
  if (stored.length > 0) return stored;
  return (await (await sources.engine()).status(batchId))?.holds ?? [];
}

/** A hold that an approval lifts cannot be resumed while a person has paused the batch. */
function choicesAmong({ record }: OpenBatch, open: readonly Hold[]): readonly Hold[] {
  const byApproval = record !== undefined && questionOfBatch(record, null) !== null;
  const pauses = open.filter(({ kind }) => kind === 'PAUSE');
  return byApproval && pauses.length > 0 ? pauses : open;
}

/** The only hold to choose; undefined where there is none, and the batch answers. */
function onlyOf(batch: OpenBatch, open: readonly Hold[]): Hold | undefined {
  const choices = choicesAmong(batch, open);
  const [only, ...more] = choices;
  if (more.length === 0) return only;
  const { batchId } = batch;
  throw new BursarError('HOLD_UNCLEAR', { batchId, open: choices.map(holdText).join(', ') });
}
