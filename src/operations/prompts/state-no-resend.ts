import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { OperationContext } from '../context.ts';

/** The statement of an operator before a resend. The audit log has it. */
export const STATEMENT = 'nothing was resent elsewhere';

type Asking = OperationContext;

/**
 * Has a person state, by the flag or by typing the sentence, that nothing was sent again elsewhere. No read of the
 * service can show the next click of a person. Throws RESEND_UNSTATED.
 */
export async function stateNoResend(isStated: boolean, { ask, mayAsk }: Asking): Promise<string> {
  if (isStated) return STATEMENT;
  const unstated = new BursarError('RESEND_UNSTATED', { expected: STATEMENT });
  if (!mayAsk) throw unstated;
  const question = `\nWas any of it sent again in the interface of the service, or by a file? If not, type "${STATEMENT}": `;
  const typed = await ask(question);
  if (typed?.toLowerCase().replace(/\.$/, '') !== STATEMENT) throw unstated;
  return STATEMENT;
}
