import type { Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { Hold, HoldKind, PastHold } from '../../domain/holds/hold.ts';
import { appendAudit } from '../audit/append.ts';
import { holdFacts, NAMES } from '../audit/facts.ts';
import { allHolds, type LiftedHold, liftedHolds, openHolds, toHold } from './hold-records.ts';
import { expireHold, liftHold, type LiftRequest, type LiftResult } from './lifts.ts';
import { actorOfUnsigned } from './unsigned-acts.ts';

/** A hold that is to be put on. */
export type NewHold = Omit<Hold, 'n' | 'since'>;

/**
 * `actor`: the actor of the audit entry; missing: that of the hold, marked where a policy counts signatures. `policy`:
 * that of the settings. `replaces`: whether an open hold of the same kind with another reason is replaced, so that the
 * batch is never without one of them.
 */
export type Putting = Readonly<{
  actor?: string;
  policy?: ApprovalPolicy | null;
  replaces?: boolean;
}>;

/** Why batches create nothing for now. While one is open, no attempt of the batch begins. */
export const createHoldStore = ({ db, decide }: Access) => ({
  /** Puts a hold on. An open hold of the same kind stays, and is returned. */
  put: (batchId: string, hold: NewHold & Putting, atMs: number): Promise<Hold> =>
    decide([{ batch: batchId }], (tx) => put(tx, { batchId, hold, atMs })),

  open: (batchId: string): Promise<Hold[]> => openHolds(db, batchId),

  all: (batchId: string): Promise<PastHold[]> => allHolds(db, batchId),

  lifted: (batchId: string, kind: HoldKind): Promise<LiftedHold[]> =>
    liftedHolds(db, batchId, kind),

  lift: (request: LiftRequest): Promise<LiftResult> =>
    decide([{ batch: request.batchId }], (tx) => liftHold(tx, request)),

  expire: (request: Omit<LiftRequest, 'by' | 'actor'>): Promise<boolean> =>
    decide([{ batch: request.batchId }], (tx) => expireHold(tx, request)),
});

type Put = Readonly<{ batchId: string; hold: NewHold & Putting; atMs: number }>;

async function put(tx: Tx, { batchId, hold, atMs }: Put): Promise<Hold> {
  const { by, policy = null, replaces = false } = hold;
  const actor = hold.actor ?? (await actorOfUnsigned(tx, { batchId, by, policy }));
  const open = (await openHolds(tx, batchId)).find(({ kind }) => kind === hold.kind);
  if (open !== undefined && !(replaces && open.reason !== hold.reason)) return open;
  if (open !== undefined) {
    await expireHold(tx, { batchId, n: open.n, reason: `now: ${hold.reason}`, atMs });
  }
  const { count } = await tx
    .selectFrom('hold')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const row = {
    batch_id: batchId,
    n: count + 1,
    kind: hold.kind,
    reason: hold.reason,
    held_by: by,
    since_ms: atMs,
    facts_json: JSON.stringify(hold.facts),
    released_at_ms: null,
    released_by: null,
    release_reason: null,
    release_basis: null,
  };
  await tx.insertInto('hold').values(row).execute();
  const { kind, reason } = hold;
  const detail = { n: row.n, kind, reason };
  const facts = { [NAMES.hold(row.n)]: holdFacts(row) };
  await appendAudit(tx, { atMs, batchId, actor, action: 'hold', detail, facts });
  return toHold(row);
}
