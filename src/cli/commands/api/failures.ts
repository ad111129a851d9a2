import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { classifyCreate } from '../../../domain/sending/classify.ts';
import { MerchantApiError } from '../../../merchant-api/index.ts';
import { flagInvalid } from '../../flags/flag-error.ts';

/** What a call is about, so that its failure can be told better. */
export type CallMeaning = Readonly<{
  /** What is looked for or changed, for an operation on one thing. */
  lookedFor?: string;
  /** For a call that must not simply be made again: the command that shows what became of it. */
  look?: string;
}>;

/** ASSUMED: the spec shows no status for "no such object"; 404 is what services answer. */
const STATUS_NOT_FOUND = 404;

/** Waits for an answer. Throws FLAG_INVALID, LOOKUP_NOTHING and CALL_OUTCOME_UNKNOWN; any other failure as it is. */
export async function tellingMore<Value>(
  answer: Promise<Value>,
  { lookedFor, look }: CallMeaning,
): Promise<Value> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof MerchantApiError)) throw cause;
    const { kind, operation, reason = '' } = cause;
    if (kind === 'invalid-input') throw flagInvalid('payload', reason.replace(/^input: /, ''));
    if (look !== undefined && mayHaveActed(cause)) {
      throw new BursarError(
        'CALL_OUTCOME_UNKNOWN',
        { operation, reason: why(cause), look },
        { cause },
      );
    }
    if (lookedFor === undefined || cause.httpStatus !== STATUS_NOT_FOUND) throw cause;
    throw new BursarError('LOOKUP_NOTHING', { what: lookedFor }, { cause });
  }
}

/** Whether the service may have done what it was asked, or may still do it: judged as strictly as the engine does. */
function mayHaveActed({ kind, httpStatus = 0, documented = false }: MerchantApiError): boolean {
  if (kind === 'unavailable' || kind === 'invalid-input') return false;
  const outcome = classifyCreate(kind === 'refused' ? { kind, httpStatus, documented } : { kind });
  return outcome !== 'NOT_SENT' && outcome !== 'REJECTED';
}

const why = ({ kind, httpStatus, reason }: MerchantApiError): string =>
  kind === 'refused' ? `status ${httpStatus}` : (reason ?? 'no answer');
