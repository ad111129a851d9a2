import { callOperation } from '../../api/call.ts';
import type { InputOf, ResultOf } from '../../api/results.ts';
import { signDecision } from '../../passkey/decision.ts';

/** The answer of a person for a request with an unclear result. */
export type RequestAnswer = InputOf<'answerQuestion'>;

/** Answers for a request. Where the policy counts signatures, the person signs exactly this answer. @throws ApiFailure, PasskeyFailure */
export async function answerRequest(
  answer: RequestAnswer,
  person: string,
): Promise<ResultOf<'resolveChunk'>> {
  const { question, attempts } = await callOperation('answerQuestion', answer);
  if (question === null) return callOperation('resolveChunk', answer);
  const { batchId, subject, policy, consent = 'approve' } = question;
  const { reason } = answer;
  const about = { batchId, subject, decision: consent, person, reason };
  const approval = await signDecision({ ...about, lastsMs: policy.expiresAfterMs });
  const read = attempts === undefined ? {} : { attempts };
  return callOperation('resolveChunk', { ...answer, ...read, approval });
}
