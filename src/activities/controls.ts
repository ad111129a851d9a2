import type {
  ControlActivities,
  NotApproved,
  PutHoldInput,
  Released,
  Resumed,
  ResumeInput,
} from '../contract/activities.ts';
import { questionOfBatch } from '../domain/approval/question.ts';
import type { Standing } from '../domain/approval/standing.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { type Hold, isHoldNamed } from '../domain/holds/hold.ts';
import type { Store } from '../store/store.ts';
import type { ApprovalGate } from './approval-gate.ts';
import { atBoundary, orRefused } from './boundary.ts';

export type ControlDeps = Readonly<{
  store: Pick<Store, 'approvals' | 'audit' | 'batches' | 'funds' | 'holds'>;
  gate: ApprovalGate;
  nowMs(): number;
}>;

/** What people and rules decide about a batch that is under way, written down before it counts. */
export const createControlActivities = (deps: ControlDeps): ControlActivities => ({
  readControls: ({ batchId }) =>
    atBoundary(async () => {
      const batch = await deps.store.batches.find(batchId);
      const given = await deps.store.approvals.list(batchId);
      return {
        holds: await deps.store.holds.open(batchId),
        approvals: given.map(({ approval }) => approval),
        policy: batch?.rules?.approval ?? null,
        canceled: batch?.canceled ?? null,
      };
    }),

  putHold: ({ batchId, ...hold }: PutHoldInput) =>
    atBoundary(() => deps.store.holds.put(batchId, hold, deps.nowMs())),

  resumeBatch: (input) => atBoundary(() => resumeBatch(deps, input)),

  releaseHold: (input) => atBoundary(() => releaseHold(deps, input)),

  releaseApprovedHold: (input) => atBoundary(() => releaseApprovedHold(deps, input)),

  noteCancel: ({ batchId, by, reason }) =>
    atBoundary(() => deps.store.batches.cancel(batchId, { by, reason }, deps.nowMs())),

  releaseBatch: ({ batchId }) =>
    orRefused(async () => {
      const batch = await deps.store.batches.find(batchId);
      if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
      const atMs = deps.nowMs();
      // What was allowed before stays allowed: a batch that was reset goes on.
      if (batch.releasedAtMs !== null) return { kind: 'released' as const };
      if (batch.endState !== null) {
        throw new BursarError('BATCH_ENDED', { batchId, state: batch.endState });
      }
      const standing = await deps.gate.standing(batch, { atMs, hold: null });
      if (standing !== null && !standing.satisfied) return notApproved(standing);
      if (!(await deps.store.funds.isGranted(batchId))) {
        throw new BursarError('INTERNAL', { message: `no funds were granted to batch ${batchId}` });
      }
      await deps.store.batches.release(batchId, atMs);
      return { kind: 'released' as const };
    }),
});

/**
 * The hold that was read by whoever asks, else a person's pause first. The store is asked and not the workflow, which may
 * not have heard of hold or policy yet.
 */
async function resumeBatch(deps: ControlDeps, input: ResumeInput): Promise<Resumed> {
  const { batchId, by, reason, rulesToo, stopped = null, hold: asked } = input;
  if (stopped !== null) {
    await noteRefused(deps, input, { code: 'BATCH_STOPPED' });
    return { kind: 'stopped', stopped };
  }
  const open = await deps.store.holds.open(batchId);
  const hold =
    asked === undefined
      ? (open.find(({ kind }) => kind === 'PAUSE') ?? open[0])
      : open.find((one) => isHoldNamed(one, asked));
  if (hold === undefined) return whyNone(deps, input, open);
  if (hold.kind !== 'PAUSE' && !(rulesToo && (await goesOnByResume(deps, batchId)))) {
    await noteRefused(deps, input, { code: 'HOLD_NEEDS_APPROVAL', n: hold.n });
    return { kind: 'needs-approval', hold };
  }
  await releaseHold(deps, { batchId, n: hold.n, by, reason });
  return { kind: 'resumed', hold };
}

