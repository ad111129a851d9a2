import type { MerchantApiError } from '../errors.ts';

/** Codes of undici for a client that was closed. */
const CLOSED_REASONS: readonly unknown[] = ['UND_ERR_CLOSED', 'UND_ERR_DESTROYED'];

/** Statuses below 500 that say "later": request time-out, too early, too many requests. */
const STATUSES_LATER: readonly unknown[] = [408, 425, 429];

/**
 * Whether a later read may succeed where this one failed.
 *
 * ASSUMED: by the usual meaning of HTTP statuses. The spec does not show the statuses of errors.
 */
export function mayPass({ kind, reason, httpStatus, mayBeTooOld }: MerchantApiError): boolean {
  switch (kind) {
    case 'not-sent':
      return !CLOSED_REASONS.includes(reason);
    case 'no-answer':
    case 'unreadable':
      return true;
    case 'refused':
      return (
        mayBeTooOld === true || STATUSES_LATER.includes(httpStatus) || Number(httpStatus) >= 500
      );
    default:
      return false;
  }
}
