import { resolve } from 'node:path';
import { instantText } from '../../domain/approval/instant.ts';
import type { Question } from '../../domain/approval/question.ts';
import {
  type Approval,
  type ApprovalStatement,
  statementText,
} from '../../domain/approval/statement.ts';
import { readKeyFile } from './key-file.ts';

/** Who decides, and how it is signed; null: not at all. */
export type Signer = Readonly<{ person: string; sign: ((text: string) => string) | null }>;

/** As whom to decide: by the key, whose owner the policy names, or by a name. Throws KEY_FILE_OPEN, KEY_FILE_UNREADABLE. */
export function signerOf(
  { key, as: name }: Readonly<{ key?: string; as?: string }>,
  { policy }: Question,
  { cwd, actor }: Readonly<{ cwd: string; actor: string }>,
): Signer {
  if (key === undefined) return { person: name ?? actor, sign: null };
  const { publicKey, sign } = readKeyFile(resolve(cwd, key), key);
  const owner = policy.people.find((person) => person.publicKey === publicKey);
  return { person: name ?? owner?.name ?? publicKey, sign };
}

export type Wording = Pick<ApprovalStatement, 'decision' | 'reason'> & Readonly<{ nowMs: number }>;

/** A decision on a question, for as long as the policy lets it hold. */
export function decide(question: Question, { person, sign }: Signer, wording: Wording): Approval {
  const { batchId, subject, policy } = question;
  const { decision, reason, nowMs } = wording;
  const statement = {
    ...{ batchId, subject, decision, person, reason },
    issuedAt: instantText(nowMs),
    expiresAt: instantText(nowMs + policy.expiresAfterMs),
  };
  return { ...statement, signature: sign === null ? null : sign(statementText(statement)) };
}