/** What was asked for may be so already: the activity is carried out again when its answer is lost. */
async function whyNone(
  deps: ControlDeps,
  input: ResumeInput,
  open: readonly Hold[],
): Promise<Resumed> {
  const { hold: asked } = input;
  const done = await doneBefore(deps, input);
  if (done !== undefined) return { kind: 'resumed', hold: done };
  if (open.length === 0 || asked === undefined) {
    await noteUnheld(deps, input);
    return { kind: 'not-held' };
  }
  await noteRefused(deps, input, { code: 'HOLD_NOT_OPEN', n: asked.n });
  return { kind: 'not-open', open };
}

async function doneBefore(
  { store }: ControlDeps,
  { batchId, by, reason, hold: asked }: ResumeInput,
): Promise<Hold | undefined> {
  if (asked === undefined) return undefined;
  const past = (await store.holds.all(batchId)).find((one) => isHoldNamed(one, asked));
  if (past?.released?.by !== by || past.released.reason !== reason) return undefined;
  const { released: _released, ...hold } = past;
  return hold;
}

/** Nothing holds the batch, as far as the store knows; the batch itself may know better, and go on by this. */
async function noteUnheld(deps: ControlDeps, input: ResumeInput): Promise<void> {
  const { batchId, by: actor, reason, hold: { n } = {}, forgotten = false } = input;
  const named = n === undefined ? {} : { n };
  if (!forgotten) return noteRefused(deps, input, { code: 'NOT_HELD', ...named });
  const detail = { ...named, reason, forgotten };
  const entry = { batchId, actor, action: 'resume', detail };
  await deps.store.audit.append({ atMs: deps.nowMs(), ...entry });
}

async function noteRefused(
  { store, nowMs }: ControlDeps,
  { batchId, by, reason }: ResumeInput,
  why: Readonly<{ code: string; n?: number }>,
): Promise<void> {
  const detail = { ...why, reason };
  const entry = { batchId, actor: by, action: 'resume-rejected', detail };
  await store.audit.append({ atMs: nowMs(), ...entry });
}

/** Whether the policy of the plan asks nobody: then what a rule holds goes on when it is resumed. */
async function goesOnByResume({ store }: ControlDeps, batchId: string): Promise<boolean> {
  const batch = await store.batches.find(batchId);
  return batch !== undefined && questionOfBatch(batch, null) === null;
}

/** Whatever the workflow believed: the approvals of a hold are those of the store, as they hold now. */
async function releaseApprovedHold(
  deps: ControlDeps,
  { batchId, n }: Readonly<{ batchId: string; n: number }>,
): Promise<Released | NotApproved> {
  const { store, gate, nowMs } = deps;
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  const hold = (await store.holds.open(batchId)).find((one) => one.n === n);
  // An activity may run again after it did its work.
  if (hold === undefined) return { kind: 'released' };
  const standing = await gate.standing(batch, { atMs: nowMs(), hold });
  if (standing === null) {
    throw new BursarError('INTERNAL', { message: `nobody need approve hold ${n} of ${batchId}` });
  }
  if (!standing.satisfied) return notApproved(standing);
  const by = standing.approvals.map(({ person }) => person).join(', ');
  await releaseHold(deps, { batchId, n, by, reason: 'approved' });
  return { kind: 'released' };
}

const notApproved = ({ missing }: Standing): NotApproved => ({
  kind: 'not-approved',
  missing: missing.join('; ') || 'somebody refused it',
});

/** What was so when the hold was put on is what people read, and so what they accept: more losses since hold the batch anew. */
async function releaseHold(
  { store, nowMs }: ControlDeps,
  { batchId, n, by, reason }: Parameters<ControlActivities['releaseHold']>[0],
): Promise<void> {
  const hold = (await store.holds.open(batchId)).find((one) => one.n === n);
  if (hold === undefined) return;
  // Whoever lets a batch go on that the store does not know to have been let go lets it go.
  if (hold.kind === 'APPROVAL') await store.batches.release(batchId, nowMs());
  await store.holds.release(batchId, n, { by, reason, atMs: nowMs() });
}
