import type { Settings } from '../../config.ts';
import { instantText } from '../../domain/approval/instant.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { type Question, consentOf } from '../../domain/approval/question.ts';
import {
  type Approval,
  type ApprovalDecision,
  statementText,
} from '../../domain/approval/statement.ts';
import type { SubmissionSubject } from '../../domain/approval/submission.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { actorOf } from '../batch/actor.ts';
import type { OperationContext } from '../context.ts';
import { type PassphraseFlags, readSigningKey } from '../prompts/passphrase.ts';

/** The flag of each command whose act may need a signature. */
export type KeyFlag = PassphraseFlags & Readonly<{ key?: string }>;

/** The person at this machine. Without a key the name is a bare one, and `sign` returns null. */
export type ActingPerson = Readonly<{
  name: string;
  sign(about: SubmissionSubject, wording: Wording): Approval | null;
}>;

export type Wording = Readonly<{ decision: ApprovalDecision; reason: string }>;

type Place = Readonly<{ settings: Settings; context: OperationContext }>;

/**
 * The person who acts: the owner of the key by the policy, else the name of the settings. The key is that of the flag, else
 * `operator.key_file`. Throws APPROVER_UNKNOWN, and what {@link readSigningKey} throws.
 */
export async function actingPerson(
  { key, ...passphrase }: KeyFlag,
  policy: ApprovalPolicy | null,
  { settings, context }: Place,
): Promise<ActingPerson> {
  const name = actorOf(settings, context);
  const file = key ?? settings.operator.keyFile;
  if (policy === null || file === undefined) return { name, sign: () => null };
  const { publicKey, sign } = await readSigningKey(
    { key: file, ...passphraseOf(passphrase) },
    context,
  );
  const owner = policy.people.find((person) => person.publicKey === publicKey);
  if (owner === undefined) throw new BursarError('APPROVER_UNKNOWN', { person: publicKey });
  return {
    name: owner.name,
    sign: (about, { decision, reason }) => {
      const nowMs = context.clock.nowMs();
      const statement = {
        ...about,
        decision,
        person: owner.name,
        reason,
        issuedAt: instantText(nowMs),
        expiresAt: instantText(nowMs + policy.expiresAfterMs),
      };
      return { ...statement, signature: sign(statementText(statement)) };
    },
  };
}

/** The flags of a command hold more than its passphrase. */
const passphraseOf = ({ passphraseFile }: PassphraseFlags): PassphraseFlags =>
  passphraseFile === undefined ? {} : { passphraseFile };

/** Signs the act of a question. Throws APPROVAL_UNSIGNED without a key, where the policy counts signatures only. */
export function signAct(
  person: ActingPerson,
  question: Question,
  { reason, nowMs }: Readonly<{ reason: string; nowMs: number }>,
): Approval {
  const { batchId, subject, policy } = question;
  const decision = consentOf(question);
  const signed = person.sign({ batchId, subject }, { decision, reason });
  if (signed !== null) return signed;
  if (policy.mode === 'signed') throw new BursarError('APPROVAL_UNSIGNED', { person: person.name });
  return {
    batchId,
    subject,
    decision,
    person: person.name,
    reason,
    issuedAt: instantText(nowMs),
    expiresAt: instantText(nowMs + policy.expiresAfterMs),
    signature: null,
  };
}

type Submitting = Readonly<{
  policy: ApprovalPolicy | null;
  /** Whether the batch needs approvals. */
  isNeeded: boolean;
  reason?: string;
}>;

/**
 * Signs a submit, if there is a key. Throws SUBMIT_UNSIGNED where the policy needs a signature and there is no key.
 * Without this check the worker would refuse the plan.
 */
export function signSubmit(
  person: ActingPerson,
  about: SubmissionSubject,
  { policy, isNeeded, reason = '' }: Submitting,
): Readonly<{ submission?: Approval }> {
  const submission = person.sign(about, { decision: 'submit', reason });
  if (submission !== null) return { submission };
  if (!isNeeded || policy?.mode !== 'signed') return {};
  throw new BursarError('SUBMIT_UNSIGNED', { batchId: about.batchId, submittedBy: person.name });
}
