import type { Db } from '../database/db.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { findAuthorityRow, policyIn } from './authority.ts';

/** An act on a batch that carries no signature. `policy`: that of the settings, which counts before the batch has its own. */
export type UnsignedAct = Readonly<{ batchId: string; by: string; policy?: ApprovalPolicy | null }>;

/** Returns the actor of the audit entry: the name, marked where a policy counts signatures. */
export async function actorOfUnsigned(
  db: Db,
  { batchId, by, policy = null }: UnsignedAct,
): Promise<string> {
  const row = await findAuthorityRow(db, batchId);
  const own = row === undefined ? null : policyIn(row);
  return unsignedActor(own ?? policy, by);
}
