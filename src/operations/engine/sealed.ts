import { isRefused, openValue } from '../../domain/encryption/clear-value.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** The result of a workflow. Throws PAYLOAD_IN_CLEAR when no worker with our keys can have written it. */
export function requireSealed<Value>(given: Value): Value {
  if (isRefused(given)) throw new BursarError('PAYLOAD_IN_CLEAR', {});
  return openValue(given) as Value;
}

/** A value of a memo, which the starter of a workflow writes; undefined when it must have no effect. */
export const readClear = (given: unknown): unknown =>
  isRefused(given) ? undefined : openValue(given);
