import { codeText } from '../errors/code-text.ts';
import type { Attempt } from './send-record.ts';

/** Why a create was refused, in words that may stand in reports and histories. */
export function refusalText({
  httpStatus,
  errorCode,
  traceId,
}: Pick<Attempt, 'httpStatus' | 'errorCode' | 'traceId'>): string {
  const code = errorCode === undefined ? 'no error code' : codeText(errorCode);
  const trace = traceId === undefined ? 'none' : codeText(traceId);
  return `refused by the service: ${code} (status ${httpStatus ?? 'none'}, trace ${trace})`;
}
