import type {
  ControlActivities,
  NotApproved,
  PutHoldInput,
  Released,
  Resumed,
  ResumeInput,
} from '../../contract/activities.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { questionOfBatch } from '../../domain/approval/question.ts';
import { BursarError, type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { type Hold, type HoldKind, isHoldNamed } from '../../domain/holds/hold.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';
import { atBoundary, orRefused } from '../shared/boundary.ts';
import { releaseBatch } from './release-batch.ts';
import { FEE_KINDS, feeHoldOf, whyOutdated } from '../shared/rule-holds.ts';
import { takeStatement } from '../shared/take-statement.ts';

export type ControlDeps = Readonly<{
  store: Store;
  /** The approval policy of this worker's settings: names count for little where there is one, also before a plan is made. */
  policy: ApprovalPolicy | null;
  nowMs(): number;
}>;

/** Decisions of people and rules about a batch that is under way. Each is written down before it counts. */
export const createControlActivities = (deps: ControlDeps): ControlActivities => ({
  readControls: ({ batchId }) =>
    atBoundary(async () => {
      const batch = await deps.store.batches.find(batchId);
      const given = await deps.store.approvals.list(batchId);
      return {
        holds: await deps.store.holds.open(batchId),
        approvals: given.map(({ approval }) => approval),
        policy: batch?.rules?.approval ?? null,
        canceled: await deps.store.batches.canceled(batchId),
      };
    }),

  putHold: (input) => atBoundary(() => putHold(deps, input)),

  resumeBatch: (input) => atBoundary(() => resumeBatch(deps, input)),

  releaseHold: (input) => atBoundary(() => dropOutdatedHold(deps, input)),

  releaseApprovedHold: (input) => atBoundary(() => releaseApprovedHold(deps, input)),

  noteCancel: ({ batchId, by, reason }) =>
    atBoundary(() =>
      deps.store.batches.cancel(batchId, { by, reason, policy: deps.policy }, deps.nowMs()),
    ),

  releaseBatch: ({ batchId }) => orRefused(() => releaseBatch(deps, batchId)),
});

/** The actor of an audit entry for an act without a signature. */
async function actorOf(
  { store, policy }: ControlDeps,
  batchId: string,
  by: string,
): Promise<string> {
  const batch = await store.batches.find(batchId);
  return unsignedActor(batch?.rules?.approval ?? policy, by);
}

/**
 * Puts on a pause of a person, in that person's words. The hold of a rule comes from the store: people approve the
 * reason of a hold, so a caller must not choose it. Example: a rogue workflow puts DAY_LIMIT with the reason "bob
 * approved this by phone". No limit in the store holds the batch, so no hold is put on.
 */
async function putHold(deps: ControlDeps, { batchId, ...asked }: PutHoldInput): Promise<Hold> {
  const { store, nowMs } = deps;
  const { kind, reason, by } = asked;
  if (kind === 'PAUSE') {
    const actor = await actorOf(deps, batchId, by);
    return store.holds.put(batchId, { kind, reason, by, facts: {}, actor }, nowMs());
  }
  // `checkFunds` has put it on.
  const ofDay = kind === 'DAY_LIMIT' ? await openHoldOf(store, batchId, kind) : undefined;
  if (ofDay !== undefined) return ofDay;
  const ofFees = FEE_KINDS.includes(kind)
    ? feeHoldOf(await store.batches.find(batchId))
    : undefined;
  if (ofFees !== undefined) {
    return store.holds.put(batchId, { ...ofFees, by: ENGINE, replaces: true }, nowMs());
  }
  const problem = `no rule holds batch ${batchId} for ${kind}`;
  throw new BursarError('INPUT_INVALID', { activity: 'putHold', problem });
}

const openHoldOf = async (
  { holds }: Store,
  batchId: string,
  kind: HoldKind,
): Promise<Hold | undefined> => (await holds.open(batchId)).find((hold) => hold.kind === kind);

/**
 * Lifts the named hold, else a person's pause first. The store decides and not the workflow: under a policy, as many
 * people as for the plan must have signed an approval of this hold.
 */
async function resumeBatch(deps: ControlDeps, input: ResumeInput): Promise<Resumed> {
  const { batchId, stopped = null, hold: asked } = input;
  if (stopped !== null) {
    await noteRefused(deps, input, { code: 'BATCH_STOPPED' });
    return { kind: 'stopped', stopped };
  }
  const open = await deps.store.holds.open(batchId);
  const hold =
    asked === undefined
      ? (open.find(({ kind }) => kind === 'PAUSE') ?? open[0])
      : open.find((one) => isHoldNamed(one, asked));
  return hold === undefined ? whyNone(deps, input, open) : lift(deps, input, hold);
}

async function lift(deps: ControlDeps, input: ResumeInput, hold: Hold): Promise<Resumed> {
  const { batchId, by, reason, approval } = input;
  const refusal =
    (await refusalBeforePlan(deps, batchId)) ??
    (approval === undefined ? null : await takeApproval(deps, input, hold));
  if (refusal !== null) {
    await noteRefused(deps, input, { code: refusal.code, n: hold.n });
    return { kind: 'refused', error: refusal };
  }
  const atMs = deps.nowMs();
  if (!(await mayLiftByName(deps, input, { hold, atMs }))) {
    await noteRefused(deps, input, { code: 'HOLD_NEEDS_APPROVAL', n: hold.n });
    return { kind: 'needs-approval', hold };
  }
  const actor = await actorOf(deps, batchId, by);
  const result = await deps.store.holds.lift({ batchId, n: hold.n, by, actor, reason, atMs });
  if (result.kind !== 'not-approved') return { kind: 'resumed', hold };
  const { missing } = result;
  if (approval !== undefined) return { kind: 'recorded', hold, missing };
  await noteRefused(deps, input, { code: 'HOLD_NEEDS_APPROVAL', n: hold.n });
  return { kind: 'needs-approval', hold };
}

/**
 * Before the plan no person can sign an approval of a hold, and no plan waits for the end of a pause. So where the
 * settings have a policy, every hold stays on until the plan is made.
 */
async function refusalBeforePlan(
  { store, policy }: ControlDeps,
  batchId: string,
): Promise<ErrorNote | null> {
  const batch = await store.batches.find(batchId);
  const isTooEarly = policy !== null && batch !== undefined && batch.digest === null;
  return isTooEarly ? noteOf('RESUME_BEFORE_PLAN', { batchId }) : null;
}

/** An older copy of the store can lack the policy of the plan. Its workflow still has it, and `rulesToo` is false then. */
async function mayLiftByName(
  { store }: ControlDeps,
  { batchId, rulesToo }: ResumeInput,
  about: Readonly<{ hold: Hold; atMs: number }>,
): Promise<boolean> {
  if (rulesToo || about.hold.kind === 'PAUSE') return true;
  return (await store.approvals.standing(batchId, about)) !== null;
}

/** Writes the approval of a hold down; returns why it does not count, or null. */
async function takeApproval(
  { store, nowMs }: ControlDeps,
  { batchId, approval }: ResumeInput,
  hold: Hold,
): Promise<ErrorNote | null> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined || approval === undefined) return null;
  return takeStatement(store, {
    statement: approval,
    question: questionOfBatch(batch, hold),
    nowMs,
  });
}

