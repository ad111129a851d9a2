import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { BatchAuthority } from '../../domain/approval/audit-authority.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { ApprovalProgress } from '../../domain/approval/standing.ts';
import type { Approval, ApprovalDecision } from '../../domain/approval/statement.ts';
import { submitterIn } from '../../domain/approval/submission.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { answerOf, findAuthorityRow, readFacts, readStanding } from './authority.ts';
import { appendAudit } from '../audit/append.ts';
import { approvalFacts, NAMES } from '../audit/facts.ts';
import { answerOf as storedAnswer } from '../sending/send-records.ts';
import { type GivenApproval, listStatements, readStatements } from './statements.ts';
import { readBatchSubmission } from '../batches/submissions.ts';

export type { GivenApproval } from './statements.ts';

/** Signed statements, byte by byte. No statement is ever changed or removed. */
export const createApprovalStore = ({ db, decide }: Access) => ({
  /**
   * Writes a statement about a batch down, with its entry in the audit log, in one step. Returns false when it was written
   * down before: then nothing changes.
   */
  add: (approval: Approval, atMs: number, batchId = approval.batchId): Promise<boolean> =>
    decide([{ batch: batchId }], (tx) => addApproval(tx, approval, { batchId, atMs })),

  /**
   * Stores the signed submit of a batch, if it proves that a person of the policy submitted this batch, its schedule or
   * its run. Returns the person. Returns undefined, and changes nothing, without such proof.
   */
  addSubmission: (batchId: string, { statement, policy, atMs }: NewSubmission) =>
    decide([{ batch: batchId }], async (tx) => {
      const subjects = await readBatchSubmission(tx, batchId);
      const person = submitterIn(policy, subjects, [statement]);
      if (person !== undefined) await addApproval(tx, statement, { batchId, atMs });
      return person;
    }),

  /** The approvals and refusals of a batch, in order. */
  list: async (batchId: string): Promise<GivenApproval[]> =>
    (await listStatements(db, batchId)).filter(({ approval }) =>
      APPROVALS.includes(approval.decision),
    ),

  /** Every signed statement about a batch, in order. */
  statements: (batchId: string): Promise<GivenApproval[]> => listStatements(db, batchId),

  /** The state of the approvals of a plan, or of one hold of it; null when the plan needs none. */
  standing: (
    batchId: string,
    about: Readonly<{ hold: Hold | null; atMs: number }>,
  ): Promise<ApprovalProgress | null> => readStanding(db, batchId, about),

  /** The person who signed the submit of a batch by this policy; undefined when no statement proves one. */
  submitter: async (batchId: string, policy: ApprovalPolicy): Promise<string | undefined> =>
    submitterIn(policy, await readBatchSubmission(db, batchId), await readStatements(db, batchId)),

  /** The facts that decide whether a batch may pay; undefined: it is not in the store. */
  async authority(batchId: string): Promise<BatchAuthority | undefined> {
    const row = await findAuthorityRow(db, batchId);
    if (row === undefined) return undefined;
    const { answer: _, ...facts } = await readFacts(db, row);
    const answers = await readAnswers(db, batchId);
    return { ...facts, answers, attempts: await countAttempts(db, batchId) };
  },
});

async function readAnswers(db: Db, batchId: string): Promise<BatchAuthority['answers']> {
  const rows = await db
    .selectFrom('chunk')
    .select(['chunk', 'idempotency_key as idempotencyKey', 'answer_json as json'])
    .where('batch_id', '=', batchId)
    .where('answer_json', 'is not', null)
    .execute();
  return rows
    .map(({ json, ...chunk }) => answerOf({ ...chunk, answer: storedAnswer(json).answer ?? null }))
    .filter((answer) => answer !== null);
}

async function countAttempts(db: Db, batchId: string): Promise<number> {
  const { count } = await db
    .selectFrom('attempt')
    .innerJoin('chunk', 'chunk.idempotency_key', 'attempt.idempotency_key')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('chunk.batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  return count;
}

export type NewSubmission = Readonly<{ statement: Approval; policy: ApprovalPolicy; atMs: number }>;

const APPROVALS: readonly ApprovalDecision[] = ['approve', 'refuse'];

type Addressed = Readonly<{ batchId: string; atMs: number }>;

/** `batchId`: the batch that the statement is kept with. A statement about a schedule is kept with each of its batches. */
async function addApproval(
  tx: Tx,
  approval: Approval,
  { batchId, atMs }: Addressed,
): Promise<boolean> {
  const { subject, person, decision, reason, issuedAt, expiresAt, signature } = approval;
  const row = {
    batch_id: batchId,
    subject,
    person,
    decision,
    at_ms: atMs,
    issued_at: issuedAt,
    approval_json: JSON.stringify(approval),
  };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('approval')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;
  const detail = { subject, reason, issuedAt, expiresAt, signed: signature !== null };
  const facts = { [NAMES.approval(row)]: approvalFacts(row) };
  // The plan has an entry "submit" of its own.
  const action = decision === 'submit' ? 'sign-submit' : decision;
  await appendAudit(tx, { atMs, batchId, actor: person, action, detail, facts });
  return true;
}
