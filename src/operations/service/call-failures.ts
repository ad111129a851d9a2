import { BursarError } from '../../domain/errors/bursar-error.ts';
import { answerText, isPathUnknown } from '../../domain/errors/from-service.ts';
import { classifyCreate } from '../../domain/sending/doubt.ts';
import { MerchantApiError, PAGES_MAX_DEFAULT, TOO_MANY_PAGES } from '@bursar/merchant-api';
import { ASSUMED_ENDPOINTS } from '@bursar/merchant-api/spec';
import { flagInvalid } from '../input/flag-error.ts';

/** The purpose of a call, for the text of its failure. */
export type CallMeaning = Readonly<{
  /** The object of an operation on one thing. */
  lookedFor?: string | undefined;
  /** The command that shows the effect of a call that must not be repeated blindly. */
  look?: string | undefined;
}>;

/**
 * ASSUMED: the spec shows no status for "no such object"; 404 is what services answer. Without the service's error body it
 * is about the path instead.
 */
const saysNotFound = ({ httpStatus, documented }: MerchantApiError): boolean =>
  httpStatus === 404 && documented === true;

/** Waits for an answer. Throws FLAG_INVALID, LOOKUP_NOTHING, LIST_TOO_LONG and CALL_OUTCOME_UNKNOWN; any other failure as it is. */
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
    if (reason === TOO_MANY_PAGES) {
      throw new BursarError('LIST_TOO_LONG', { operation, pagesMax: PAGES_MAX_DEFAULT }, { cause });
    }
    if (lookedFor === undefined || !saysNotFound(cause)) throw cause;
    const facts = { what: lookedFor, answer: why(cause) };
    throw new BursarError('LOOKUP_NOTHING', facts, { cause });
  }
}

/**
 * Whether the service may have carried out the request, or may still do it. This is as strict as the engine, but for
 * assumed paths: there a wrong path is the likeliest cause.
 */
function mayHaveActed(error: MerchantApiError): boolean {
  const { kind, httpStatus = 0, documented = false } = error;
  if (kind === 'unavailable' || kind === 'invalid-input') return false;
  if (error.operation in ASSUMED_ENDPOINTS && isPathUnknown(error)) return false;
  const outcome = classifyCreate(kind === 'refused' ? { kind, httpStatus, documented } : { kind });
  return outcome !== 'NOT_SENT' && outcome !== 'REJECTED';
}

function why(error: MerchantApiError): string {
  const { kind, httpStatus, documented, reason = 'no answer' } = error;
  const answer = answerText(error, true);
  if (kind !== 'refused') return `${reason}${answer}`;
  return documented
    ? `status ${httpStatus}${answer}`
    : `status ${httpStatus} without the service's error body${answer}`;
}
