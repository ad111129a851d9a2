import type { AcceptedAddress } from '../addresses/address-check.ts';
import { checkAddress } from '../addresses/check-address.ts';
import { type Network, NETWORKS } from '../currencies/network.ts';
import { type Problem, problem } from './row-rules-problem.ts';
import { formulaIn, plainTextProblem, tooLong } from './row-rules-text.ts';

/** An address as the row rules leave it: checked, or on a network whose addresses cannot be checked. */
export type PayableAddress =
  | AcceptedAddress
  | Readonly<{ ok: true; checksum: 'unknown'; canonical: string }>;

/**
 * Checks an address cell; on an unknown network only that it is there, has no odd character, and is nothing that a
 * spreadsheet would run: resend.csv has it as it is.
 */
export function checkAddressCell(
  text: string,
  network: Network | undefined,
): PayableAddress | Problem {
  if (text === '') return problem('ADDRESS_MISSING', {});
  if (network === undefined) {
    return (
      unreadable(text) ??
      formulaIn('address', text) ?? { ok: true, checksum: 'unknown', canonical: text }
    );
  }
  const check = checkAddress(text, network);
  if (check.ok) return check;
  const { title } = NETWORKS[network];
  return (
    unreadable(text) ?? problem('ADDRESS_INVALID', { text, network: title, reason: check.reason })
  );
}

function unreadable(text: string): Problem | undefined {
  const long = tooLong('address', text);
  if (long !== undefined) return long;
  return text.includes(' ') ? spaceInside(text) : plainTextProblem('address', text);
}

const spaceInside = (text: string): Problem =>
  problem('CHARACTER_FORBIDDEN', {
    column: 'address',
    codePoint: 'U+0020',
    position: text.indexOf(' ') + 1,
  });
