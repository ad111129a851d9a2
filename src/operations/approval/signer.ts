import { instantText } from '../../domain/approval/instant.ts';
import type { Question } from '../../domain/approval/question.ts';
import {
  type Approval,
  type ApprovalStatement,
  statementText,
} from '../../domain/approval/statement.ts';
import { type PassphraseFlags, readSigningKey } from '../prompts/passphrase.ts';

/** How a person names a key. */
type SignerFlags = PassphraseFlags & Readonly<{ key?: string; as?: string }>;

type Asking = Parameters<typeof readSigningKey>[1];

/** Who decides, and how it is signed; null: not at all. */
export type Signer = Readonly<{ person: string; sign: ((text: string) => string) | null }>;

/** As whom to decide: by the key, whose owner the policy names, or by a name. Throws what {@link readSigningKey} throws. */
export async function signerOf(
  { key, as: name, ...passphrase }: SignerFlags,
  { policy }: Question,
  { actor, ...asking }: Asking & Readonly<{ actor: string }>,
): Promise<Signer> {
  if (key === undefined) return { person: name ?? actor, sign: null };
  const { publicKey, sign } = await readSigningKey({ key, ...passphrase }, asking);
  const owner = policy.people.find((person) => person.publicKey === publicKey);
  return { person: name ?? owner?.name ?? publicKey, sign };
}

export type TimedWording = Readonly<{
  decision: ApprovalStatement['decision'];
  reason: ApprovalStatement['reason'];
  nowMs: number;
}>;

/** A decision on a question, for as long as the policy lets it hold. */
export function decide(
  question: Question,
  { person, sign }: Signer,
  wording: TimedWording,
): Approval {
  const { batchId, subject, policy } = question;
  const { decision, reason, nowMs } = wording;
  const statement = {
    batchId,
    subject,
    decision,
    person,
    reason,
    issuedAt: instantText(nowMs),
    expiresAt: instantText(nowMs + policy.expiresAfterMs),
  };
  return { ...statement, signature: sign === null ? null : sign(statementText(statement)) };
}
