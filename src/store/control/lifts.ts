import type { Tx } from '../database/db.ts';
import { RULE_LIFTED } from '../../domain/approval/authority.ts';
import { isDue, isReleased } from '../../domain/approval/due.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import { signedAct } from '../../domain/approval/signed-act.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Hold, LiftBasis } from '../../domain/holds/hold.ts';
import { appendAudit } from '../audit/append.ts';
import { NAMES } from '../audit/facts.ts';
import {
  authorityRow,
  findAuthorityRow,
  policyIn,
  readStanding,
  releaseTimesOf,
} from './authority.ts';
import { release } from '../batches/changes.ts';
import { openHolds } from './hold-records.ts';
import { ENGINE } from '../audit/audited.ts';

/**
 * The hold to lift, and the person who lifts it. `by` is a bare name: it counts only without a policy, as `reason`
 * does. `actor`: the actor of the audit entry when no signed statement lifts the hold; missing: `by`, marked where a
 * policy is in force.
 */
export type LiftRequest = Readonly<{
  batchId: string;
  n: number;
  by: string;
  actor?: string;
  reason: string;
  atMs: number;
}>;

/** `not-on`: the hold was lifted before, or never was. `not-approved`: signed approvals of it are missing. */
export type LiftResult = Readonly<
  | { kind: 'lifted'; hold: Hold }
  | { kind: 'not-on' }
  | { kind: 'not-approved'; hold: Hold; missing: string }
>;

/**
 * Lifts a hold, if statements in the store allow it. As many people as the policy needs for this batch must have
 * approved this hold. Without a policy the given name is enough.
 */
export async function liftHold(tx: Tx, request: LiftRequest): Promise<LiftResult> {
  const { batchId, n, by, reason, atMs } = request;
  const hold = (await openHolds(tx, batchId)).find((one) => one.n === n);
  if (hold === undefined) return { kind: 'not-on' };
  const row = await authorityRow(tx, batchId);
  const standing = await readStanding(tx, batchId, { hold, atMs });
  if (standing !== null && !standing.satisfied) {
    return { kind: 'not-approved', hold, missing: missingText(standing.missing) };
  }
  // Where the store lacks the release of a batch, the people who lift this hold release it, if it is due.
  const { dueAtMs } = releaseTimesOf(row);
  if (hold.kind === 'APPROVAL' && isDue(dueAtMs, atMs)) {
    await release(tx, { batchId, atMs, dueAtMs });
  }
  if (standing !== null) {
    const act = signedAct(standing.approvals);
    await takeOff(tx, { batchId, n, basis: 'approvals', by: act.actor, ...act, atMs });
    return { kind: 'lifted', hold };
  }
  const basis = row.digest === null ? 'unplanned' : 'name';
  const actor = request.actor ?? unsignedActor(policyIn(row), by);
  await takeOff(tx, { batchId, n, basis, by, actor, reason, atMs });
  return { kind: 'lifted', hold };
}

/** Lifts a hold of a rule that no longer applies. Returns whether it was on. */
export async function expireHold(
  tx: Tx,
  { batchId, n, reason, atMs }: Omit<LiftRequest, 'by' | 'actor'>,
): Promise<boolean> {
  const hold = (await openHolds(tx, batchId)).find((one) => one.n === n);
  if (hold === undefined) return false;
  if (!RULE_LIFTED.includes(hold.kind)) {
    throw new BursarError('INTERNAL', { message: `no rule takes hold ${n} of ${batchId} off` });
  }
  await takeOff(tx, { batchId, n, basis: 'rule', by: ENGINE, actor: ENGINE, reason, atMs });
  return true;
}

/**
 * `released`: the batch may pay. `not-approved`: signed approvals of its plan are missing. `not-due`: the time that its plan names
 * lies ahead. `closed`: it has ended, or never was.
 */
export type ReleaseResult = Readonly<
  | { kind: 'released' }
  | { kind: 'closed' }
  | { kind: 'not-due'; dueAtMs: number }
  | { kind: 'not-approved'; missing: string }
>;

/** Releases a batch that is due, and whose plan is approved by statements in the store. One that was released before stays so. */
export async function releaseIfApproved(
  tx: Tx,
  { batchId, atMs }: Readonly<{ batchId: string; atMs: number }>,
): Promise<ReleaseResult> {
  const row = await findAuthorityRow(tx, batchId);
  if (row === undefined) return { kind: 'closed' };
  const times = releaseTimesOf(row);
  const { dueAtMs } = times;
  if (isReleased(times)) return { kind: 'released' };
  if (row.end_state !== null) return { kind: 'closed' };
  if (dueAtMs !== null && !isDue(dueAtMs, atMs)) return { kind: 'not-due', dueAtMs };
  const standing = await readStanding(tx, batchId, { hold: null, atMs });
  if (standing !== null && !standing.satisfied) {
    return { kind: 'not-approved', missing: missingText(standing.missing) };
  }
  await release(tx, { batchId, atMs, dueAtMs });
  return { kind: 'released' };
}

const missingText = (missing: readonly string[]): string =>
  missing.join('; ') || 'one of the approvers refused it';

type Taking = Readonly<{
  batchId: string;
  n: number;
  basis: LiftBasis;
  by: string;
  /** The actor of the audit entry. */
  actor: string;
  reason: string;
  atMs: number;
}>;

async function takeOff(tx: Tx, taking: Taking): Promise<void> {
  const { batchId, n, basis, by, actor, reason, atMs } = taking;
  const set = {
    released_at_ms: atMs,
    released_by: by,
    release_reason: reason,
    release_basis: basis,
  };
  await tx
    .updateTable('hold')
    .set(set)
    .where('batch_id', '=', batchId)
    .where('n', '=', n)
    .where('released_at_ms', 'is', null)
    .execute();
  const facts = { [NAMES.hold(n)]: set };
  await appendAudit(tx, { atMs, batchId, actor, action: 'resume', detail: { n, reason }, facts });
}
