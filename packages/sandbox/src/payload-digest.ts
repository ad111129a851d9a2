import { createHash } from 'node:crypto';
import { formatDecimal } from './core/decimal.ts';
import type { MassPayoutRequest } from './core/mass-payout.ts';

/**
 * Returns equal text for payloads with the same meaning. The order of fields and the notation of
 * numbers do not count.
 */
export function payloadDigest({ withdrawals, ...rest }: MassPayoutRequest): string {
  const rows = withdrawals.map(({ depositAddress, amount, comment }) => [
    depositAddress,
    formatDecimal(amount),
    comment,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([rest, rows]))
    .digest('hex');
}
