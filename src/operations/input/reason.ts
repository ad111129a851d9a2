import { REASON_LENGTH_MAX } from '../../domain/approval/statement.ts';
import { flagInvalid } from './flag-error.ts';

/** Checks `--reason`. Throws FLAG_INVALID. */
export function readReason(text: string): string {
  const reason = text.trim();
  const fault = reasonFault(reason);
  if (fault === null) return reason;
  throw flagInvalid('--reason', fault);
}

/** Why a text without spaces around it is no reason; null: it is one. */
export const reasonFault = (reason: string): string | null =>
  reason !== '' && reason.length <= REASON_LENGTH_MAX
    ? null
    : `give 1 to ${REASON_LENGTH_MAX} characters that give the reason`;
