import { createHash } from 'node:crypto';
import { codeOfFate, type FateCode, type FateName, fateOf } from './fates.ts';
import { random } from './random.ts';

/** The withdrawals that a rule means: those that have everything that it names. */
export type FateMatch = Readonly<{
  /** The position in the mass payout, from 1. */
  position?: number | undefined;
  /** The case of addresses that start with 0x does not count. */
  address?: string | undefined;
  comment?: string | undefined;
  /** The share of the withdrawals, from 0 to 1, drawn from `seed`, position and address. */
  share?: number | undefined;
  seed?: number | undefined;
}>;

export type FateRule = Readonly<{ match: FateMatch; fate: FateName }>;

/** The parts of a withdrawal that a rule can name. */
export type FateFacts = Readonly<{
  position: number;
  depositAddress: string;
  comment: string | null;
}>;

/**
 * Returns the fate of a withdrawal, null when it is paid. The first rule that matches decides, and
 * without one the test address.
 */
export function decideFate(
  rules: readonly FateRule[],
  withdrawal: FateFacts,
  obeysTestAddresses: boolean,
): FateCode | null {
  const rule = rules.find(({ match }) => isMeant(match, withdrawal));
  if (rule !== undefined) return codeOfFate(rule.fate);
  return obeysTestAddresses ? fateOf(withdrawal.depositAddress) : null;
}

function isMeant({ share, seed = 0, ...match }: FateMatch, withdrawal: FateFacts): boolean {
  const { position, depositAddress, comment } = withdrawal;
  if (match.position !== undefined && match.position !== position) return false;
  if (match.comment !== undefined && match.comment !== comment) return false;
  const isSame = match.address === undefined || normal(match.address) === normal(depositAddress);
  return isSame && (share === undefined || random(seed, drawOf(withdrawal)) < share);
}

const normal = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address;

/** The same withdrawal of the same file is drawn in the same way in each run. */
const drawOf = ({ position, depositAddress }: FateFacts): number =>
  createHash('sha256')
    .update(`${position} ${normal(depositAddress)}`)
    .digest()
    .readInt32BE();