/** An activity is carried out again when its answer is lost: then the hold was lifted by this very request. */
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
  { batchId, by, reason, approval, hold: asked }: ResumeInput,
): Promise<Hold | undefined> {
  if (asked === undefined) return undefined;
  const past = (await store.holds.all(batchId)).find((one) => isHoldNamed(one, asked));
  if (past === undefined || past.released === null) return undefined;
  const { released, ...hold } = past;
  const isOurs =
    approval === undefined
      ? released.by === by && released.reason === reason
      : names(released.by).includes(approval.person);
  return isOurs ? hold : undefined;
}

const names = (by: string): string[] => by.split(', ');

/** The store has no open hold. The workflow may have one that an older copy of the store forgot, and then goes on. */
async function noteUnheld(deps: ControlDeps, input: ResumeInput): Promise<void> {
  const { batchId, by, reason, hold: { n } = {}, forgotten = false } = input;
  const named = n === undefined ? {} : { n };
  if (!forgotten) return noteRefused(deps, input, { code: 'NOT_HELD', ...named });
  const actor = await actorOf(deps, batchId, by);
  const entry = { batchId, actor, action: 'resume', detail: { ...named, reason, forgotten } };
  await deps.store.audit.append({ atMs: deps.nowMs(), ...entry });
}

async function noteRefused(
  deps: ControlDeps,
  { batchId, by, reason }: ResumeInput,
  why: Readonly<{ code: string; n?: number }>,
): Promise<void> {
  const actor = await actorOf(deps, batchId, by);
  const entry = { batchId, actor, action: 'resume-rejected', detail: { ...why, reason } };
  await deps.store.audit.append({ atMs: deps.nowMs(), ...entry });
}

/** Lifts the hold for the people who approved it, by the approvals in the store. */
async function releaseApprovedHold(
  { store, nowMs }: ControlDeps,
  { batchId, n }: Readonly<{ batchId: string; n: number }>,
): Promise<Released | NotApproved> {
  const hold = (await store.holds.open(batchId)).find((one) => one.n === n);
  // An activity may run again after it did its work.
  if (hold === undefined) return { kind: 'released' };
  const atMs = nowMs();
  if ((await store.approvals.standing(batchId, { hold, atMs })) === null) {
    throw new BursarError('INTERNAL', { message: `nobody need approve hold ${n} of ${batchId}` });
  }
  const result = await store.holds.lift({
    batchId,
    n,
    by: ENGINE,
    actor: ENGINE,
    reason: 'approved',
    atMs,
  });
  return result.kind === 'not-approved'
    ? { kind: 'not-approved', missing: result.missing }
    : { kind: 'released' };
}

/** Takes off a hold of a fee rule or of the limit of a day, if that rule allows the payment now. Other holds stay on. */
async function dropOutdatedHold(
  { store, nowMs }: ControlDeps,
  { batchId, n }: Parameters<ControlActivities['releaseHold']>[0],
): Promise<void> {
  const batch = await store.batches.find(batchId);
  const hold = (await store.holds.open(batchId)).find((one) => one.n === n);
  if (batch === undefined || hold === undefined) return;
  const atMs = nowMs();
  const reason = await whyOutdated(store, batch, { hold, nowMs: atMs });
  if (reason === null) {
    throw new BursarError('HOLD_NEEDS_APPROVAL', { batchId, hold: hold.reason });
  }
  await store.holds.expire({ batchId, n, reason, atMs });
}
