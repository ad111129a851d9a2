import type { Settings } from '../../config.ts';
import { instantText } from '../../domain/approval/instant.ts';
import { proofOf, untimeliness } from '../../domain/approval/check-approval.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { consentOf, type Question, questionOf } from '../../domain/approval/question.ts';
import {
  type Approval,
  type ApprovalDecision,
  statementText,
} from '../../domain/approval/statement.ts';
import type { SubmissionSubject } from '../../domain/approval/submission.ts';
import { BursarError, errorOfNote } from '../../domain/errors/bursar-error.ts';
import { actorOf } from '../batch/actor.ts';
import type { OperationContext } from '../context.ts';
import { type PassphraseFlags, readSigningKey } from '../prompts/passphrase.ts';
import { olderStoreSubject } from '../../domain/approval/older-store.ts';
import type { Store } from '../../store/index.ts';
import { impossibilityOf } from '../../domain/approval/standing.ts';
import type { PlanView } from '../file/plan-view.ts';
import type { SubmissionQuestion } from './submission-question.ts';

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

/**
 * Who submits: who signed, else the caller. Nobody submits in the name of another person without that person's signature, also
 * where no policy counts signatures. @throws APPROVER_UNKNOWN, APPROVAL_UNSIGNED, APPROVAL_FORGED, APPROVAL_EXPIRED,
 * APPROVAL_FROM_FUTURE, and APPROVAL_FOR_ANOTHER for a signature of another submission
 */
export function personOfSubmission(
  submission: Approval | undefined,
  { settings, context }: Place,
): ActingPerson {
  const { people } = settings;
  if (submission === undefined) return { name: actorOf(settings, context), sign: () => null };
  const { person, decision, subject } = submission;
  const known = people.find(({ name }) => name === person);
  if (known === undefined) throw new BursarError('APPROVER_UNKNOWN', { person });
  const proof = proofOf(submission, known.publicKey);
  if (proof === 'unsigned') throw new BursarError('APPROVAL_UNSIGNED', { person });
  if (proof === 'forged') throw new BursarError('APPROVAL_FORGED', { person });
  // Whoever kept a signature cannot submit by it later, such as a schedule that was deleted.
  const late = untimeliness(submission, context.clock.nowMs());
  if (late !== null) throw errorOfNote(late);
  return {
    name: person,
    sign({ batchId, subject: expected }) {
      const isMeant = decision === 'submit' && submission.batchId === batchId;
      if (isMeant && subject === expected) return submission;
      const given = `${decision} of ${subject} of batch ${submission.batchId}`;
      throw new BursarError('APPROVAL_FOR_ANOTHER', { given, expected, batchId });
    },
  };
}

/**
 * The signature of the person at this machine under a submission, where there is a key. @throws SUBMIT_UNSIGNED where the policy
 * needs a signature and there is no key
 */
export async function signHere(
  { policy, isNeeded, batchId, subject }: SubmissionQuestion,
  { reason = '', ...key }: KeyFlag & Readonly<{ reason?: string }>,
  place: Place,
): Promise<Readonly<{ submission?: Approval }>> {
  const person = await actingPerson(key, policy, place);
  return signSubmit(person, { batchId, subject }, { policy, isNeeded, reason });
}

/** {@link signHere} for several submissions of one policy. The key is read once, so that its passphrase is typed once. */
export async function signAllHere(
  questions: readonly SubmissionQuestion[],
  { reason, ...key }: KeyFlag & Readonly<{ reason: string }>,
  place: Place,
): Promise<readonly Approval[]> {
  const [first] = questions;
  if (first === undefined) return [];
  const { policy } = first;
  const person = await actingPerson(key, policy, place);
  return questions
    .map(({ isNeeded, batchId, subject }) =>
      signSubmit(person, { batchId, subject }, { policy, isNeeded, reason }),
    )
    .flatMap(({ submission }) => submission ?? []);
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
  const { batchId, subject } = question;
  const signed = person.sign({ batchId, subject }, { decision: consentOf(question), reason });
  return signed ?? unsignedAct(question, { person: person.name, reason, nowMs });
}

/** `overHttp`: whether the caller is a token or a session, whose name approves nothing. */
type UnsignedAct = Readonly<{ person: string; reason: string; nowMs: number; overHttp?: true }>;

/**
 * The act of a person without a key. Throws APPROVAL_UNSIGNED where the policy counts signatures only, and
 * TOKEN_APPROVES_NOTHING over HTTP.
 */
export function unsignedAct(question: Question, act: UnsignedAct): Approval {
  const { person, reason, nowMs, overHttp } = act;
  const { batchId, subject, policy } = question;
  if (policy.mode === 'signed') throw new BursarError('APPROVAL_UNSIGNED', { person });
  if (overHttp) throw new BursarError('TOKEN_APPROVES_NOTHING', { name: person });
  return {
    batchId,
    subject,
    decision: consentOf(question),
    person,
    reason,
    issuedAt: instantText(nowMs),
    expiresAt: instantText(nowMs + policy.expiresAfterMs),
    signature: null,
  };
}

/** A caller over HTTP only carries the signatures of people. @throws TOKEN_APPROVES_NOTHING */
export function refuseUnsigned(
  { signature }: Approval,
  { overHttp, user }: OperationContext,
): void {
  if (overHttp && signature === null)
    throw new BursarError('TOKEN_APPROVES_NOTHING', { name: user });
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

/**
 * Signs the statement that the store is an older copy, or lost, where a policy counts signatures. From then on lookups
 * decide which creates leave. Returns null where no policy counts signatures. Throws APPROVAL_UNSIGNED without a key.
 */
export async function signOlderStore(
  flags: KeyFlag & Readonly<{ reason: string }>,
  { settings, store, context }: Place & Readonly<{ store: Store }>,
): Promise<Approval | null> {
  const { reason, ...key } = flags;
  const policy = await policyInForce(settings, store);
  if (policy === undefined) return null;
  const person = await actingPerson(key, policy, { settings, context });
  const { hash } = await store.audit.head();
  const signed = person.sign(olderStoreSubject(hash), { decision: 'store-older', reason });
  if (signed === null) throw new BursarError('APPROVAL_UNSIGNED', { person: person.name });
  return signed;
}

/** The signed policy of the settings, else of an open batch: the settings of this command may name none. */
async function policyInForce(
  settings: Settings,
  store: Store,
): Promise<ApprovalPolicy | undefined> {
  const open = await store.batches.listOpen();
  const policies = [settings.rules.approval, ...open.map(({ rules }) => rules?.approval ?? null)];
  return policies.find((policy) => policy !== null && policy.mode === 'signed') ?? undefined;
}

/**
 * Throws APPROVAL_IMPOSSIBLE when too few people could approve what this person submits: the batch would wait for ever. The
 * policy is that of the settings here; a worker that has another one makes the plan by its own.
 */
export function refuseHopeless(
  { batchId, currencies: totals, digest }: PlanView,
  settings: Settings,
  submittedBy: string,
): void {
  const question = questionOf({
    policy: settings.rules.approval,
    submittedBy,
    batchId,
    totals,
    digest: digest ?? '',
    hold: null,
  });
  const facts = question === null ? null : impossibilityOf(question);
  if (facts !== null) throw new BursarError('APPROVAL_IMPOSSIBLE', facts);
}
