import { readPlainAmount } from '../json/decimal.ts';
import { hasLoneSurrogate } from './check-input.ts';

/** One recipient of a mass payout. Spec: "Payout", `massAddresses`. */
export type MassAddress = {
  /** Destination crypto address. Not empty. */
  readonly depositAddress: string;
  /**
   * Amount in units of the mass payout's `currency`, as plain decimal text such as '12.5'. No sign,
   * no exponent, at most 30 digits before the point and 36 after it.
   */
  readonly amount: string;
  /** Comment on this recipient. */
  readonly comment?: string;
};

const FIELDS: readonly string[] = ['depositAddress', 'amount', 'comment'];

/**
 * Writes the members of `massAddresses` without a schema, which takes ten times as long for 1,000.
 * Returns undefined when a member is not plainly correct, or when there are none.
 */
export function writeMassAddresses(addresses: readonly MassAddress[]): string | undefined {
  if (!Array.isArray(addresses) || addresses.length === 0) return undefined;
  const written: string[] = [];
  for (const address of addresses) {
    const text = writeMassAddress(address);
    if (text === undefined) return undefined;
    written.push(text);
  }
  return written.join(',');
}

function writeMassAddress(address: MassAddress): string | undefined {
  if (typeof address !== 'object' || address === null) return undefined;
  const { depositAddress, amount, comment } = address;
  const isPlain =
    typeof depositAddress === 'string' &&
    depositAddress !== '' &&
    typeof amount === 'string' &&
    (comment === undefined ? !('comment' in address) : typeof comment === 'string') &&
    Object.keys(address).every((name) => FIELDS.includes(name));
  const literal = isPlain ? readPlainAmount(amount) : undefined;
  if (literal === undefined || hasLoneSurrogate(`${depositAddress} ${comment}`)) return undefined;
  const end = comment === undefined ? '' : `,"comment":${JSON.stringify(comment)}`;
  return `{"depositAddress":${JSON.stringify(depositAddress)},"amount":${literal}${end}}`;
}
